#include "bench/workloads/floor_op.hpp"

#include "bench/floor.hpp"
#include "bench/workloads/raw.hpp"

namespace bench::workloads {
namespace {

/// A peer's conversation, and what went to and fro.
class recorder final : public codecs::conversation {
 public:
  recorder(std::unique_ptr<codecs::conversation> peer, std::shared_ptr<recorded_op> log)
      : peer_(std::move(peer)), log_(std::move(log)) {}

  codecs::scan_result scan(codecs::bytes_view unread) const override { return peer_->scan(unread); }

  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    log_->request.insert(log_->request.end(), frame.begin(), frame.end());
    const auto before = out.size();
    const auto answer = peer_->on_frame(frame, out);
    log_->reply_bytes += out.size() - before;
    return answer;
  }

  codecs::answer go_on(codecs::send_buffer& out) override {
    const auto before = out.size();
    const auto answer = peer_->go_on(out);
    log_->reply_bytes += out.size() - before;
    return answer;
  }

 private:
  std::unique_ptr<codecs::conversation> peer_;
  std::shared_ptr<recorded_op> log_;
};

/// The floor client on a connection that the raw client has made ready and keeps ready round by round. The floor keeps no
/// time, so a watch on its socket does.
class floor_over_raw final : public workload {
 public:
  floor_over_raw(std::unique_ptr<raw_workload> setup, recorded_op op, wire::watchdog& dog)
      : setup_(std::move(setup)),
        floor_(setup_->native_handle(), std::move(op.request), op.reply_bytes),
        watch_(dog.add(setup_->native_handle())) {}

  absl::Status before() override { return setup_->before(); }
  absl::Status after() override { return setup_->after(); }
  bool works_in_rounds() const override { return setup_->works_in_rounds(); }
  std::optional<std::uint64_t> syscalls() const override { return floor_.syscalls(); }

  // In slices, so that the time-out is one of few ops however many there are.
  absl::Status run(std::uint64_t ops) override {
    constexpr std::uint64_t slice = 64;
    absl::Status status;
    for (std::uint64_t done = 0; done < ops && status.ok(); done += slice) {
      watch_->arm();
      status = floor_.run(std::min(slice, ops - done));
    }
    watch_->disarm();
    if (watch_->fired()) return absl::DeadlineExceededError("floor: the peer did not answer in time");
    return status;
  }

 private:
  std::unique_ptr<raw_workload> setup_;
  floor floor_;
  wire::watchdog::handle watch_;
};

}  // namespace

absl::StatusOr<recorded_op> record(const std::string& op, const peer& served_by, const wire::endpoint& login,
                                   wire::watchdog& dog) {
  const auto log = std::make_shared<recorded_op>();
  auto transport = wire::make_memory_transport(std::make_unique<recorder>(served_by.converse(), log));
  auto raw = login.protocol == wire::protocol::mongo ? open_mongo(op, std::move(transport), dog)
                                                     : open_pg(op, std::move(transport), login, dog);
  if (!raw.ok()) return raw.status();
  if (auto status = (*raw)->before(); !status.ok()) return status;
  *log = {};
  if (auto status = (*raw)->run(1); !status.ok()) return status;
  return *log;
}

absl::StatusOr<std::unique_ptr<workload>> open_floor(const std::string& op, const peer& served_by,
                                                     const wire::endpoint& to, wire::watchdog& dog) {
  auto recorded = record(op, served_by, to, dog);
  if (!recorded.ok()) return recorded.status();
  auto raw = open_raw(op, to, dog);
  if (!raw.ok()) return raw.status();
  return std::make_unique<floor_over_raw>(*std::move(raw), *std::move(recorded), dog);
}

}  // namespace bench::workloads
