// Chunks as they lie in the page cache, seen through a mapping of the file: nothing is copied in user space. What the peer has
// is unmapped step by step, so that the pages and page tables held are those of the chunks in flight and of one step,
// however long the file is.
//
//   file   | unmapped | released | in flight | not yet taken |
//                     ^ up to here at the next step
//
// A file that shrinks under its mapping raises SIGBUS in whoever touches what is gone. Here the kernel does, inside of
// sendmsg(2), and it answers EFAULT. Before that, each step looks whether the file is as it was; and behind the new end, up to
// the end of the last page, the mapping reads as zeros, which is what intact() is for. Framings that read payload in user
// space (a checksum), and a transport in memory, have no such protection.

#include "wire/strategy/borrowing_source.hpp"
#include "wire/strategy/sources.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>

namespace wire {
namespace {

class mmap_source final : public borrowing_source {
 public:
  mmap_source(payload from, std::int64_t step_bytes)
      : borrowing_source(std::move(from)), step_bytes_(step_bytes) {}
  mmap_source(const mmap_source&) = delete;
  mmap_source& operator=(const mmap_source&) = delete;
  ~mmap_source() override { unmap_rest(); }

 private:
  /// When so many chunks are released, nothing before `end`, a whole number of pages, is needed.
  struct step {
    std::uint64_t chunks;
    std::int64_t end;
  };

  void released(std::uint64_t chunks) override {
    if (steps_.empty() || steps_.front().chunks != chunks) return;
    unmap(steps_.front().end);
    steps_.pop_front();
  }

  void rewound() override {
    borrowing_source::rewound();
    steps_.clear();
    begun_ = 0;
    if (unmapped_ != 0) unmap_rest();
  }

  codecs::bytes_view borrow(std::int64_t offset, std::size_t size) override {
    if (begin_ == nullptr && !map())
      return fail(fmt::format("the file cannot be mapped: {}", std::strerror(errno)));
    const auto end = offset + static_cast<std::int64_t>(size);
    const bool next_step = end - begun_ >= step_bytes_;
    if (next_step && !payload_.intact(counters_)) return fail_of_payload();
    if (next_step) {
      begun_ = end - end % page_bytes_;
      steps_.push_back({taken(), begun_});
    }
    return {begin_ + offset, size};
  }

  bool map() {
    ++counters_.syscalls;
    auto* const at =
        ::mmap(nullptr, static_cast<std::size_t>(size()), PROT_READ, MAP_SHARED, payload_.file(), 0);
    if (at == MAP_FAILED) return false;
    begin_ = static_cast<std::uint8_t*>(at);
    return true;
  }

  void unmap(std::int64_t end) {
    ++counters_.syscalls;
    ::munmap(begin_ + unmapped_, static_cast<std::size_t>(end - unmapped_));
    unmapped_ = end;
  }

  void unmap_rest() {
    if (begin_ != nullptr && unmapped_ < size()) unmap(size());
    begin_ = nullptr;
    unmapped_ = 0;
  }

  /// Unmapping costs a system call, and interrupts each cpu that another thread of the program runs on.
  const std::int64_t step_bytes_;
  const std::int64_t page_bytes_ = ::sysconf(_SC_PAGESIZE);
  std::uint8_t* begin_ = nullptr;  // where the file's first byte is, or was
  std::int64_t unmapped_ = 0;      // so much from the front; whole pages
  std::int64_t begun_ = 0;         // where the last step ended
  std::deque<step> steps_;
};

}  // namespace

std::unique_ptr<source> make_mmap_source(payload from, const source_options& options) {
  return std::make_unique<mmap_source>(std::move(from), options.mapped_bytes);
}

}  // namespace wire
