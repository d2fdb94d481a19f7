// A fixed number of buffers that io_uring knows beforehand (registered buffers: their pages are pinned once and not for each
// send), each filled anew when the peer has the chunk that was in it. A send is one io_uring_enter(2) that submits and reaps.
// Like write(2) it knows no MSG_NOSIGNAL: the program ignores SIGPIPE.

#include "wire/strategy/no_waiting.hpp"
#include "wire/strategy/sender.hpp"
#include "wire/strategy/sources.hpp"

#include <fmt/format.h>

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

namespace wire {
namespace {

constexpr unsigned ring_entries = 4;

std::string refused(int error) {
  return fmt::format(
      "the kernel refuses io_uring: {} (see the sysctl kernel.io_uring_disabled and the container's seccomp "
      "profile)",
      std::strerror(error));
}

class uring_source final : public source, public sender {
 public:
  uring_source(payload from, std::size_t buffers) : source(std::move(from)), buffers_(buffers) {}
  uring_source(const uring_source&) = delete;
  uring_source& operator=(const uring_source&) = delete;
  ~uring_source() override {
    if (open_) ::io_uring_queue_exit(&ring_);
  }

  std::size_t most_in_flight() const override { return buffers_.size(); }
  void release() override { --in_flight_; }

  wire::sender* sender() override { return this; }
  bool holds(const void* address) const override { return buffer_of(address).has_value(); }
  io_result send(int socket, codecs::bytes_view bytes) override;

 private:
  struct buffer {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;
  };

  void rewound() override { next_ = in_flight_ = 0; }
  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) override;
  bool open();
  bool enlarge(std::size_t index, std::size_t size);
  std::optional<std::size_t> buffer_of(const void* address) const;
  int write(int socket, codecs::bytes_view bytes, std::size_t index);

  io_uring ring_{};
  bool open_ = false;
  bool knows_no_wait_ = true;  // the kernel, of writes to sockets
  std::vector<buffer> buffers_;
  std::size_t next_ = 0;  // as in a pool
  std::size_t in_flight_ = 0;
};

codecs::bytes_view uring_source::chunk(std::int64_t offset, std::size_t size) {
  if (in_flight_ == buffers_.size()) {
    return fail(fmt::format("all buffers ({}) are in flight: the window holds no more chunks", in_flight_));
  }
  auto& next = buffers_[next_];
  if (next.size < size && !enlarge(next_, size)) return {};
  const codecs::bytes_span room(next.bytes.get(), size);
  if (!payload_.read(offset, room, counters_)) return fail_of_payload();
  next_ = (next_ + 1) % buffers_.size();
  ++in_flight_;
  return room;
}

bool uring_source::open() {
  if (open_) return true;
  counters_.syscalls += 2;
  int error = ::io_uring_queue_init(ring_entries, &ring_, 0);
  open_ = error == 0;
  if (open_) error = ::io_uring_register_buffers_sparse(&ring_, static_cast<unsigned>(buffers_.size()));
  if (error != 0) fail(refused(-error));
  return error == 0;
}

/// The kernel lets the old memory go when it gets the new one. No send is under way: each is waited for.
bool uring_source::enlarge(std::size_t index, std::size_t size) {
  if (!open()) return false;
  buffer larger{std::make_unique_for_overwrite<std::uint8_t[]>(size), size};
  const iovec memory{larger.bytes.get(), size};
  ++counters_.syscalls;
  const int done =
      ::io_uring_register_buffers_update_tag(&ring_, static_cast<unsigned>(index), &memory, nullptr, 1);
  if (done < 0) {
    fail(fmt::format("the kernel pins no buffer of {} bytes for io_uring: {} (see ulimit -l)", size,
                     std::strerror(-done)));
    return false;
  }
  buffers_[index] = std::move(larger);
  return true;
}

std::optional<std::size_t> uring_source::buffer_of(const void* address) const {
  const auto* const at = static_cast<const std::uint8_t*>(address);
  const auto found = std::ranges::find_if(buffers_, [&](const buffer& one) {
    return std::less_equal<>()(one.bytes.get(), at) && std::less<>()(at, one.bytes.get() + one.size);
  });
  if (found == buffers_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - buffers_.begin());
}

io_result uring_source::send(int socket, codecs::bytes_view bytes) {
  const auto index = *buffer_of(bytes.data());
  std::optional<no_waiting> mode;
  if (!knows_no_wait_) mode.emplace(socket, counters_);
  int moved = write(socket, bytes, index);
  if (moved == -EOPNOTSUPP && knows_no_wait_) {  // before Linux 6.5
    knows_no_wait_ = false;
    mode.emplace(socket, counters_);
    ++counters_.syscalls;
    moved = write(socket, bytes, index);
  }
  return moved >= 0 ? io_result{static_cast<std::size_t>(moved), 0} : io_result{0, -moved};
}

/// Bytes, or a negative errno value.
int uring_source::write(int socket, codecs::bytes_view bytes, std::size_t index) {
  auto* const entry = ::io_uring_get_sqe(&ring_);
  ::io_uring_prep_write_fixed(entry, socket, bytes.data(), static_cast<unsigned>(bytes.size()), 0,
                              static_cast<int>(index));
  if (knows_no_wait_) entry->rw_flags = RWF_NOWAIT;
  int error = ::io_uring_submit_and_wait(&ring_, 1);
  io_uring_cqe* done = nullptr;
  while (::io_uring_peek_cqe(&ring_, &done) != 0) {
    if (error < 0 && error != -EINTR) return error;
    ++counters_.syscalls;
    error = ::io_uring_submit_and_wait(&ring_, 1);
  }
  const int moved = done->res;
  ::io_uring_cqe_seen(&ring_, done);
  return moved;
}

}  // namespace

std::string uring_refusal() {
  io_uring ring;
  const int error = ::io_uring_queue_init(1, &ring, 0);
  if (error != 0) return refused(-error);
  ::io_uring_queue_exit(&ring);
  return {};
}

std::unique_ptr<source> make_uring_source(payload from, const source_options& options) {
  return std::make_unique<uring_source>(std::move(from), options.buffers);
}

}  // namespace wire
