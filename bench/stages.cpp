#include "bench/stages.hpp"

#include "bench/clock.hpp"
#include "bench/statistics.hpp"
#include "bench/workloads/raw.hpp"

#include <time.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace bench {
namespace {

std::int64_t thread_cpu_ns() {
  timespec spent;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return std::int64_t{spent.tv_sec} * 1'000'000'000 + spent.tv_nsec;
}

auto reader_of(stamp_clock clock) {
  return clock == stamp_clock::wall ? now_ns : thread_cpu_ns;
}

class stamping_transport final : public wire::transport {
 public:
  stamping_transport(std::unique_ptr<wire::transport> inner, stage_ledger& ledger)
      : inner_(std::move(inner)), ledger_(ledger) {}

  wire::io_result write_some(std::span<const iovec> segments) override {
    ledger_.before_write();
    const auto written = inner_->write_some(segments);
    ledger_.after_write();
    return written;
  }

  wire::io_result read_some(codecs::bytes_span to) override {
    ledger_.before_read();
    const auto got = inner_->read_some(to);
    ledger_.after_read(got.bytes);
    return got;
  }

  wire::io_result read_now(codecs::bytes_span to) override {
    ledger_.before_read();
    const auto got = inner_->read_now(to);
    ledger_.after_read(got.bytes);
    return got;
  }

  readiness wait(bool reading) override {
    const auto ready = inner_->wait(reading);
    ledger_.after_poll();
    return ready;
  }

  void shutdown() noexcept override { inner_->shutdown(); }
  int native_handle() const override { return inner_->native_handle(); }

 private:
  std::unique_ptr<wire::transport> inner_;
  stage_ledger& ledger_;
};

class stamped final : public workload {
 public:
  stamped(std::unique_ptr<stage_ledger> ledger, std::unique_ptr<workloads::raw_workload> raw)
      : ledger_(std::move(ledger)), raw_(std::move(raw)) {}

  absl::Status before() override { return raw_->before(); }
  absl::Status after() override { return raw_->after(); }

  absl::Status run(std::uint64_t ops) override {
    absl::Status status;
    ledger_->begin_round();
    for (std::uint64_t i = 0; i < ops && status.ok(); ++i) {
      status = raw_->run(1);
      ledger_->end_op();
    }
    ledger_->end_round();
    return status;
  }

  bool works_in_rounds() const override { return raw_->works_in_rounds(); }
  std::optional<std::uint64_t> syscalls() const override { return raw_->syscalls(); }
  std::optional<traffic> counted() const override { return raw_->counted(); }
  std::optional<pid_t> server_pid() const override { return raw_->server_pid(); }
  std::optional<stage_times> stages() const override { return ledger_->totals(); }

 private:
  std::unique_ptr<stage_ledger> ledger_;
  std::unique_ptr<workloads::raw_workload> raw_;  // its transport writes into the ledger: gone first
};

}  // namespace

const char* name(stamp_clock clock) {
  return clock == stamp_clock::wall ? "wall" : "thread";
}

std::int64_t reading_cost_ns(stamp_clock clock) {
  constexpr int readings = 5'000;
  const auto now = reader_of(clock);
  std::vector<std::int64_t> steps(readings);
  for (auto& step : steps) {
    const auto before = now();
    step = now() - before;
  }
  std::sort(steps.begin(), steps.end());
  return *nearest_rank(steps, 500'000);
}

absl::StatusOr<std::unique_ptr<workload>> open_stamped(const std::string& op, const wire::endpoint& to,
                                                       wire::watchdog& dog, stamp_clock clock) {
  auto ledger = std::make_unique<stage_ledger>(reader_of(clock));
  auto raw = workloads::open_raw(op, to, dog, [&ledger](auto transport) {
    return std::make_unique<stamping_transport>(std::move(transport), *ledger);
  });
  if (!raw.ok()) return raw.status();
  return std::make_unique<stamped>(std::move(ledger), *std::move(raw));
}

void stage_ledger::begin_round() {
  on_ = true;
  awaiting_ = replied_ = false;
  last_ns_ = now_();
}

void stage_ledger::end_op() {
  charge(stage::decode);
  awaiting_ = replied_ = false;
}

void stage_ledger::before_write() {
  if (!on_) return;
  charge(replied_ ? stage::decode : stage::encode);
  last_write_ns_ = last_ns_;
}

void stage_ledger::after_write() {
  if (!on_) return;
  charge(stage::send);
  awaiting_ = true;
}

void stage_ledger::after_poll() {
  if (on_) charge(stage::send);  // the kernel took no more for a while
}

/// A first read follows the write at once, so that no stamp is needed between them.
void stage_ledger::before_read() {
  if (on_ && !awaiting_) charge(stage::decode);
}

void stage_ledger::after_read(std::size_t bytes) {
  if (!on_) return;
  charge(awaiting_ ? stage::wait : stage::recv);
  if (!awaiting_ || bytes == 0) return;
  totals_.window_ns += last_ns_ - last_write_ns_;
  ++totals_.windows;
  awaiting_ = false;
  replied_ = true;
}

void stage_ledger::charge(stage to) {
  const auto now = now_();
  totals_[to] += now - last_ns_;
  ++totals_.intervals[static_cast<std::size_t>(to)];
  last_ns_ = now;
}

}  // namespace bench
