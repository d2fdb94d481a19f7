#pragma once
// Receiving into a ring whose memory is mapped twice, one mapping behind the other: whatever wraps around its end goes on in the
// mirror, so that unread bytes are contiguous and none is moved to make room.
//
//   |  ring                 |  mirror               |
//   |nd   |        | unread e|nd   |        | unread e|
//                  ^ data() -------->
//
// It grows as bytes arrive, never by what a header claims, into a ring of twice the size; that alone moves bytes.

#include "codecs/buffers.hpp"

#include <memory>

namespace wire {

class mirrored_buffer final : public codecs::receive_buffer {
 public:
  /// `limit`: the most unread and prepared bytes together, as of a staged_buffer. Null: the kernel has refused the mappings, and
  /// errno says why.
  static std::unique_ptr<mirrored_buffer> make(std::size_t limit = 49'000'000);

  codecs::bytes_span prepare(std::size_t size) override;
  void commit(std::size_t size) override { unread_ += size; }
  codecs::bytes_view data() const override { return {ring_.begin + begin_, unread_}; }
  void consume(std::size_t size) override {
    begin_ += size;
    unread_ -= size;
  }
  std::uint64_t copied_bytes() const override { return copied_; }

 private:
  struct ring {
    std::uint8_t* begin = nullptr;
    std::size_t size = 0;  // of one mapping; whole pages

    ring() = default;
    ring(ring&& other) noexcept;
    ring& operator=(ring&& other) noexcept;
    ~ring();
    bool map(std::size_t bytes);
  };

  explicit mirrored_buffer(std::size_t limit) : limit_(limit) {}
  bool grow(std::size_t size);

  std::size_t limit_;
  ring ring_;
  std::size_t begin_ = 0;  // up to the size of the ring, and past it until prepare()
  std::size_t unread_ = 0;
  std::uint64_t copied_ = 0;
};

}  // namespace wire
