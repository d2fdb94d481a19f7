#include "wire/strategy/staged.hpp"

#include <algorithm>

namespace wire {

constexpr std::size_t first_capacity = 16 * 1024;

staged_buffer::staged_buffer(std::size_t limit)
    : limit_(limit),
      capacity_(std::min(first_capacity, limit)),
      block_(std::make_unique_for_overwrite<std::uint8_t[]>(capacity_)) {}

codecs::bytes_span staged_buffer::prepare(std::size_t size) {
  const std::size_t unread = end_ - begin_;
  if (unread == 0 && size <= capacity_) {  // the usual case: all is read, the next reply starts at the front
    begin_ = end_ = 0;
    return {block_.get(), capacity_};
  }
  if (size > limit_ || unread > limit_ - size) return {};
  if (size > capacity_ - end_) copied_ += unread;
  if (unread + size > capacity_) {
    const auto wanted = std::min(std::max(capacity_ * 2, unread + size), limit_);
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
    std::copy_n(block_.get() + begin_, unread, larger.get());
    block_ = std::move(larger);
    capacity_ = wanted;
    begin_ = 0;
    end_ = unread;
  } else if (size > capacity_ - end_) {
    std::copy_n(block_.get() + begin_, unread, block_.get());  // towards the front: overlap is fine
    begin_ = 0;
    end_ = unread;
  }
  return {block_.get() + end_, capacity_ - end_};
}

}  // namespace wire
