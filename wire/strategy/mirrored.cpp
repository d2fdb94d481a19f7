#include "wire/strategy/mirrored.hpp"

#include <sys/mman.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace wire {

constexpr std::size_t first_capacity = 64 * 1024;

mirrored_buffer::ring::ring(ring&& other) noexcept
    : begin(std::exchange(other.begin, nullptr)), size(std::exchange(other.size, 0)) {}

mirrored_buffer::ring& mirrored_buffer::ring::operator=(ring&& other) noexcept {
  std::swap(begin, other.begin);
  std::swap(size, other.size);
  return *this;
}

mirrored_buffer::ring::~ring() {
  if (begin != nullptr) ::munmap(begin, 2 * size);
}

/// Reserves the addresses of both mappings first, so that the second one finds its place free.
bool mirrored_buffer::ring::map(std::size_t bytes) {
  const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto rounded = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  auto* const reserved = ::mmap(nullptr, 2 * rounded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return false;
  begin = static_cast<std::uint8_t*>(reserved);
  size = rounded;
  const int memory = ::memfd_create("wirebench-mirrored", MFD_CLOEXEC);
  bool good = memory >= 0 && ::ftruncate(memory, static_cast<off_t>(size)) == 0;
  for (auto* const at : {begin, begin + size}) {
    good = good && ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) != MAP_FAILED;
  }
  if (memory >= 0) ::close(memory);  // the mappings keep it
  return good;
}

std::unique_ptr<mirrored_buffer> mirrored_buffer::make(std::size_t limit) {
  std::unique_ptr<mirrored_buffer> made(new mirrored_buffer(limit));
  if (!made->ring_.map(std::min(first_capacity, limit))) return nullptr;
  return made;
}

codecs::bytes_span mirrored_buffer::prepare(std::size_t size) {
  if (size > limit_ || unread_ > limit_ - size) return {};
  if (unread_ + size > ring_.size && !grow(unread_ + size)) return {};
  if (unread_ == 0) {
    begin_ = 0;  // memory that is in the cache already
  } else if (begin_ >= ring_.size) {
    begin_ -= ring_.size;
  }
  return {ring_.begin + begin_ + unread_, std::min(ring_.size, limit_) - unread_};
}

bool mirrored_buffer::grow(std::size_t size) {
  ring larger;
  if (!larger.map(std::min(std::max(2 * ring_.size, size), limit_))) return false;
  std::ranges::copy(data(), larger.begin);
  copied_ += unread_;
  ring_ = std::move(larger);
  begin_ = 0;
  return true;
}

}  // namespace wire
