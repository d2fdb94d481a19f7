#pragma once
// Receiving into one reused block: the simplest strategy, and the right one for frames that fit a few cache
// lines. The block grows as bytes arrive, never by what a header claims, and is never given back.

#include "codecs/buffers.hpp"

#include <memory>

namespace wire {

class staged_buffer final : public codecs::receive_buffer {
 public:
  /// `limit`: the most unread and prepared bytes together; 48,000,000 plus room for the next frame's
  /// beginning.
  explicit staged_buffer(std::size_t limit = 49'000'000);

  codecs::bytes_span prepare(std::size_t size) override;
  void commit(std::size_t size) override { end_ += size; }
  codecs::bytes_view data() const override { return {block_.get() + begin_, end_ - begin_}; }
  void consume(std::size_t size) override { begin_ += size; }
  std::uint64_t copied_bytes() const override { return copied_; }

 private:
  std::size_t limit_;
  std::size_t capacity_;
  std::unique_ptr<std::uint8_t[]> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t copied_ = 0;
};

}  // namespace wire
