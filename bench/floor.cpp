#include "bench/floor.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace bench {
namespace {

absl::Status failed(const char* call) {
  return absl::UnavailableError(fmt::format("floor: {}: {}", call, std::strerror(errno)));
}

}  // namespace

floor::floor(int fd, std::vector<std::uint8_t> request, std::size_t reply_bytes)
    : fd_(fd), request_(std::move(request)), reply_(reply_bytes) {}

absl::Status floor::run(std::uint64_t ops) {
  for (std::uint64_t i = 0; i < ops; ++i) {
    if (auto status = send_request(); !status.ok()) return status;
    if (auto status = await_reply(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status floor::send_request() {
  for (std::size_t sent = 0; sent < request_.size();) {
    const auto wrote = ::send(fd_, request_.data() + sent, request_.size() - sent, MSG_NOSIGNAL);
    ++syscalls_;
    if (wrote < 0 && errno != EINTR) return failed("send");
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
  }
  return absl::OkStatus();
}

absl::Status floor::await_reply() {
  for (std::size_t got = 0; got < reply_.size();) {
    const auto read = ::recv(fd_, reply_.data() + got, reply_.size() - got, 0);
    ++syscalls_;
    if (read == 0) return absl::UnavailableError("floor: the peer closed the connection");
    if (read < 0 && errno != EINTR) return failed("recv");
    if (read > 0) got += static_cast<std::size_t>(read);
  }
  return absl::OkStatus();
}

}  // namespace bench
