#include "bench/workloads/page_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bench::workloads {
namespace {

absl::Status failed(std::size_t bytes, std::size_t distinct) {
  const auto problem = std::string(std::strerror(errno));
  if (distinct >= bytes)
    return absl::InvalidArgumentError(
        fmt::format("no {} bytes of memory can be had: {}; walk through less", bytes, problem));
  return absl::UnavailableError(
      fmt::format("{} bytes of memory cannot stand for {}: {}", distinct, bytes, problem));
}

codecs::bytes_span mapped(std::size_t bytes, int protection, int flags) {
  void* const at = ::mmap(nullptr, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return {};
  return {static_cast<std::uint8_t*>(at), bytes};
}

/// New memory of so many bytes behind these addresses, as often as it takes. False: see errno.
bool repeat(std::size_t distinct, codecs::bytes_span behind) {
  const int pages = ::memfd_create("wirebench-payload", MFD_CLOEXEC);
  bool good = pages >= 0 && ::ftruncate(pages, static_cast<off_t>(distinct)) == 0;
  while (good && !behind.empty()) {
    const auto size = std::min(distinct, behind.size());
    good = ::mmap(behind.data(), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, pages,
                  0) != MAP_FAILED;
    behind = behind.subspan(size);
  }
  const int problem = errno;
  if (pages >= 0) ::close(pages);
  errno = problem;
  return good;
}

}  // namespace

std::size_t whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

absl::StatusOr<page_memory> page_memory::make(std::size_t bytes, std::size_t distinct) {
  bytes = whole_pages(bytes);
  distinct = whole_pages(distinct);
  if (distinct >= bytes) {
    page_memory made(mapped(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE));
    if (made.all_.empty()) return failed(bytes, distinct);
    return made;
  }
  page_memory made(mapped(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE));
  if (made.all_.empty() || !repeat(distinct, made.all_)) return failed(bytes, distinct);
  return made;
}

page_memory::~page_memory() {
  if (!all_.empty()) ::munmap(all_.data(), all_.size());
}

}  // namespace bench::workloads
