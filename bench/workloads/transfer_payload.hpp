#pragma once
// What the cells of a sweep move: incompressible bytes, resident in memory and, where a strategy wants them there, in files; and room
// for what is read. Transfers take the next piece in turn, whichever cell they are of: nobody finds its piece in a cache because
// another has just had it, or because it is always the same.

#include "codecs/bytes.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::workloads {

struct payload_shape {
  std::int64_t file_bytes = 0;  ///< of one transfer
  std::int64_t walked_bytes =
      0;  ///< at most so much memory is walked through, in whole files, but one at least
  bool in_files = false;
  bool room = false;
};

class transfer_payload {
 public:
  /// Writes the files, where they are wanted, into `folder`, whose owner removes them.
  static absl::StatusOr<std::unique_ptr<transfer_payload>> make(const payload_shape& shape,
                                                                const std::string& folder);

  std::int64_t file_bytes() const { return shape_.file_bytes; }

  /// The next piece: all are of file_bytes().
  codecs::bytes_view memory();
  const std::string& file();
  codecs::bytes_span room();

 private:
  explicit transfer_payload(const payload_shape& shape);
  absl::Status write_files(const std::string& folder);

  std::size_t pieces() const { return memory_.size() / piece_bytes(); }
  std::size_t piece_bytes() const { return static_cast<std::size_t>(shape_.file_bytes); }
  std::size_t take_turn();

  payload_shape shape_;
  std::vector<std::uint8_t> memory_;
  std::vector<std::uint8_t> room_;
  std::vector<std::string> files_;
  std::size_t next_ = 0;
};

}  // namespace bench::workloads
