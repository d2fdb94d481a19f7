#include "codecs/pg/large_object.hpp"

#include <fmt/format.h>

namespace codecs::pg::large_object {

std::optional<failure> refuse_chunk_size(std::int64_t chunk_bytes) {
  if (chunk_bytes >= 1 && chunk_bytes <= max_chunk_bytes) return {};
  return failure{{errc::local_bad_value, "chunk size"},
                 fmt::format("{} bytes; it may be from 1 to {}", chunk_bytes, max_chunk_bytes)};
}

failure outside_transaction() {
  return {{errc::local_wrong_state, "transaction"},
          "a large-object descriptor lives no longer than its transaction, and none is open"};
}

}  // namespace codecs::pg::large_object
