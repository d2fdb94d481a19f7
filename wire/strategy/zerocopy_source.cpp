// Chunks that a TCP socket sends from where they are (MSG_ZEROCOPY): the kernel pins their pages and tells through the socket's
// error queue when it lets go of them, by the numbers of the sends. A chunk's memory is used again when that was told and the peer
// has the chunk. In the caller's memory chunks lie as they are; of a file, they are read into a fixed number of buffers.
//
// The kernel may copy after all, and says so: it always does on loopback. A send that finds no room for its notification goes as
// an ordinary one, and counts as copied.

#include "wire/strategy/sender.hpp"
#include "wire/strategy/sources.hpp"
#include "wire/system_call.hpp"

#include <fmt/format.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace wire {
namespace {

// How long the kernel may keep memory that the peer has acknowledged or that nobody will send any more.
constexpr int patience_ms = 10'000;

class zerocopy_source final : public source, public sender {
 public:
  zerocopy_source(payload from, std::size_t buffers)
      : source(std::move(from)), buffers_(payload_.in_memory() ? 0 : buffers) {}

  std::size_t most_in_flight() const override {
    return payload_.in_memory() ? source::most_in_flight() : buffers_.size();
  }
  void release() override {
    if (in_flight_ != 0) --in_flight_;
  }

  wire::sender* sender() override { return this; }
  bool begin(int socket) override;
  bool holds(const void* address) const override;
  io_result send(int socket, codecs::bytes_view bytes) override;
  void end() override;

 private:
  struct buffer {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;
    std::uint64_t sends = 0;  // free when so many sends are done

    bool holds(const void* address) const {
      const auto* const at = static_cast<const std::uint8_t*>(address);
      return std::less_equal<>()(bytes.get(), at) && std::less<>()(at, bytes.get() + size);
    }
  };

  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) override;
  void rewound() override { next_ = in_flight_ = 0; }
  bool wait_for(std::uint64_t sends);
  void take_notices();
  void note(const sock_extended_err& notice);
  void let_go(std::uint64_t send);
  bool is_done(std::uint64_t sends) const { return done_ >= sends || noticed_ == sent_; }

  int socket_ = -1;
  std::vector<buffer> buffers_;
  std::size_t next_ = 0;
  std::size_t in_flight_ = 0;

  // Sends of one upload, counted from 0. The socket counts all that it ever had, and so where this upload begins among them is
  // known only once every send was told of.
  std::uint64_t sent_ = 0;
  std::uint64_t noticed_ = 0;
  std::uint64_t done_ = 0;   // so many from the first on are let go; exact once first_ is known
  std::deque<bool> behind_;  // which of those behind them are
  std::optional<std::uint32_t> first_;
  std::uint32_t last_ = 0;  // of those told of
};

bool zerocopy_source::begin(int socket) {
  const int on = 1;
  ++counters_.syscalls;
  if (::setsockopt(socket, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on) != 0) {
    fail(fmt::format("this socket has no zero-copy sends, which TCP alone has: {}", std::strerror(errno)));
    return false;
  }
  socket_ = socket;
  sent_ = noticed_ = done_ = 0;
  behind_.clear();
  first_.reset();
  for (auto& one : buffers_) one.sends = 0;
  return true;
}

bool zerocopy_source::holds(const void* address) const {
  if (!payload_.in_memory()) {
    return std::ranges::any_of(buffers_, [&](const buffer& one) { return one.holds(address); });
  }
  const auto memory = payload_.memory();
  const auto* const at = static_cast<const std::uint8_t*>(address);
  return std::less_equal<>()(memory.data(), at) && std::less<>()(at, memory.data() + memory.size());
}

