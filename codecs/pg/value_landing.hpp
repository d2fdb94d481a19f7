#pragma once
// The one value of a reply, received where it will be kept: of a FunctionCallResponse, or of a DataRow of one column.
//
//   V | length | size | value          D | length | 1 | size | value

#include "codecs/exchange.hpp"
#include "codecs/pg/frame.hpp"

namespace codecs::pg {

class value_landing {
 public:
  /// Below this a copy is cheaper than the read that brings the head alone.
  static constexpr std::size_t worth_landing = 4096;

  /// `type`: of the messages that have the value.
  explicit value_landing(std::uint8_t type)
      : type_(type), head_bytes_(type == reply::data_row ? row_head_bytes : call_head_bytes) {}

  /// Of such a message, up to the value.
  std::size_t head_size() const { return head_bytes_; }

  /// Where the bytes behind `unread` go. `place_of` is asked once for each value that could land, and answers with room for so many
  /// bytes, or with none: then, and when some of a value came along with its head, it stays in the frame. `behind`: so many bytes
  /// behind a value are no other value.
  template <typename PlaceOf>
  landing land(bytes_view unread, std::size_t behind, PlaceOf place_of) {
    if (unread.empty()) return {.place = {}, .keep = head_bytes_};
    if (unread[0] != type_) return {};
    if (unread.size() < head_bytes_) return {.place = {}, .keep = head_bytes_ - unread.size()};
    const auto arrived = unread.size() - head_bytes_;
    const auto size = value_size(unread);
    if (place_.empty() && arrived == 0 && size >= worth_landing) place_ = place_of(size);
    if (!place_.empty()) return {.place = place_.subspan(arrived), .keep = behind};
    return {.place = {}, .keep = first_size(unread) - unread.size() + behind};
  }

  /// The value of the frame that has arrived, or empty when it is there; ends its landing.
  bytes_span take() { return std::exchange(place_, {}); }

 private:
  static constexpr std::size_t call_head_bytes = pg::head_bytes + 4;
  static constexpr std::size_t row_head_bytes = pg::head_bytes + 2 + 4;

  /// 0 for a message of another shape: NULL, more columns, bytes behind the value.
  std::size_t value_size(bytes_view head) const {
    const auto size = load_be<std::uint32_t>(head.data() + head_bytes_ - 4);
    const bool one = type_ != reply::data_row || load_be<std::uint16_t>(head.data() + pg::head_bytes) == 1;
    return one && first_size(head) == head_bytes_ + std::size_t{size} ? size : 0;
  }

  std::uint8_t type_;
  std::size_t head_bytes_;
  bytes_span place_;
};

}  // namespace codecs::pg
