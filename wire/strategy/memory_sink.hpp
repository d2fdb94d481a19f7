#pragma once
// A download into memory that the caller has for it.

#include "wire/strategy/sink.hpp"

namespace wire {

class memory_sink final : public sink {
 public:
  /// `into` outlives the sink; bytes past its end are refused.
  explicit memory_sink(codecs::bytes_span into) : into_(into) {}

  codecs::bytes_span place(std::size_t size) override;
  bool put(codecs::bytes_view bytes) override;

  /// What has arrived.
  codecs::bytes_view bytes() const { return into_.first(static_cast<std::size_t>(counters_.payload_bytes)); }

 private:
  codecs::bytes_span room() const { return into_.subspan(static_cast<std::size_t>(counters_.payload_bytes)); }

  codecs::bytes_span into_;
};

}  // namespace wire
