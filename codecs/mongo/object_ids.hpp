#pragma once
// ObjectIds for the documents that a client makes (BSON specification): four bytes of time, five of chance, a counter of three.

#include "codecs/bytes.hpp"

#include <array>

namespace codecs::mongo {

using object_id = std::array<std::uint8_t, 12>;

/// The ids from `first` on. All eight bytes behind the time are counted up as one number, so that no id comes twice, however many
/// chunks a file has (2^24 would be few); what keeps two clients apart is the chance in `first`.
class object_ids {
 public:
  explicit object_ids(const object_id& first) : next_(first), count_(load_be<std::uint64_t>(&first[4])) {}

  object_id next() {
    store_be(&next_[4], count_++);
    return next_;
  }

 private:
  object_id next_;
  std::uint64_t count_;
};

}  // namespace codecs::mongo
