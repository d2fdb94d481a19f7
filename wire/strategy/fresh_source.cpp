// A new buffer for each chunk, as a program that allocates per message does. What that costs depends on the allocator's
// thresholds: past the one for mmap(2) each chunk is new pages and their faults (case S16).

#include "wire/strategy/sources.hpp"

#include <deque>

namespace wire {
namespace {

class fresh_source final : public source {
 public:
  using source::source;

  void release() override { in_flight_.pop_front(); }

 private:
  void rewound() override { in_flight_.clear(); }

  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) override {
    auto buffer = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    const codecs::bytes_span room(buffer.get(), size);
    if (!payload_.read(offset, room, counters_)) return fail_of_payload();
    in_flight_.push_back(std::move(buffer));
    return room;
  }

  std::deque<std::unique_ptr<std::uint8_t[]>> in_flight_;
};

}  // namespace

std::unique_ptr<source> make_fresh_source(payload from, const source_options&) {
  return std::make_unique<fresh_source>(std::move(from));
}

}  // namespace wire
