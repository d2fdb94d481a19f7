// Chunks as they lie in the caller's memory: nothing is copied, nothing is held.

#include "wire/strategy/sources.hpp"

namespace wire {
namespace {

class gather_source final : public source {
 public:
  using source::source;

  void release() override {}

 private:
  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) override {
    return payload_.memory().subspan(static_cast<std::size_t>(offset), size);
  }
};

}  // namespace

std::unique_ptr<source> make_gather_source(payload from, const source_options&) {
  return std::make_unique<gather_source>(std::move(from));
}

}  // namespace wire
