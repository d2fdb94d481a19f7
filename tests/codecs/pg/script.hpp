#pragma once
// A conversation of a client's exchange as bytes: what it must send, what it is answered, and what it makes of it.

#include "codecs/exchange.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace tests {

/// Starts `op`, which must send `request` (hex).
inline codecs::progress start(codecs::exchange& op, std::string_view request) {
  wire::gather_buffer out;
  const auto begun = op.start(out);
  EXPECT_EQ(to_hex(flatten(out)), to_hex(hex(request)));
  return begun;
}

/// Gives `replies` (hex) to a started `op`, frame by frame, each cut anew after every byte (case C19). All frames but
/// the last must leave the op unfinished; whatever the op sends meanwhile must be `further` (hex).
inline codecs::progress answer(codecs::exchange& op, std::string_view replies,
                               std::string_view further = "") {
  const auto stream = hex(replies);
  wire::gather_buffer out;
  auto state = codecs::progress::more;
  std::size_t first = 0;
  for (std::size_t end = 0; end <= stream.size(); ++end) {
    const auto unread = codecs::bytes_view(stream).subspan(first, end - first);
    if (unread.empty()) continue;
    const auto cut = op.scan(unread);
    EXPECT_FALSE(cut.error) << cut.error.field;
    if (cut.size == 0) continue;
    EXPECT_EQ(state, codecs::progress::more) << "the op ended before byte " << first;
    EXPECT_EQ(cut.size, unread.size());
    state = op.on_frame(unread.first(cut.size), out);
    first = end;
  }
  EXPECT_EQ(first, stream.size()) << "the script ends inside a frame";
  EXPECT_EQ(to_hex(flatten(out)), to_hex(hex(further)));
  return state;
}

/// A whole op, from its first byte to its last.
inline codecs::progress converse(codecs::exchange& op, std::string_view request, std::string_view replies) {
  EXPECT_EQ(start(op, request), codecs::progress::more);
  return answer(op, replies);
}

/// Gives `replies` (hex) to a started `op`, the last of which has no place where it stands.
inline void expect_misplaced(codecs::exchange& op, std::string_view replies) {
  EXPECT_EQ(answer(op, replies), codecs::progress::failed) << replies;
  EXPECT_EQ(op.why().cause.code, codecs::errc::remote_unexpected_message);
}

/// Gives `requests` (hex) to a peer, cut anew after every byte, and returns its replies as digits. `closed` tells
/// whether the peer closed; nothing may follow then.
inline std::string ask(codecs::conversation& peer, std::string_view requests, bool* closed = nullptr) {
  const auto stream = hex(requests);
  wire::gather_buffer out;
  auto last = codecs::answer::none;
  std::size_t first = 0;
  for (std::size_t end = 1; end <= stream.size(); ++end) {
    const auto unread = codecs::bytes_view(stream).subspan(first, end - first);
    const auto cut = peer.scan(unread);
    EXPECT_FALSE(cut.error) << cut.error.field;
    if (cut.size == 0) continue;
    EXPECT_NE(last, codecs::answer::close) << "a request behind the end";
    last = peer.on_frame(unread.first(cut.size), out);
    while (last == codecs::answer::partly) last = peer.go_on(out);
    first = end;
  }
  EXPECT_EQ(first, stream.size()) << "the script ends inside a frame";
  if (closed != nullptr) {
    *closed = last == codecs::answer::close;
  } else {
    EXPECT_NE(last, codecs::answer::close);
  }
  return to_hex(flatten(out));
}

/// Replies as digits, from parts that may have spaces and comments.
inline std::string digits(std::initializer_list<std::string_view> parts) {
  std::string script;
  for (const auto each : parts) script.append(each) += '\n';
  return to_hex(hex(script));
}

// Replies without a body.
inline constexpr std::string_view parsed = " 31 00000004 ";
inline constexpr std::string_view bound = " 32 00000004 ";
inline constexpr std::string_view closed = " 33 00000004 ";
inline constexpr std::string_view no_data = " 6e 00000004 ";
inline constexpr std::string_view suspended = " 73 00000004 ";
inline constexpr std::string_view empty = " 49 00000004 ";

// Replies that many scripts end with.
inline constexpr std::string_view ready_idle = " 5a 00000005 49 ";
inline constexpr std::string_view ready_open = " 5a 00000005 54 ";
inline constexpr std::string_view ready_failed = " 5a 00000005 45 ";

/// ErrorResponse, 30: S ERROR, V ERROR, C 42601, M no
inline constexpr std::string_view syntax_error =
    " 45 0000001e 53 4552524f5200 56 4552524f5200 43 343236303100 4d 6e6f00 00 ";

/// ErrorResponse, 31: S FATAL, V FATAL, C 57P01, M bye
inline constexpr std::string_view shutdown_error =
    " 45 0000001f 53 464154414c00 56 464154414c00 43 353750303100 4d 62796500 00 ";

/// What may come between any two messages: a notice (S NOTICE, C 00000, M hi), a parameter (TimeZone UTC) and a
/// notification (pid 42, channel ch, payload p).
inline constexpr std::string_view any_time =
    " 4e 00000018 53 4e4f5449434500 43 303030303000 4d 686900 00"
    " 53 00000011 54696d655a6f6e6500 55544300"
    " 41 0000000d 0000002a 636800 7000 ";

/// RowDescription, 33: one column ?column?, no table, attribute 0, int4 (23), 4 bytes, modifier -1, text
inline constexpr std::string_view one_int4_column =
    " 54 00000021 0001 3f636f6c756d6e3f00 00000000 0000 00000017 0004 ffffffff 0000 ";

/// DataRow, 11: one column, 1 byte, "1"
inline constexpr std::string_view one_row = " 44 0000000b 0001 00000001 31 ";

/// CommandComplete, 13: SELECT 1
inline constexpr std::string_view select_1 = " 43 0000000d 53454c454354203100 ";

/// CommandComplete, 15: INSERT 0 1
inline constexpr std::string_view insert_1 = " 43 0000000f 494e534552542030203100 ";

/// Scripts are put together from the parts above.
inline std::string all(std::initializer_list<std::string_view> parts) {
  std::string script;
  for (const auto each : parts) script += each;
  return script;
}

}  // namespace tests
