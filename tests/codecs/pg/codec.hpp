#pragma once
// The five codec checks for a message of PostgreSQL, as one call.

#include "codecs/pg/frame.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/hex.hpp"

namespace tests {

/// `encode` is given a writer, `check` the decoded message.
template <typename Message, typename Encode, typename Check>
codec pg_codec(codecs::direction way, Encode encode, Check check) {
  return {pg_length, [way](codecs::bytes_view unread) { return codecs::pg::scan_typed(unread, way); },
          [encode](codecs::send_buffer& out) {
            codecs::writer to(out);
            encode(to);
            return to.finish();
          },
          [check](codecs::bytes_view frame) {
            Message message;
            const auto bad = decode(frame, message);
            if (!bad) check(message);
            return bad;
          }};
}

}  // namespace tests
