#pragma once
// Where a download's bytes end.

#include "codecs/chunks.hpp"

#include "wire/strategy/pipeline_end.hpp"
#include "wire/strategy/receiver.hpp"

#include <string>

namespace wire {

class sink : public codecs::chunk_sink, public pipeline_end {
 public:
  /// Who receives what lands in its places, if they are no memory; null: the channel.
  virtual wire::receiver* receiver() { return nullptr; }

  const std::string& why() const final { return why_; }

 protected:
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }

  /// What put() answers when it has the bytes.
  bool done(codecs::bytes_view bytes) {
    counters_.payload_bytes += static_cast<std::int64_t>(bytes.size());
    return true;
  }

 private:
  std::string why_;
};

/// Counts them, and no more.
class discard_sink final : public sink {
 public:
  bool put(codecs::bytes_view bytes) override { return done(bytes); }
};

}  // namespace wire
