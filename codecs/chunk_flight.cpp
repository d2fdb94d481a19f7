#include "codecs/chunk_flight.hpp"

#include <algorithm>

namespace codecs {

// A window without an end is as large as this: what a send_buffer holds has a limit.
constexpr std::size_t largest_window = 256 * 1024 * 1024;

void chunk_flight::begin(chunk_source& source, std::size_t chunk_bytes, std::size_t window_bytes) {
  source_ = &source;
  layout_ = {source.size(), static_cast<std::int64_t>(chunk_bytes)};
  const auto chunks = std::min(source.most_in_flight(), std::min(window_bytes, largest_window) / chunk_bytes);
  window_bytes_ = chunks * chunk_bytes;
  next_ = oldest_ = 0;
}

bool chunk_flight::has_room() const {
  if (all_taken()) return false;
  const auto in_flight = static_cast<std::size_t>(bytes_in_flight());
  return in_flight == 0 || in_flight + next_bytes() <= window_bytes_;
}

bytes_view chunk_flight::take() {
  const auto chunk = source_->take(next_bytes());
  next_ += static_cast<std::int64_t>(chunk.size());
  return chunk;
}

void chunk_flight::acknowledge() {
  oldest_ += static_cast<std::int64_t>(oldest_bytes());
  source_->release();
}

}  // namespace codecs
