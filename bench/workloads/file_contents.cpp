#include "bench/workloads/file_contents.hpp"

#include "wire/strategy/digest_sink.hpp"

#include "fixtures/datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace bench::workloads {
namespace {

// Odd, so that pool_bytes contents in a row have places of their own; far apart, and no two of a few thousand begin at the same
// place of a page.
constexpr std::uint64_t step = 40'503;

std::size_t place_of(std::uint64_t content, std::int64_t offset) {
  return static_cast<std::size_t>((content * step + static_cast<std::uint64_t>(offset)) %
                                  file_contents::pool_bytes);
}

}  // namespace

file_contents::file_contents(std::int64_t file_bytes, std::size_t largest_chunk, std::uint64_t seed)
    : file_bytes_(file_bytes), largest_chunk_(largest_chunk), pool_(fixtures::make_blob(seed, pool_bytes)) {
  pool_.resize(pool_bytes + largest_chunk_);
  for (std::size_t done = 0; done < largest_chunk_; done += pool_bytes) {
    const auto size = std::min<std::size_t>(largest_chunk_ - done, pool_bytes);
    std::memcpy(pool_.data() + pool_bytes + done, pool_.data(), size);
  }
}

codecs::bytes_view file_contents::piece(std::uint64_t content, std::int64_t offset, std::size_t size) const {
  assert(size <= largest_chunk_);
  return codecs::bytes_view(pool_).subspan(place_of(content, offset), size);
}

bool file_contents::has(std::uint64_t content, std::int64_t offset, codecs::bytes_view bytes) const {
  if (offset + static_cast<std::int64_t>(bytes.size()) > file_bytes_) return false;
  while (!bytes.empty()) {
    const auto place = place_of(content, offset);
    const auto size = std::min(bytes.size(), pool_.size() - place);
    if (std::memcmp(pool_.data() + place, bytes.data(), size) != 0) return false;
    bytes = bytes.subspan(size);
    offset += static_cast<std::int64_t>(size);
  }
  return true;
}

std::string file_contents::sha256(std::uint64_t content) const {
  wire::digest_sink digest;
  for (std::int64_t offset = 0; offset < file_bytes_;) {
    const auto left = static_cast<std::size_t>(file_bytes_ - offset);
    const auto part = piece(content, offset, std::min(left, largest_chunk_));
    digest.put(part);
    offset += static_cast<std::int64_t>(part.size());
  }
  return digest.sha256();
}

codecs::bytes_view content_source::take(std::size_t size) {
  if (offset_ + static_cast<std::int64_t>(size) > contents_.file_bytes()) {
    why_ = "the file has no more bytes";
    return {};
  }
  const auto part = contents_.piece(content_, offset_, size);
  offset_ += static_cast<std::int64_t>(size);
  return part;
}

bool content_check::put(codecs::bytes_view bytes) {
  const auto end = offset_ + static_cast<std::int64_t>(bytes.size());
  if (end > contents_.file_bytes()) {
    why_ = fmt::format("the file has {} bytes and more where {} were stored", end, contents_.file_bytes());
  } else if (compare_ && !contents_.has(content_, offset_, bytes)) {
    why_ = fmt::format("the bytes from {} to {} are not those that were stored", offset_, end);
  } else {
    offset_ = end;
    return true;
  }
  wrong_ = true;
  return false;
}

bool content_check::whole() {
  if (wrong_ || offset_ == contents_.file_bytes()) return !wrong_;
  why_ = fmt::format("the file has {} bytes where {} were stored", offset_, contents_.file_bytes());
  return false;
}

}  // namespace bench::workloads
