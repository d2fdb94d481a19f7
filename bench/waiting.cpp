#include "bench/waiting.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

class waiting final : public workload {
 public:
  waiting(std::unique_ptr<workload> inner, const peer& served_by, std::chrono::nanoseconds duration,
          delay_mode mode)
      : inner_(std::move(inner)), served_by_(served_by), duration_(duration), mode_(mode) {}

  absl::Status before() override {
    if (auto status = inner_->before(); !status.ok()) return status;
    if (served_by_.set_service_time(duration_, mode_)) return absl::OkStatus();
    return absl::FailedPreconditionError("this server takes no service time");
  }

  absl::Status run(std::uint64_t ops) override {
    auto status = inner_->run(ops);
    if (!status.ok()) release();  // after() will not come
    return status;
  }

  absl::Status after() override {
    release();
    return inner_->after();
  }

  bool works_in_rounds() const override { return inner_->works_in_rounds(); }
  std::optional<std::uint64_t> syscalls() const override { return inner_->syscalls(); }
  std::optional<traffic> counted() const override { return inner_->counted(); }
  std::optional<stage_times> stages() const override { return inner_->stages(); }
  std::optional<pid_t> server_pid() const override { return inner_->server_pid(); }

 private:
  void release() { served_by_.set_service_time(std::chrono::nanoseconds(0), mode_); }

  std::unique_ptr<workload> inner_;
  const peer& served_by_;
  std::chrono::nanoseconds duration_;
  delay_mode mode_;
};

}  // namespace

std::unique_ptr<workload> make_waiting(std::unique_ptr<workload> inner, const peer& served_by,
                                       std::chrono::nanoseconds duration, delay_mode mode) {
  return std::make_unique<waiting>(std::move(inner), served_by, duration, mode);
}

std::string service_time_name(std::chrono::nanoseconds duration) {
  const auto whole_ms = std::chrono::floor<std::chrono::milliseconds>(duration);
  if (duration.count() > 0 && whole_ms == duration) return fmt::format("{}ms", whole_ms.count());
  return fmt::format("{}us", static_cast<double>(duration.count()) / 1e3);
}

}  // namespace bench
