#include "wire/strategy/splice_sink.hpp"

#include "wire/strategy/no_waiting.hpp"

#include <cerrno>

namespace wire {

constexpr std::size_t most_ahead = std::size_t{1} << 30;  // addresses cost nothing

codecs::bytes_span splice_sink::place(std::size_t size) {
  if (size > most_ahead || !why().empty()) return {};
  if (addresses_.size() == 0 && !addresses_.reserve(most_ahead, counters_)) return {};
  return addresses_.at(0, size);
}

io_result splice_sink::receive(int socket, codecs::bytes_span place, bool waiting) {
  io_result got;
  if (waiting) {
    got = pipe_.fill(socket, nullptr, place.size());
  } else {
    const no_waiting mode(socket, counters_);
    got = pipe_.fill(socket, nullptr, place.size());
  }
  if (got.bytes != 0) write_on();
  return got;
}

/// Payload comes in the file's order, so that the file's own position is where it belongs.
void splice_sink::write_on() {
  while (pipe_.held() != 0 && refused_ == 0) {
    ++counters_.syscalls;
    refused_ = pipe_.empty(fd(), nullptr, pipe_.held(), false).error;
  }
  if (refused_ != 0) pipe_.close();  // what was not kept, and what comes after it, is thrown away
}

bool splice_sink::put(codecs::bytes_view bytes) {
  if (refused_ != 0) {
    errno = refused_;
    return fail_system();
  }
  return holds(bytes.data()) ? done(bytes) : file_sink::put(bytes);
}

}  // namespace wire
