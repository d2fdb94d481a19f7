#pragma once
// The five codec checks for what an OP_MSG carries, as one call.

#include "codecs/mongo/op_msg.hpp"

#include "tests/support/codec_checks.hpp"

namespace tests {

/// `encode` is given the buffer, `check` the decoded message; both return a fault.
template <typename Encode, typename Check>
codec msg_codec(Encode encode, Check check) {
  return {mongo_length, codecs::mongo::scan, encode, [check](codecs::bytes_view frame) {
            codecs::mongo::op_msg message;
            const auto bad = decode(frame, message);
            return bad ? bad : check(message);
          }};
}

}  // namespace tests
