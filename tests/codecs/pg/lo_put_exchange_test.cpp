#include "codecs/pg/lo_put_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;
using tests::select_1;

// Bind of the unnamed portal to u, binary both ways: object 16398 (4 bytes), offset (8 bytes), the chunk; Execute of all rows.
constexpr std::string_view put_abc = R"(
  42 0000002c 00 7500 0001 0001 0003 00000004 0000400e 00000008 0000000080000000 00000003 616263 0001 0001
  45 00000009 00 00000000 )";
constexpr std::string_view put_de = R"(
  42 0000002b 00 7500 0001 0001 0003 00000004 0000400e 00000008 0000000080000003 00000002 6465 0001 0001
  45 00000009 00 00000000 )";
constexpr std::string_view sync = " 53 00000004 ";
constexpr std::string_view void_row = " 44 0000000a 0001 00000000 ";

const std::string done = all({bound, void_row, select_1});

class PgLoPutExchange : public testing::Test {
 protected:
  void begin() {
    source_ = std::make_unique<tests::text_source>(std::string_view("abcde"));
    op_.set(16'398, 2'147'483'648, *source_, 3, 1'000'000);
    ASSERT_EQ(tests::start(op_, all({put_abc, put_de, sync})), progress::more);
  }

  std::unique_ptr<tests::text_source> source_;
  session session_;
  lo_put_exchange op_{session_};
};

// Case C23: the offset has 8 bytes.
TEST_F(PgLoPutExchange, WritesEachChunkToItsOffset) {
  for (int i = 0; i < 2; ++i) {
    begin();
    EXPECT_EQ(answer(op_, all({done, done, tests::ready_idle})), progress::done);
    EXPECT_EQ(source_->released, 2);
  }
  EXPECT_EQ(op_.take_frames_sent(), 10u);
}

TEST_F(PgLoPutExchange, AnErrorIsToldWithItsChunk) {
  begin();
  EXPECT_EQ(answer(op_, all({done, bound, tests::syntax_error, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().text, "chunk 1 (from byte 3 on): ERROR: no (42601)");
}

TEST_F(PgLoPutExchange, AnythingButOneEmptyColumnBreaksTheStream) {
  const std::string_view rows[] = {" 44 0000000a 0001 ffffffff ", " 44 00000006 0000 ", tests::one_row,
                                   " 44 0000000e 0002 00000000 00000000 "};
  for (const auto row : rows) {
    begin();
    EXPECT_EQ(answer(op_, all({bound, row})), progress::failed) << row;
    EXPECT_EQ(op_.why().cause.code, errc::remote_bad_value);
  }
}

TEST_F(PgLoPutExchange, MessagesOutOfPlaceAreRefused) {
  for (const auto& replies : {all({bound, select_1}), all({bound, void_row, void_row}), all({void_row}),
                              all({done, tests::ready_idle}), all({done, done, bound})}) {
    begin();
    tests::expect_misplaced(op_, replies);
  }
}

}  // namespace
}  // namespace codecs::pg
