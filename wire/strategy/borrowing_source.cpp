#include "wire/strategy/borrowing_source.hpp"

#include "wire/strategy/gather.hpp"

#include <cassert>

namespace wire {

codecs::bytes_view borrowing_source::chunk(std::int64_t offset, std::size_t size) {
  ++taken_;
  return size < gather_buffer::worth_borrowing ? read(offset, size) : borrow(offset, size);
}

codecs::bytes_view borrowing_source::read(std::int64_t offset, std::size_t size) {
  auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  const codecs::bytes_span room(bytes.get(), size);
  if (!payload_.read(offset, room, counters_)) return fail_of_payload();
  small_.push_back({taken_, std::move(bytes)});
  return room;
}

void borrowing_source::release() {
  assert(released_ != taken_);
  ++released_;
  if (!small_.empty() && small_.front().number == released_) small_.pop_front();
  released(released_);
}

void borrowing_source::rewound() {
  small_.clear();
  taken_ = released_ = 0;
}

}  // namespace wire
