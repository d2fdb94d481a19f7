#include "wire/strategy/gather.hpp"

#include <algorithm>
#include <functional>

namespace wire {

constexpr std::size_t first_capacity = 4 * 1024;

// Below this size a copy is cheaper than one more entry in the kernel's gather list.
constexpr std::size_t worth_borrowing = 1024;

gather_buffer::gather_buffer(std::size_t limit)
    : limit_(limit),
      capacity_(std::min(first_capacity, limit)),
      block_(std::make_unique_for_overwrite<std::uint8_t[]>(capacity_)) {}

codecs::bytes_span gather_buffer::prepare(std::size_t size) {
  if (size > limit_ || this->size() > limit_ - size) return {};
  if (size > capacity_ - encoded_) grow(size);
  return {block_.get() + encoded_, capacity_ - encoded_};
}

void gather_buffer::grow(std::size_t size) {
  const auto wanted = std::max(capacity_ * 2, encoded_ + size);
  auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
  std::copy_n(block_.get(), encoded_, larger.get());
  const auto* const begin = block_.get();
  for (auto& segment : segments_) {  // those that lie in the block move with it
    const std::less_equal<> before;
    if (before(begin, segment.data()) && before(segment.data() + segment.size(), begin + encoded_)) {
      segment = {larger.get() + (segment.data() - begin), segment.size()};
    }
  }
  block_ = std::move(larger);
  capacity_ = wanted;
}

void gather_buffer::commit(std::size_t size) {
  const auto* const at = block_.get() + encoded_;
  encoded_ += size;
  if (!segments_.empty() && segments_.back().data() + segments_.back().size() == at) {
    segments_.back() = {segments_.back().data(), segments_.back().size() + size};
  } else {
    segments_.emplace_back(at, size);
  }
}

bool gather_buffer::refer(codecs::bytes_view payload) {
  if (payload.size() < worth_borrowing) {
    auto room = prepare(payload.size());
    if (room.empty()) return false;
    std::copy(payload.begin(), payload.end(), room.begin());
    commit(payload.size());
    copied_ += payload.size();
    return true;
  }
  if (payload.size() > limit_ || size() > limit_ - payload.size()) return false;
  segments_.push_back(payload);
  borrowed_ += payload.size();
  return true;
}

void gather_buffer::clear() {
  segments_.clear();
  encoded_ = 0;
  borrowed_ = 0;
}

}  // namespace wire
