#pragma once
// Memory that begins on a page, and of which every page is there: what it costs to send it depends on neither.

#include "codecs/bytes.hpp"

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"

namespace bench::workloads {

std::size_t whole_pages(std::size_t bytes);

class page_memory {
 public:
  page_memory() = default;

  /// `bytes` addresses, whole pages of them, over `distinct` bytes of memory, whole pages again, one after the other and then from
  /// the first one on. At least all bytes: no page stands twice.
  static absl::StatusOr<page_memory> make(std::size_t bytes, std::size_t distinct);

  page_memory(page_memory&& other) noexcept : all_(std::exchange(other.all_, {})) {}
  page_memory& operator=(page_memory&& other) noexcept {
    std::swap(all_, other.all_);
    return *this;
  }
  ~page_memory();

  codecs::bytes_span bytes() const { return all_; }

 private:
  explicit page_memory(codecs::bytes_span all) : all_(all) {}

  codecs::bytes_span all_;
};

}  // namespace bench::workloads
