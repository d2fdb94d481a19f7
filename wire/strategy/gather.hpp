#pragma once
// Sending by gathering: headers are encoded into one reused block, payload is borrowed from its owner, and
// the whole list goes to the kernel in one call.
//
//   block     [header 0][header 1 ............]        encoded bytes, contiguous
//   segments  header 0, payload, header 1, payload     in the order of the message

#include "codecs/buffers.hpp"

#include <memory>
#include <vector>

namespace wire {

class gather_buffer final : public codecs::send_buffer {
 public:
  /// `limit`: the most bytes that one batch of messages may hold.
  explicit gather_buffer(std::size_t limit = std::size_t{1} << 30);

  codecs::bytes_span prepare(std::size_t size) override;
  void commit(std::size_t size) override;
  bool refer(codecs::bytes_view payload) override;
  std::uint8_t* encoded(std::size_t index) override { return block_.get() + index; }
  std::size_t encoded_size() const override { return encoded_; }
  std::span<const codecs::bytes_view> segments() override { return segments_; }
  std::size_t size() const override { return encoded_ + borrowed_; }
  void clear() override;
  std::uint64_t copied_bytes() const override { return copied_; }

 private:
  void grow(std::size_t size);

  std::size_t limit_;
  std::size_t capacity_;
  std::unique_ptr<std::uint8_t[]> block_;
  std::size_t encoded_ = 0;
  std::size_t borrowed_ = 0;
  std::uint64_t copied_ = 0;
  std::vector<codecs::bytes_view> segments_;
};

}  // namespace wire
