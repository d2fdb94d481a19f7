#include "codecs/pg/copy_out_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

#include <fmt/format.h>

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::parsed;

// COPY (SELECT data FROM wirebench_chunks WHERE file = 7 ORDER BY n) TO STDOUT (FORMAT binary), as the unnamed statement; bound to
// the unnamed portal; all rows; Sync.
constexpr std::string_view request = R"(
  50 00000064 00 434f5059202853454c45435420646174612046524f4d207769726562656e63685f6368756e6b732057484552452066696c
  65203d2037204f52444552204259206e2920544f205354444f55542028464f524d41542062696e6172792900 0000
  42 00000010 00 00 0001 0001 0000 0001 0001
  45 00000009 00 00000000
  53 00000004
)";
constexpr std::string_view begun = " 48 00000009 01 0001 0001 ";
constexpr std::string_view head = " 5047434f50590aff0d0a00 00000000 00000000 ";
constexpr std::string_view abc = " 0001 00000003 616263 ";
constexpr std::string_view def = " 0001 00000003 646566 ";
constexpr std::string_view gh = " 0001 00000002 6768 ";
constexpr std::string_view trailer = " ffff ";
constexpr std::string_view copy_3 = " 63 00000004  43 0000000b 434f5059203300 ";  // CopyDone, COPY 3

/// CopyData of these bytes.
std::string message(std::string_view bytes) {
  return fmt::format(" 64 {:08x} {} ", tests::hex(bytes).size() + 4, bytes);
}

/// The same in messages of `size` bytes.
std::string cut_message(std::string_view bytes, std::size_t size) {
  const auto all_bytes = tests::hex(bytes);
  std::string messages;
  for (std::size_t at = 0; at < all_bytes.size(); at += size) {
    messages +=
        message(tests::to_hex(bytes_view(all_bytes).subspan(at, std::min(size, all_bytes.size() - at))));
  }
  return messages;
}

class PgCopyOutExchange : public testing::Test {
 protected:
  void begin(chunk_sink& sink) {
    op_.set(7, sink, {8, 3});
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }
  /// A download of a stream that goes on behind its head so, and of its end.
  void expect_failure(std::initializer_list<std::string_view> rows, errc code, std::string_view text,
                      std::string_view kept) {
    tests::text_sink sink;
    begin(sink);
    EXPECT_EQ(answer(op_, all({parsed, bound, begun, message(all({head, all(rows), trailer})), copy_3,
                               tests::ready_idle})),
              progress::failed);
    EXPECT_EQ(op_.why().cause.code, code);
    EXPECT_EQ(op_.why().text, text);
    EXPECT_EQ(sink.text, kept);
  }
  void expect_broken(std::string_view stream) {
    tests::text_sink sink;
    begin(sink);
    EXPECT_EQ(answer(op_, all({parsed, bound, begun, stream})), progress::failed) << stream;
    EXPECT_TRUE(breaks_stream(op_.why().cause.code));
  }
  void expect_misplaced(std::string_view replies) {
    tests::text_sink sink;
    begin(sink);
    tests::expect_misplaced(op_, replies);
  }

  tests::text_sink sink_;
  session session_;
  copy_out_exchange op_{session_};
};

// As a server sends it: a row in each message.
TEST_F(PgCopyOutExchange, IsOneRoundTrip) {
  begin(sink_);
  EXPECT_EQ(answer(op_, all({parsed, bound, begun, message(all({head, abc})), tests::any_time, message(def),
                             message(gh), message(trailer), copy_3, tests::ready_idle})),
            progress::done);
  EXPECT_EQ(sink_.text, "abcdefgh");
  EXPECT_EQ(op_.take_frames_sent(), 4u);
}

TEST_F(PgCopyOutExchange, MessagesNeedNotBeAlignedWithRows) {
  for (const std::size_t size : {1, 2, 5, 20, 21, 1000}) {
    tests::text_sink sink;
    begin(sink);
    EXPECT_EQ(answer(op_, all({parsed, bound, begun, message(""),
                               cut_message(all({head, abc, def, gh, trailer}), size), message(""), copy_3,
                               tests::ready_idle})),
              progress::done)
        << size;
    EXPECT_EQ(sink.text, "abcdefgh");
  }
}

