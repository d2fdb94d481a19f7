#include "wire/strategy/payload.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace wire {

payload::payload(payload&& other) noexcept
    : memory_(other.memory_),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_),
      written_(other.written_),
      path_(std::move(other.path_)) {}

payload::~payload() {
  if (fd_ >= 0) ::close(fd_);
}

bool payload::fail(std::string why) {
  why_ = std::move(why);
  return false;
}

bool payload::open(const owner& from) {
  if (const auto* memory = std::get_if<codecs::bytes_view>(&from)) {
    memory_ = *memory;
    size_ = static_cast<std::int64_t>(memory_.size());
    return true;
  }
  path_ = std::get<file_path>(from).path;
  fd_ =
      ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without a writer would wait for one
  struct stat status;
  if (fd_ < 0 || ::fstat(fd_, &status) != 0) return fail(fmt::format("{}: {}", path_, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) return fail(fmt::format("{} is not a file, and has no size", path_));
  size_ = status.st_size;
  written_ = status.st_mtim;
  return true;
}

bool payload::read(std::int64_t offset, codecs::bytes_span to, end_counters& cost) {
  if (in_memory()) {
    std::copy_n(memory_.data() + offset, to.size(), to.data());
    cost.copied_bytes += to.size();
    return true;
  }
  while (!to.empty()) {
    const auto got = ::pread(fd_, to.data(), to.size(), offset);
    ++cost.syscalls;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(fmt::format("{}: {}", path_, std::strerror(errno)));
    if (got == 0) return intact(cost) && fail(fmt::format("{} ends before byte {}", path_, offset));
    offset += got;
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool payload::intact(end_counters& cost) {
  if (in_memory()) return true;
  struct stat now;
  ++cost.syscalls;
  if (::fstat(fd_, &now) != 0) return fail(fmt::format("{}: {}", path_, std::strerror(errno)));
  if (now.st_size < size_) {
    return fail(
        fmt::format("{} has shrunk from {} to {} bytes while it was sent", path_, size_, now.st_size));
  }
  const bool written = now.st_mtim.tv_sec != written_.tv_sec || now.st_mtim.tv_nsec != written_.tv_nsec;
  if (written) return fail(fmt::format("{} was written to while it was sent", path_));
  return true;
}

}  // namespace wire
