#pragma once
// Encoded messages kept as one block of bytes, payload included: replies that a peer builds beforehand.

#include "codecs/buffers.hpp"

#include <vector>

namespace codecs::pg {

class flat_buffer final : public send_buffer {
 public:
  bytes_span prepare(std::size_t size) override {
    if (bytes_.size() - used_ < size) bytes_.resize(used_ + size);
    return bytes_span(bytes_).subspan(used_);
  }
  void commit(std::size_t size) override { used_ += size; }
  bool refer(bytes_view payload) override {
    if (payload.empty()) return true;
    std::memcpy(prepare(payload.size()).data(), payload.data(), payload.size());
    commit(payload.size());
    copied_ += payload.size();
    return true;
  }
  std::uint8_t* encoded(std::size_t index) override { return bytes_.data() + index; }
  std::size_t encoded_size() const override { return used_; }
  std::span<const bytes_view> segments() override {
    whole_ = view();
    return {&whole_, 1};
  }
  std::size_t size() const override { return used_; }
  std::size_t consume(std::size_t size) override {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
    return used_ -= size;
  }
  void clear() override { used_ = 0; }
  std::uint64_t copied_bytes() const override { return copied_; }

  /// All bytes, valid until the next call that is not const.
  bytes_view view() const { return bytes_view(bytes_).first(used_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t used_ = 0;
  std::uint64_t copied_ = 0;
  bytes_view whole_;
};

}  // namespace codecs::pg
