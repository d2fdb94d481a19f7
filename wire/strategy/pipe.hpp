#pragma once
// The pipe that splice(2) wants between a file and a socket: pages pass through it, and no byte of them is copied.

#include "wire/strategy/pipeline_end.hpp"
#include "wire/transport.hpp"

namespace wire {

class pipe {
 public:
  explicit pipe(end_counters& cost) : cost_(cost) {}
  pipe(const pipe&) = delete;
  pipe& operator=(const pipe&) = delete;
  ~pipe() { close(); }

  /// Takes at most `size` bytes from a file (from `offset` on) or a socket (null) into the empty pipe, as many as fit. 0: the end.
  /// One splice(2) that is not counted here, and what the first call takes to open it.
  io_result fill(int from, std::int64_t* offset, std::size_t size);

  /// Moves at most `size` bytes on. One splice(2) that is not counted here. `more`: others will follow at once.
  io_result empty(int to, std::int64_t* offset, std::size_t size, bool more);

  /// Bytes in it.
  std::size_t held() const { return held_; }

  /// Throws away what is in it.
  void close();

 private:
  bool open();

  end_counters& cost_;
  int read_end_ = -1;
  int write_end_ = -1;
  std::size_t held_ = 0;
};

}  // namespace wire
