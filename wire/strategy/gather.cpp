#include "wire/strategy/gather.hpp"

#include <algorithm>
#include <functional>

namespace wire {

constexpr std::size_t first_capacity = 4 * 1024;

// What is not inline here is not the usual case, which shall not save registers for it.

gather_buffer::gather_buffer(std::size_t limit)
    : limit_(limit),
      block_(std::make_unique_for_overwrite<std::uint8_t[]>(std::min(first_capacity, limit))),
      end_(block_.get() + std::min(first_capacity, limit)),
      begin_(block_.get()) {}

codecs::bytes_span gather_buffer::prepare(std::size_t size) {
  if (size > limit_ || this->size() > limit_ - size) return {};
  if (size > static_cast<std::size_t>(end_ - begin_) - encoded_) return make_room(size);
  return {begin_ + encoded_, end_};
}

/// Segments that lie in the block move with it.
bool gather_buffer::is_encoded(codecs::bytes_view segment) const {
  const std::less_equal<> before;
  return before(begin_, segment.data()) && before(segment.data() + segment.size(), begin_ + encoded_);
}

/// Moves what is encoded to the front of its block, if as much has been sent, so that no byte is moved more than once on
/// average; else into a larger block.
[[gnu::noinline]] codecs::bytes_span gather_buffer::make_room(std::size_t size) {
  const auto sent = static_cast<std::size_t>(begin_ - block_.get());
  auto capacity = static_cast<std::size_t>(end_ - block_.get());
  std::unique_ptr<std::uint8_t[]> larger;
  if (sent < encoded_ || size > capacity - encoded_) {
    capacity = std::max(capacity * 2, encoded_ + size);
    larger = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
  }
  auto* const to = larger ? larger.get() : block_.get();
  std::copy_n(begin_, encoded_, to);
  for (auto& segment : unsent()) {
    if (is_encoded(segment)) segment = {to + (segment.data() - begin_), segment.size()};
  }
  begin_ = to;
  end_ = to + capacity;
  if (larger) block_ = std::move(larger);
  return {begin_ + encoded_, end_};
}

void gather_buffer::commit(std::size_t size) {
  const auto* const at = begin_ + encoded_;
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

std::size_t gather_buffer::consume(std::size_t size) {
  const auto left = this->size() - size;
  if (left != 0) return consume_part(size, left);
  clear();
  return 0;
}

[[gnu::noinline]] std::size_t gather_buffer::consume_part(std::size_t size, std::size_t left) {
  while (size >= segments_[sent_segments_].size()) {
    size -= segments_[sent_segments_].size();
    drop(segments_[sent_segments_++]);
  }
  auto& partly_sent = segments_[sent_segments_];
  drop(partly_sent.first(size));
  partly_sent = partly_sent.subspan(size);
  if (sent_segments_ > segments_.size() / 2) {
    segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(sent_segments_));
    sent_segments_ = 0;
  }
  return left;
}

void gather_buffer::drop(codecs::bytes_view sent) {
  if (is_encoded(sent)) {
    begin_ += sent.size();
    encoded_ -= sent.size();
  } else {
    borrowed_ -= sent.size();
  }
}

void gather_buffer::clear() {
  segments_.clear();
  sent_segments_ = 0;
  begin_ = block_.get();
  encoded_ = 0;
  borrowed_ = 0;
}

}  // namespace wire
