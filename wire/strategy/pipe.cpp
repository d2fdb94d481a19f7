#include "wire/strategy/pipe.hpp"

#include "wire/system_call.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace wire {

// What every user may have (/proc/sys/fs/pipe-max-size); a pipe that is refused it keeps its 64 KiB.
constexpr int pipe_bytes = 1024 * 1024;

bool pipe::open() {
  if (read_end_ >= 0) return true;
  int ends[2];
  cost_.syscalls += 2;
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  read_end_ = ends[0];
  write_end_ = ends[1];
  ::fcntl(write_end_, F_SETPIPE_SZ, pipe_bytes);
  return true;
}

io_result pipe::fill(int from, std::int64_t* offset, std::size_t size) {
  if (!open()) return {0, errno};
  const auto got =
      outcome(retry([&] { return ::splice(from, offset, write_end_, nullptr, size, SPLICE_F_MOVE); }));
  held_ += got.bytes;
  return got;
}

io_result pipe::empty(int to, std::int64_t* offset, std::size_t size, bool more) {
  const unsigned flags = SPLICE_F_MOVE | (more ? SPLICE_F_MORE : 0U);
  const auto put = outcome(retry([&] { return ::splice(read_end_, nullptr, to, offset, size, flags); }));
  held_ -= put.bytes;
  return put;
}

void pipe::close() {
  if (read_end_ < 0) return;
  ::close(read_end_);
  ::close(write_end_);
  read_end_ = write_end_ = -1;
  held_ = 0;
}

}  // namespace wire
