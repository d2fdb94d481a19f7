#pragma once
// The smallest framing for a download, whose payload may land: frames of the toy protocol, without an answer.

#include "codecs/chunks.hpp"

#include "tests/support/toy_protocol.hpp"
#include "tests/wire/pipeline_peer.hpp"

#include <gtest/gtest.h>

namespace tests {

/// Asks for so many frames, and puts what is in them into a sink.
class toy_download final : public codecs::exchange {
 public:
  toy_download(std::int32_t frames, codecs::chunk_sink& to) : frames_(frames), to_(to) {}

  codecs::progress start(codecs::send_buffer& out) override {
    codecs::writer request(out);
    request.le(std::int32_t{8});
    request.le(frames_);
    EXPECT_FALSE(request.finish());
    sent_frames(1);
    return codecs::progress::more;
  }
  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }
  codecs::landing land(codecs::bytes_view unread) override {
    constexpr std::size_t head = 4;
    if (unread.size() < head) return {.place = {}, .keep = head - unread.size()};
    const auto arrived = unread.size() - head;
    if (place_.empty() && arrived != 0) return {};
    place_ = to_.place(codecs::load_le<std::uint32_t>(unread.data()) - head);
    return {.place = place_.empty() ? place_ : place_.subspan(arrived), .keep = head};
  }
  codecs::progress on_frame(codecs::bytes_view frame, codecs::send_buffer&) override {
    const auto payload = place_.empty() ? frame.subspan(4) : place_;
    place_ = {};
    if (!failed_ && !to_.put(payload)) failed_ = true;
    if (--frames_ != 0) return codecs::progress::more;
    return failed_ ? fail(codecs::errc::local_payload, "", to_.why()) : codecs::progress::done;
  }

 private:
  std::int32_t frames_;
  codecs::chunk_sink& to_;
  codecs::bytes_span place_;  // where the payload of this frame lands, if it does
  bool failed_ = false;
};

/// The peer of it. Every frame has the same payload.
class giving_storage final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }
  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    const auto frames = codecs::load_le<std::int32_t>(frame.data() + 4);
    for (std::int32_t i = 0; i < frames; ++i) {
      codecs::writer reply(out);
      const auto length = reply.begin_length();
      reply.refer(payload);
      reply.end_le(length);
      EXPECT_FALSE(reply.finish());
      sent_frames(1);
    }
    return codecs::answer::reply;
  }

  const std::vector<std::uint8_t> payload = random_bytes(10'000);
};

}  // namespace tests
