#pragma once
// What the files of the file-server workload hold: bytes that do not compress, other ones in every file, the same for the same
// seed. All files are windows of one pool, which is random bytes in a circle, and begin at places of their own in it: nothing is
// made or copied while a file is stored, and what is read is compared with the pool, byte by byte, at the speed of memcmp(3).
//
//   pool   [ random bytes ......................... ][ once more, for the largest chunk ]
//   file i            ^ place i ---- bytes ---->        a chunk never ends at the pool's end

#include "codecs/chunks.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench::workloads {

class file_contents {
 public:
  /// So many places there are in the pool, and so many different files at most.
  static constexpr std::uint64_t pool_bytes = 16 * 1024 * 1024;

  /// Files of `file_bytes`, taken in chunks of at most `largest_chunk` bytes.
  file_contents(std::int64_t file_bytes, std::size_t largest_chunk, std::uint64_t seed);

  std::int64_t file_bytes() const { return file_bytes_; }

  /// `size` bytes, at most the largest chunk, of a content from `offset` on.
  codecs::bytes_view piece(std::uint64_t content, std::int64_t offset, std::size_t size) const;

  /// Whether `bytes` is what a content has from `offset` on, of any size.
  bool has(std::uint64_t content, std::int64_t offset, codecs::bytes_view bytes) const;

  /// Of the whole content, as 64 digits. Takes a second per gigabyte, more or less.
  std::string sha256(std::uint64_t content) const;

 private:
  std::int64_t file_bytes_;
  std::size_t largest_chunk_;
  std::vector<std::uint8_t> pool_;
};

/// A content to be stored.
class content_source final : public codecs::chunk_source {
 public:
  /// `contents` outlives the source.
  content_source(const file_contents& contents, std::uint64_t content)
      : contents_(contents), content_(content) {}

  std::int64_t size() const override { return contents_.file_bytes(); }
  codecs::bytes_view take(std::size_t size) override;
  void release() override {}
  const std::string& why() const override { return why_; }

 private:
  const file_contents& contents_;
  std::uint64_t content_;
  std::int64_t offset_ = 0;
  std::string why_;
};

/// A content that is read: each byte is compared with what was stored.
class content_check final : public codecs::chunk_sink {
 public:
  /// `compare`: false where the server keeps no contents (a null server); then bytes are only counted.
  content_check(const file_contents& contents, std::uint64_t content, bool compare)
      : contents_(contents), content_(content), compare_(compare) {}

  bool put(codecs::bytes_view bytes) override;
  const std::string& why() const override { return why_; }

  /// Whether all of it came and nothing else; else why() says what is wrong.
  bool whole();

  std::int64_t bytes() const { return offset_; }

  /// A byte was not the one that was stored, or there were too many.
  bool wrong() const { return wrong_; }

 private:
  const file_contents& contents_;
  std::uint64_t content_;
  bool compare_;
  std::int64_t offset_ = 0;
  bool wrong_ = false;
  std::string why_;
};

}  // namespace bench::workloads