TEST_F(PgCopyOutExchange, AnEmptyFileHasNoRow) {
  op_.set(7, sink_, {0, 3});
  ASSERT_EQ(tests::start(op_, request), progress::more);
  EXPECT_EQ(
      answer(op_, all({parsed, bound, begun, message(all({head, trailer})), copy_3, tests::ready_idle})),
      progress::done);
}

TEST_F(PgCopyOutExchange, ARowOfTheWrongLengthIsNamed) {
  constexpr auto bad = errc::remote_bad_file;
  expect_failure({abc, gh, gh}, bad, "chunk 1 (from byte 3 on): has 2 bytes and not 3", "abc");
  expect_failure({abc, def, abc}, bad, "chunk 2 (from byte 6 on): has 3 bytes and not 2", "abcdef");
  expect_failure({"0001 ffffffff", def}, bad, "chunk 0 (from byte 0 on): has 0 bytes and not 3", "");
  expect_failure({abc, def}, bad, "chunk 2 (from byte 6 on): did not come", "abcdef");
  expect_failure({abc, def, gh, abc}, bad, "chunk 3 (from byte 8 on): is behind the last one", "abcdefgh");
}

TEST_F(PgCopyOutExchange, ASinkThatIsFullGetsNothingMoreAndTheSessionStaysInStep) {
  tests::text_sink full;
  full.room = 1;
  begin(full);
  EXPECT_EQ(answer(op_, all({parsed, bound, begun, message(all({head, abc, def, gh, trailer})), copy_3,
                             tests::ready_idle})),
            progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_payload);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): no space left on device");
  EXPECT_EQ(full.text, "abc");
}

TEST_F(PgCopyOutExchange, AnErrorIsToldWithItsChunk) {
  begin(sink_);
  EXPECT_EQ(answer(op_, all({tests::syntax_error, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().text, "chunk 0 (from byte 0 on): ERROR: no (42601)");
  begin(sink_);
  EXPECT_EQ(answer(op_, all({parsed, bound, begun, message(all({head, abc})), tests::syntax_error,
                             tests::ready_idle})),
            progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_server_error);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): ERROR: no (42601)");
}

TEST_F(PgCopyOutExchange, AStreamThatIsNoneIsRefused) {
  expect_broken(message("5047434f50590aff0d0a01 00000000 00000000"));
  expect_broken(message(all({head, "0002 00000001 61"})));
  expect_broken(message(all({head, "fffe"})));
  expect_broken(message(all({head, abc, trailer, "00"})));
  expect_broken(all({message(all({head, abc})), " 63 00000004 "}));  // no trailer
  expect_broken(" 63 00000004 ");
  const std::string_view formats[] = {" 48 00000009 00 0001 0000 ", " 48 0000000b 01 0002 0001 0001 "};
  for (const auto format : formats) {
    begin(sink_);
    EXPECT_EQ(answer(op_, all({parsed, bound, format})), progress::failed) << format;
    EXPECT_TRUE(breaks_stream(op_.why().cause.code));
  }
}

TEST_F(PgCopyOutExchange, AChunkSizeThatNoMessageHoldsIsRefused) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 30}) {
    op_.set(7, sink_, {8, size});
    EXPECT_EQ(tests::start(op_, ""), progress::failed);
    EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
  }
}

TEST_F(PgCopyOutExchange, MessagesOutOfPlaceAreRefused) {
  const auto whole = message(all({head, abc, def, gh, trailer}));
  expect_misplaced(tests::ready_idle);
  expect_misplaced(bound);
  expect_misplaced(all({parsed, begun}));
  expect_misplaced(all({parsed, bound, whole}));
  expect_misplaced(all({parsed, bound, begun, begun}));
  expect_misplaced(all({parsed, bound, begun, tests::one_row}));
  expect_misplaced(all({parsed, bound, begun, tests::ready_idle}));
  expect_misplaced(all({parsed, bound, begun, whole, copy_3, whole}));
  expect_misplaced(all({tests::syntax_error, begun}));
}

}  // namespace
}  // namespace codecs::pg
