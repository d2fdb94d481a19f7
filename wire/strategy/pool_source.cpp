// A fixed number of buffers, each filled anew when the peer has the chunk that was in it. `reuse` is a pool of one.

#include "wire/strategy/sources.hpp"

#include <fmt/format.h>

#include <cassert>
#include <vector>

namespace wire {
namespace {

class pool_source final : public source {
 public:
  pool_source(payload from, std::size_t buffers) : source(std::move(from)), buffers_(buffers) {}

  std::size_t most_in_flight() const override { return buffers_.size(); }

  void release() override {
    assert(in_flight_ != 0);
    --in_flight_;
  }

 private:
  struct buffer {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0;
  };

  void rewound() override { next_ = in_flight_ = 0; }

  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) override {
    if (in_flight_ == buffers_.size()) {
      return fail(fmt::format("all buffers ({}) are in flight: the window holds no more chunks", in_flight_));
    }
    auto& next = buffers_[next_];
    if (next.size < size) next = {std::make_unique_for_overwrite<std::uint8_t[]>(size), size};
    const codecs::bytes_span room(next.bytes.get(), size);
    if (!payload_.read(offset, room, counters_)) return fail_of_payload();
    next_ = (next_ + 1) % buffers_.size();
    ++in_flight_;
    return room;
  }

  std::vector<buffer> buffers_;
  std::size_t next_ =
      0;  // chunks come and go in order, so that the oldest free buffer is always the next one
  std::size_t in_flight_ = 0;
};

}  // namespace

std::unique_ptr<source> make_pool_source(payload from, const source_options& options) {
  return std::make_unique<pool_source>(std::move(from), options.buffers);
}

std::unique_ptr<source> make_reuse_source(payload from, const source_options&) {
  return std::make_unique<pool_source>(std::move(from), 1);
}

}  // namespace wire
