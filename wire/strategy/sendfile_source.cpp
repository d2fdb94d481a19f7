// Chunks that are sent from the page cache by sendfile(2) and never seen by this program. What take() answers are addresses
// inside a reservation of as many bytes as the file has: no memory is behind them, and a framing that looks at its payload (a
// checksum) ends by SIGSEGV. A file that ends too early is an error of the write that finds nothing there.

#include "wire/strategy/borrowing_source.hpp"
#include "wire/strategy/sources.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace wire {
namespace {

class sendfile_source final : public borrowing_source {
 public:
  using borrowing_source::borrowing_source;
  sendfile_source(const sendfile_source&) = delete;
  sendfile_source& operator=(const sendfile_source&) = delete;
  ~sendfile_source() override {
    if (begin_ != nullptr) ::munmap(begin_, static_cast<std::size_t>(size()));
  }

  file_addresses addresses() override {
    if (begin_ == nullptr && size() != 0) reserve();
    return {begin_, begin_ != nullptr ? static_cast<std::size_t>(size()) : 0, payload_.file()};
  }

 private:
  codecs::bytes_view borrow(std::int64_t offset, std::size_t size) override {
    if (addresses().size == 0) return fail(fmt::format("no room for addresses: {}", std::strerror(errno)));
    return {begin_ + offset, size};
  }

  void reserve() {
    ++counters_.syscalls;
    constexpr int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    auto* const at = ::mmap(nullptr, static_cast<std::size_t>(size()), PROT_NONE, nothing, -1, 0);
    if (at != MAP_FAILED) begin_ = static_cast<std::uint8_t*>(at);
  }

  std::uint8_t* begin_ = nullptr;
};

}  // namespace

std::unique_ptr<source> make_sendfile_source(payload from, const source_options&) {
  return std::make_unique<sendfile_source>(std::move(from));
}

}  // namespace wire
