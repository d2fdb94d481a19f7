#include "wire/strategy/gather.hpp"

#include <algorithm>

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
  if (size > capacity_ - encoded_) {
    const auto wanted = std::max(capacity_ * 2, encoded_ + size);
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
    std::copy_n(block_.get(), encoded_, larger.get());
    block_ = std::move(larger);
    capacity_ = wanted;
  }
  return {block_.get() + encoded_, capacity_ - encoded_};
}

void gather_buffer::commit(std::size_t size) {
  if (pieces_.empty() || pieces_.back().borrowed != nullptr) pieces_.push_back({nullptr, encoded_, 0});
  pieces_.back().size += size;
  encoded_ += size;
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
  pieces_.push_back({payload.data(), 0, payload.size()});
  borrowed_ += payload.size();
  return true;
}

std::span<const codecs::bytes_view> gather_buffer::segments() {
  segments_.clear();
  for (const auto& p : pieces_) {
    segments_.emplace_back(p.borrowed != nullptr ? p.borrowed : block_.get() + p.index, p.size);
  }
  return segments_;
}

void gather_buffer::clear() {
  pieces_.clear();
  encoded_ = 0;
  borrowed_ = 0;
}

}  // namespace wire
