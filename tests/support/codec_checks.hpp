#pragma once
// The five checks that every message type passes, as one call:
//
//   1 whole            encode gives the literal bytes; they are one frame; decode gives the value
//   2 byte by byte     scan asks for more, never for too much, up to the last byte
//   3 trailing bytes   what follows a frame is not part of it
//   4 one byte short   a frame whose length field is right but whose fields lack a byte is refused, not
//   guessed 5 exact size       decode sees every frame in a heap block of its size, so that ASan sees a read
//   past the end

#include "codecs/buffers.hpp"
#include "codecs/errc.hpp"
#include "codecs/frame.hpp"

#include <functional>

namespace tests {

/// Where a message carries its own length. pg counts from the length field on: its `counted_from` is 1 for
/// tagged messages and 0 for the startup family; mongo counts the whole message.
struct length_field {
  std::size_t at;
  bool big_endian;
  std::size_t counted_from;
};
inline constexpr length_field mongo_length{0, false, 0};
inline constexpr length_field pg_length{1, true, 1};
inline constexpr length_field pg_startup_length{0, true, 0};

struct codec {
  length_field length;

  std::function<codecs::scan_result(codecs::bytes_view unread)> scan;

  /// Writes the value that the frame stands for. Left empty for messages that only the other side sends and
  /// that no encoder exists for.
  std::function<codecs::fault(codecs::send_buffer& out)> encode;

  /// Decodes one frame; on success it has EXPECTed the value field by field.
  std::function<codecs::fault(codecs::bytes_view frame)> decode;

  /// The last field is "the rest of the message", so that one byte less is another valid message: no check 4.
  bool open_ended = false;
};

/// Runs the five checks; `frame` holds literal bytes, never those of our own encoder.
void check_codec(const codec& codec, codecs::bytes_view frame);

/// All bytes that `out` holds, in order.
std::vector<std::uint8_t> flatten(codecs::send_buffer& out);

}  // namespace tests