codecs::bytes_view zerocopy_source::chunk(std::int64_t offset, std::size_t size) {
  if (payload_.in_memory()) return payload_.memory().subspan(static_cast<std::size_t>(offset), size);
  if (in_flight_ == buffers_.size()) {
    return fail(fmt::format("all buffers ({}) are in flight: the window holds no more chunks", in_flight_));
  }
  auto& next = buffers_[next_];
  if (!wait_for(next.sends)) return fail("the kernel keeps the memory of a chunk that the peer has");
  if (next.size < size) next = {std::make_unique_for_overwrite<std::uint8_t[]>(size), size};
  const codecs::bytes_span room(next.bytes.get(), size);
  if (!payload_.read(offset, room, counters_)) return fail_of_payload();
  next_ = (next_ + 1) % buffers_.size();
  ++in_flight_;
  return room;
}

io_result zerocopy_source::send(int socket, codecs::bytes_view bytes) {
  constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
  auto moved =
      outcome(retry([&] { return ::send(socket, bytes.data(), bytes.size(), flags | MSG_ZEROCOPY); }));
  if (moved.error == 0) {
    ++sent_;
    ++counters_.zerocopy_sends;
    const auto holder =
        std::ranges::find_if(buffers_, [&](const auto& one) { return one.holds(bytes.data()); });
    if (holder != buffers_.end()) holder->sends = sent_;
    return moved;
  }
  take_notices();  // which make room, and, left where they are, keep poll(2) from waiting
  if (moved.error != ENOBUFS) return moved;
  ++counters_.syscalls;
  ++counters_.zerocopy_sends;
  ++counters_.zerocopy_copies;
  return outcome(retry([&] { return ::send(socket, bytes.data(), bytes.size(), flags); }));
}

void zerocopy_source::end() {
  take_notices();
  wait_for(sent_);
  socket_ = -1;
}

/// Until the first `sends` are done. False: the connection is lost, or the kernel takes too long.
bool zerocopy_source::wait_for(std::uint64_t sends) {
  while (!is_done(sends)) {
    const auto before = noticed_;
    take_notices();
    if (noticed_ != before) continue;
    pollfd poll{socket_, 0, 0};  // POLLERR is always told
    ++counters_.syscalls;
    if (retry([&] { return ::poll(&poll, 1, patience_ms); }) <= 0) return false;
    if ((poll.revents & POLLHUP) != 0) {
      take_notices();
      return is_done(sends);
    }
  }
  return true;
}

void zerocopy_source::take_notices() {
  while (true) {
    alignas(cmsghdr) char control[128];
    msghdr message{};
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ++counters_.syscalls;
    if (retry([&] { return ::recvmsg(socket_, &message, MSG_ERRQUEUE | MSG_DONTWAIT); }) < 0) return;
    for (auto* at = CMSG_FIRSTHDR(&message); at != nullptr; at = CMSG_NXTHDR(&message, at)) {
      sock_extended_err notice;
      std::memcpy(&notice, CMSG_DATA(at), sizeof notice);
      if (notice.ee_errno == 0 && notice.ee_origin == SO_EE_ORIGIN_ZEROCOPY) note(notice);
    }
  }
}

/// The sends from ee_info to ee_data are done.
void zerocopy_source::note(const sock_extended_err& notice) {
  const std::uint32_t count = notice.ee_data - notice.ee_info + 1;
  if ((notice.ee_code & SO_EE_CODE_ZEROCOPY_COPIED) != 0) counters_.zerocopy_copies += count;
  if (noticed_ == 0 || static_cast<std::int32_t>(notice.ee_data - last_) > 0) last_ = notice.ee_data;
  noticed_ += count;
  if (first_) {
    for (std::uint32_t i = 0; i < count; ++i) let_go(notice.ee_info + i - *first_);
  } else if (noticed_ == sent_) {
    first_ = last_ + 1 - static_cast<std::uint32_t>(sent_);
    done_ = sent_;
  }
}

void zerocopy_source::let_go(std::uint64_t send) {
  const auto place = send - done_;
  if (place >= behind_.size()) behind_.resize(place + 1);
  behind_[place] = true;
  while (!behind_.empty() && behind_.front()) {
    behind_.pop_front();
    ++done_;
  }
}

}  // namespace

std::unique_ptr<source> make_zerocopy_source(payload from, const source_options& options) {
  return std::make_unique<zerocopy_source>(std::move(from), options.buffers);
}

}  // namespace wire
