#include "bench/workloads/transfer_floor.hpp"

#include "bench/workloads/transfer_log.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace bench::workloads {
namespace {

constexpr std::size_t reply_room = 64 * 1024;  // of an upload

class transfer_floor final : public workload {
 public:
  transfer_floor(direction way, transfer_payload& payload, wire::watchdog& dog)
      : way_(way), payload_(payload), dog_(dog), log_(payload), reply_(reply_room) {}

  absl::Status open(const transfer& what, const wire::endpoint& to) {
    int socket = -1;
    auto setup = open_transfer(what, payload_, to, dog_, [&](std::unique_ptr<wire::transport> under) {
      socket = under->native_handle();
      return log_transport(std::move(under), log_);
    });
    if (!setup.ok()) return setup.status();
    setup_ = *std::move(setup);
    log_.begin();
    auto status = setup_->run(1);
    log_.end();
    socket_ = socket;
    watch_ = dog_.add(socket);
    return status;
  }

  absl::Status run(std::uint64_t ops) override {
    absl::Status status;
    for (std::uint64_t i = 0; i < ops && status.ok(); ++i) status = move_file();
    watch_->disarm();
    if (watch_->fired()) return absl::DeadlineExceededError("floor: the peer did not answer in time");
    return status;
  }

  std::optional<std::uint64_t> syscalls() const override { return syscalls_; }
  std::optional<std::uint64_t> copied_bytes() const override { return 0; }
  std::optional<std::uint64_t> round_trips() const override { return round_trips_; }

 private:
  absl::Status move_file() {
    const auto payload =
        way_ == direction::upload ? codecs::bytes_view(payload_.memory()) : codecs::bytes_view();
    const auto room = way_ == direction::upload ? codecs::bytes_span(reply_) : payload_.room();
    std::size_t at = 0;
    for (const auto& trip : log_.trips()) {
      watch_->arm();
      if (auto status = send(trip.sent, payload); !status.ok()) return status;
      if (auto status = receive(trip.reply_bytes, room, at); !status.ok()) return status;
      ++round_trips_;
    }
    return absl::OkStatus();
  }

  absl::Status send(const std::vector<transfer_log::segment>& segments, codecs::bytes_view payload) {
    list_.clear();  // keeps its memory
    for (const auto& one : segments) {
      const auto bytes = (one.payload ? payload : log_.encoded()).subspan(one.begin, one.size);
      list_.push_back({const_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    }
    for (std::span<iovec> left(list_); !left.empty();) {
      const auto sent = send_once(left.first(std::min<std::size_t>(left.size(), IOV_MAX)));
      if (sent < 0 && errno != EINTR) return failed("sendmsg");
      for (auto bytes = static_cast<std::size_t>(std::max<ssize_t>(sent, 0)); bytes != 0;) {
        auto& first = left.front();
        const auto gone = std::min(first.iov_len, bytes);
        first = {static_cast<std::uint8_t*>(first.iov_base) + gone, first.iov_len - gone};
        bytes -= gone;
        if (first.iov_len == 0) left = left.subspan(1);
      }
    }
    return absl::OkStatus();
  }

  ssize_t send_once(std::span<iovec> list) {
    ++syscalls_;
    if (list.size() == 1) return ::send(socket_, list[0].iov_base, list[0].iov_len, MSG_NOSIGNAL);
    msghdr message{};
    message.msg_iov = list.data();
    message.msg_iovlen = list.size();
    return ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  }

  /// Into `room` from `at` on, and from its beginning where it ends: heads take some of it.
  absl::Status receive(std::size_t bytes, codecs::bytes_span room, std::size_t& at) {
    while (bytes != 0) {
      const auto place = room.subspan(at, std::min(bytes, room.size() - at));
      const auto got = ::recv(socket_, place.data(), place.size(), 0);
      ++syscalls_;
      if (got == 0) return absl::UnavailableError("floor: the peer closed the connection");
      if (got < 0 && errno != EINTR) return failed("recv");
      const auto moved = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
      bytes -= moved;
      at = (at + moved) % room.size();
    }
    return absl::OkStatus();
  }

  static absl::Status failed(const char* call) {
    return absl::UnavailableError(fmt::format("floor: {}: {}", call, std::strerror(errno)));
  }

  direction way_;
  transfer_payload& payload_;
  wire::watchdog& dog_;
  transfer_log log_;
  std::unique_ptr<workload> setup_;  // has the connection
  wire::watchdog::handle watch_;
  int socket_ = -1;
  std::vector<std::uint8_t> reply_;
  std::vector<iovec> list_;
  std::uint64_t syscalls_ = 0;
  std::uint64_t round_trips_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_transfer_floor(transfer what, transfer_payload& payload,
                                                              const wire::endpoint& to, wire::watchdog& dog) {
  what.strategy = what.way == direction::upload ? "gather" : "direct";
  auto made = std::make_unique<transfer_floor>(what.way, payload, dog);
  if (auto status = made->open(what, to); !status.ok()) return status;
  return made;
}

}  // namespace bench::workloads
