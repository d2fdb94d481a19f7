#pragma once
// The one client that is not ours to tune: prebuilt bytes, send(2), recv(2), nothing parsed. It shows what
// the raw client itself costs, is never subtracted, and includes no wire header, so that no mistake there can
// slow both.

#include "bench/workload.hpp"

#include <vector>

namespace bench {

class floor final : public workload {
 public:
  /// Works on a connected socket that stays the caller's and is ready for the op: logged in, prepared. `request` is sent as
  /// it is, and `reply_bytes` are then awaited, for as long as it takes: a time-out is for the caller to arm.
  floor(int fd, std::vector<std::uint8_t> request, std::size_t reply_bytes);

  absl::Status run(std::uint64_t ops) override;
  std::optional<std::uint64_t> syscalls() const override { return syscalls_; }

 private:
  absl::Status send_request();
  absl::Status await_reply();

  int fd_;
  std::vector<std::uint8_t> request_;
  std::vector<std::uint8_t> reply_;
  std::uint64_t syscalls_ = 0;
};

}  // namespace bench
