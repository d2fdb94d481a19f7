#pragma once
// The one client that is not ours to tune: prebuilt bytes, send(2), recv(2), nothing parsed. It shows what
// the raw client itself costs, is never subtracted, and includes no wire header, so that no mistake there can
// slow both.

#include "bench/workload.hpp"

#include <vector>

namespace bench {

class floor final : public workload {
 public:
  /// Works on the socket of `setup`, a workload of the raw client that is connected and prepared but runs no
  /// op itself: its before() and after() surround the rounds. `request` is sent as it is, and `reply_bytes`
  /// are then awaited; how long one may wait is for the caller to bound, who knows the socket.
  floor(std::unique_ptr<workload> setup, int fd, std::vector<std::uint8_t> request, std::size_t reply_bytes);

  absl::Status before() override { return setup_->before(); }
  absl::Status run(std::uint64_t ops) override;
  absl::Status after() override { return setup_->after(); }

  std::optional<std::uint64_t> syscalls() const override { return syscalls_; }

 private:
  absl::Status send_request();
  absl::Status await_reply();

  std::unique_ptr<workload> setup_;
  int fd_;
  std::vector<std::uint8_t> request_;
  std::size_t reply_bytes_;
  std::vector<std::uint8_t> reply_;
  std::uint64_t syscalls_ = 0;
};

}  // namespace bench
