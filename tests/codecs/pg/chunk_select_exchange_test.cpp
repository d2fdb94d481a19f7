// What it shares with lo_get_exchange, which is nearly all, is tested there.

#include "codecs/pg/chunk_select_exchange.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/script.hpp"

namespace codecs::pg {
namespace {

using tests::all;
using tests::answer;
using tests::bound;

// Bind of the unnamed portal to t, binary both ways, file 7 (8 bytes); Execute of all rows; Sync.
constexpr std::string_view request = R"(
  42 0000001d 00 7400 0001 0001 0001 00000008 0000000000000007 0001 0001
  45 00000009 00 00000000
  53 00000004
)";
constexpr std::string_view abc = " 44 0000000d 0001 00000003 616263 ";
constexpr std::string_view de = " 44 0000000c 0001 00000002 6465 ";
constexpr std::string_view select_2 = " 43 0000000d 53454c454354203200 ";
constexpr std::string_view select_0 = " 43 0000000d 53454c454354203000 ";

class PgChunkSelectExchange : public testing::Test {
 protected:
  void begin(std::int64_t bytes) {
    op_.set(7, sink_, {bytes, 3});
    ASSERT_EQ(tests::start(op_, request), progress::more);
  }

  tests::text_sink sink_;
  session session_;
  chunk_select_exchange op_{session_};
};

TEST_F(PgChunkSelectExchange, IsOneRoundTrip) {
  begin(5);
  EXPECT_EQ(answer(op_, all({bound, abc, de, select_2, tests::ready_idle})), progress::done);
  EXPECT_EQ(sink_.text, "abcde");
}

TEST_F(PgChunkSelectExchange, AnEmptyFileHasNoRow) {
  begin(0);
  EXPECT_EQ(answer(op_, all({bound, select_0, tests::ready_idle})), progress::done);
}

TEST_F(PgChunkSelectExchange, AFileThatIsNotThereIsNamed) {
  begin(5);
  EXPECT_EQ(answer(op_, all({bound, select_0, tests::ready_idle})), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::remote_bad_file);
  EXPECT_EQ(op_.why().sentence().substr(op_.why().sentence().find(": ") + 2),
            "chunk 0 (from byte 0 on): did not come");
}

TEST_F(PgChunkSelectExchange, AChunkSizeOfNothingIsRefused) {
  op_.set(7, sink_, {5, 0});
  EXPECT_EQ(tests::start(op_, ""), progress::failed);
  EXPECT_EQ(op_.why().cause.code, errc::local_bad_value);
}

}  // namespace
}  // namespace codecs::pg
