#pragma once
// The smallest framing: each chunk is one frame of the toy protocol, and the peer answers each with a frame of one byte.

#include "codecs/chunks.hpp"

#include "tests/support/toy_protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tests {

class toy_upload final : public codecs::exchange {
 public:
  toy_upload(codecs::chunk_source& from, std::size_t chunk_bytes, std::size_t window)
      : from_(from),
        chunk_bytes_(chunk_bytes),
        window_(std::min(window, from.most_in_flight())),
        left_(from.size()) {}

  codecs::progress start(codecs::send_buffer& out) override { return fill(out); }
  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }

  codecs::progress on_frame(codecs::bytes_view, codecs::send_buffer& out) override {
    from_.release();
    --in_flight_;
    return fill(out);
  }

 private:
  codecs::progress fill(codecs::send_buffer& out) {
    while (!stopped_ && in_flight_ < window_ && left_ != 0) {
      const auto chunk = from_.take(static_cast<std::size_t>(std::min<std::int64_t>(left_, chunk_bytes_)));
      stopped_ = chunk.empty();
      if (!stopped_) send(chunk, out);
    }
    if (in_flight_ != 0) return codecs::progress::more;
    return stopped_ || !from_.intact() ? fail(codecs::errc::local_payload, "", from_.why())
                                       : codecs::progress::done;
  }

  void send(codecs::bytes_view chunk, codecs::send_buffer& out) {
    codecs::writer frame(out);
    const auto length = frame.begin_length();
    frame.refer(chunk);
    frame.end_le(length);
    EXPECT_FALSE(frame.finish());
    sent_frames(1);
    ++in_flight_;
    left_ -= static_cast<std::int64_t>(chunk.size());
  }

  codecs::chunk_source& from_;
  std::size_t chunk_bytes_;
  std::size_t window_;
  std::int64_t left_;
  std::size_t in_flight_ = 0;
  bool stopped_ = false;
};

/// The peer of it. Payload goes to `sink`, or, without one, is of no interest.
class toy_storage final : public codecs::conversation {
 public:
  explicit toy_storage(codecs::chunk_sink* sink = nullptr) : sink_(sink) {}

  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }

  codecs::appetite skim(codecs::bytes_view unread) const override {
    using codecs::appetite;
    if (sink_ != nullptr) return {};
    if (unread.size() < 4) return appetite::more(4 - unread.size());
    const std::size_t end = codecs::load_le<std::uint32_t>(unread.data());
    return end > appetite::kept_bytes ? appetite::without(end - unread.size())
                                      : appetite::more(end - unread.size());
  }

  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    const bool kept = sink_ == nullptr || sink_->put(frame.subspan(4));
    EXPECT_TRUE(kept) << sink_->why();
    codecs::writer reply(out);
    reply.le(std::int32_t{5});
    reply.u8('.');
    EXPECT_FALSE(reply.finish());
    sent_frames(1);
    return codecs::answer::reply;
  }

 private:
  codecs::chunk_sink* sink_;
};

}  // namespace tests
