#pragma once
// The smallest protocol a channel can speak, for tests of the channel alone: a frame is an int32
// little-endian length that counts itself, then payload. The peer echoes every frame.

#include "codecs/exchange.hpp"
#include "codecs/writer.hpp"

#include <vector>

namespace tests {

inline constexpr std::size_t toy_limit = 64 * 1024 * 1024;

inline codecs::scan_result toy_scan(codecs::bytes_view unread) {
  using codecs::scan_result;
  if (unread.size() < 4) return scan_result::more(4 - unread.size());
  const auto length = codecs::load_le<std::int32_t>(unread.data());
  if (length < 4 || static_cast<std::size_t>(length) > toy_limit) {
    return scan_result::broken(codecs::errc::remote_bad_length, "toy length");
  }
  return scan_result::of(static_cast<std::size_t>(length), unread.size());
}

/// Sends `requests` frames, each with `pieces` borrowed pieces of `piece`, and awaits as many replies.
class toy_exchange final : public codecs::exchange {
 public:
  toy_exchange(codecs::bytes_view piece, std::size_t pieces, std::size_t requests)
      : piece_(piece), pieces_(pieces), requests_(requests) {}

  codecs::progress start(codecs::send_buffer& out) override {
    replies = 0;
    reply_bytes = 0;
    for (std::size_t i = 0; i < requests_; ++i) {
      codecs::writer frame(out);
      const auto length = frame.begin_length();
      for (std::size_t p = 0; p < pieces_; ++p) frame.refer(piece_);
      frame.end_le(length);
      sent_frames(1);
      if (const auto fault = frame.finish()) return fail(fault);
    }
    return codecs::progress::more;
  }

  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }

  /// A payload that starts with '!' is the server's error, one that starts with '?' is a protocol error.
  codecs::progress on_frame(codecs::bytes_view frame, codecs::send_buffer&) override {
    const auto text = codecs::as_text(frame.subspan(4));
    if (text.starts_with("!")) return fail(codecs::errc::remote_server_error, "", text.substr(1));
    if (text.starts_with("?")) return fail(codecs::errc::remote_bad_value, "toy payload");
    reply_bytes += frame.size();
    return ++replies == requests_ ? codecs::progress::done : codecs::progress::more;
  }

  std::size_t replies = 0;
  std::size_t reply_bytes = 0;

 private:
  codecs::bytes_view piece_;
  std::size_t pieces_;
  std::size_t requests_;
};

class toy_conversation final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return toy_scan(unread); }

  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    codecs::writer reply(out);
    reply.bytes(frame);
    reply.finish();
    sent_frames(1);
    return codecs::as_text(frame.subspan(4)) == "bye" ? codecs::answer::close : codecs::answer::reply;
  }
};

}  // namespace tests
