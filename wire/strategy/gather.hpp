#pragma once
// Sending by gathering: headers are encoded into one reused block, payload is borrowed from its owner, and
// the whole list goes to the kernel in one call.
//
//   block     [ sent .... ][header 0][header 1][ room ]     encoded bytes, contiguous
//                          ^ begin_
//   segments  header 0, payload, header 1, payload          in the order of the message

#include "codecs/buffers.hpp"

#include <memory>
#include <vector>

namespace wire {

class gather_buffer final : public codecs::send_buffer {
 public:
  /// Below this size payload is copied: that is cheaper than one more entry in the kernel's gather list.
  static constexpr std::size_t worth_borrowing = 1024;

  /// `limit`: the most bytes that one batch of messages may hold.
  explicit gather_buffer(std::size_t limit = std::size_t{1} << 30);

  codecs::bytes_span prepare(std::size_t size) override;
  void commit(std::size_t size) override;
  bool refer(codecs::bytes_view payload) override;
  std::uint8_t* encoded(std::size_t index) override { return begin_ + index; }
  std::size_t encoded_size() const override { return encoded_; }
  std::span<const codecs::bytes_view> segments() override { return unsent(); }
  std::size_t size() const override { return encoded_ + borrowed_; }
  std::size_t consume(std::size_t size) override;
  void clear() override;
  std::uint64_t copied_bytes() const override { return copied_; }

 private:
  std::span<codecs::bytes_view> unsent() {
    return {segments_.data() + sent_segments_, segments_.size() - sent_segments_};
  }
  bool is_encoded(codecs::bytes_view segment) const;
  codecs::bytes_span make_room(std::size_t size);
  std::size_t consume_part(std::size_t size, std::size_t left);
  void drop(codecs::bytes_view sent);

  std::size_t limit_;
  std::unique_ptr<std::uint8_t[]> block_;
  std::uint8_t* end_;    // of the block
  std::uint8_t* begin_;  // of the encoded bytes that are not sent
  std::size_t encoded_ = 0;
  std::size_t borrowed_ = 0;
  std::uint64_t copied_ = 0;
  std::vector<codecs::bytes_view> segments_;
  std::size_t sent_segments_ = 0;  // at the front of segments_
};

}  // namespace wire
