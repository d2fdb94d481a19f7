#include "wire/strategy/file_sink.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace wire {

file_sink::~file_sink() {
  if (fd_ >= 0) ::close(fd_);
}

/// "/data/film.mkv: No space left on device, after 1048576 bytes"
bool file_sink::fail_system() {
  return fail(fmt::format("{}: {}, after {} bytes", path_, std::strerror(errno), counters_.payload_bytes));
}

bool file_sink::open(const std::string& path) {
  path_ = path;
  ++counters_.syscalls;
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd_ >= 0 || fail(fmt::format("{}: {}", path_, std::strerror(errno)));
}

bool file_sink::put(codecs::bytes_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd_, bytes.data(), bytes.size());
    ++counters_.syscalls;
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_system();
    const auto part = static_cast<std::size_t>(written);
    done(bytes.first(part));
    bytes = bytes.subspan(part);
  }
  return true;
}

bool file_sink::close(durability until) {
  if (until == durability::disk) {
    ++counters_.syscalls;
    if (::fsync(fd_) != 0) return fail_system();
  }
  ++counters_.syscalls;
  return ::close(std::exchange(fd_, -1)) == 0 || fail_system();
}

}  // namespace wire
