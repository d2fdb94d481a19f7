#pragma once
// What the cells of a sweep move: incompressible bytes, resident in memory and, where a strategy wants them there, in files; and room
// for what is read. Transfers take the next piece in turn, whichever cell they are of: nobody finds its piece in a cache because
// another has just had it, or because it is always the same. A piece begins on a page, in memory as in a mapped file: what the kernel
// takes to copy it depends on that.

#include "codecs/bytes.hpp"

#include "bench/workloads/page_memory.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::workloads {

struct payload_shape {
  std::int64_t file_bytes = 0;  ///< of one transfer
  /// At most so much memory is walked through, in whole files. Where one file is longer than that, it repeats the memory, from page
  /// to page: it is one reused buffer of so many bytes, whatever is done with its addresses.
  std::int64_t walked_bytes = 0;
  std::int64_t page_offset = 0;  ///< where in a page each file begins in memory
  bool in_files = false;
  bool room = false;
};

class transfer_payload {
 public:
  /// Writes the files, where they are wanted, into `folder`, whose owner removes them; received() is there, too.
  static absl::StatusOr<std::unique_ptr<transfer_payload>> make(const payload_shape& shape,
                                                                const std::string& folder);

  std::int64_t file_bytes() const { return shape_.file_bytes; }

  /// The next piece: all are of file_bytes().
  codecs::bytes_view memory();
  const std::string& file();
  codecs::bytes_span room();

  /// The file that downloads are written to whose strategy wants one, always the same.
  const std::string& received() const { return received_; }

  /// Where an address is in its piece of memory(); empty when it is in none.
  std::optional<std::size_t> offset_of(const void* address) const;

 private:
  transfer_payload(const payload_shape& shape, page_memory memory, page_memory room)
      : shape_(shape), memory_(std::move(memory)), room_(std::move(room)) {}
  absl::Status write_files(const std::string& folder);

  std::size_t pieces() const { return memory_.bytes().size() / stride(); }
  std::size_t piece_bytes() const { return static_cast<std::size_t>(shape_.file_bytes); }
  codecs::bytes_span piece(const page_memory& of, std::size_t turn) const {
    return of.bytes().subspan(turn * stride() + page_offset(), piece_bytes());
  }
  std::size_t page_offset() const { return static_cast<std::size_t>(shape_.page_offset); }
  std::size_t stride() const { return whole_pages(page_offset() + piece_bytes()); }
  std::size_t take_turn();

  payload_shape shape_;
  page_memory memory_;
  page_memory room_;
  std::vector<std::string> files_;
  std::string received_;
  std::size_t next_ = 0;
};

}  // namespace bench::workloads
