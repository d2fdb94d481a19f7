#include "codecs/window.hpp"

#include "codecs/pg/query_exchange.hpp"

#include "tests/codecs/pg/script.hpp"

#include <array>
#include <string>

namespace codecs {
namespace {

using tests::all;
using tests::answer;
using tests::ready_idle;
using tests::select_1;
using tests::syntax_error;

constexpr std::string_view query_1 = " 51 0000000d 53454c454354203100 ";  // SELECT 1

/// Gives `ops` queries to a window of three and writes down what becomes of them.
class Window : public testing::Test, protected window_source {
 protected:
  exchange* next() override {
    if (ops == 0) return nullptr;
    --ops;
    auto& op = slots_[given_++ % slots_.size()];
    op.set(text, nullptr);
    return &op;
  }
  void completed(exchange& op, progress how) override {
    EXPECT_TRUE(how == progress::failed || &op == &slots_[seen.size() % slots_.size()]) << "not in order";
    seen += how == progress::done ? 'd' : 'f';
    if (how == progress::failed) why = op.why().cause.code;
  }

  static std::string replies(int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += all({select_1, ready_idle});
    return result;
  }

  int ops = 0;
  std::string_view text = "SELECT 1";
  std::string seen;
  errc why = errc::ok;

 private:
  pg::session session_;
  std::array<pg::query_exchange, 3> slots_{pg::query_exchange{session_}, pg::query_exchange{session_},
                                           pg::query_exchange{session_}};
  std::size_t given_ = 0;

 protected:
  window window_{3, *this};
};

TEST_F(Window, StaysFullAndEndsWithTheLastReply) {
  ops = 5;
  ASSERT_EQ(tests::start(window_, all({query_1, query_1, query_1})), progress::more);
  EXPECT_EQ(answer(window_, replies(2), all({query_1, query_1})), progress::more);
  EXPECT_EQ(seen, "dd");
  EXPECT_EQ(answer(window_, replies(3)), progress::done);
  EXPECT_EQ(seen, "ddddd");
  EXPECT_EQ(window_.take_frames_sent(), 5u);
}

TEST_F(Window, MayBeRunAgain) {
  for (int i = 0; i < 2; ++i) {
    ops = 1;
    ASSERT_EQ(tests::start(window_, query_1), progress::more);
    EXPECT_EQ(answer(window_, replies(1)), progress::done);
  }
  EXPECT_EQ(seen, "dd");
}

TEST_F(Window, WithoutOpsThereIsNothingToDo) {
  EXPECT_EQ(tests::start(window_, ""), progress::done);
}

// Case C20, each op with a Sync of its own: what stands behind the error is executed.
TEST_F(Window, AnOpThatTheServerRefusesFailsAlone) {
  ops = 3;
  ASSERT_EQ(tests::start(window_, all({query_1, query_1, query_1})), progress::more);
  EXPECT_EQ(answer(window_, all({replies(1), all({syntax_error, ready_idle}), replies(1)})), progress::done);
  EXPECT_EQ(seen, "dfd");
  EXPECT_EQ(why, errc::remote_server_error);
}

TEST_F(Window, ABrokenStreamFailsAllOfIt) {
  ops = 9;
  ASSERT_EQ(tests::start(window_, all({query_1, query_1, query_1})), progress::more);
  EXPECT_EQ(answer(window_, ready_idle), progress::failed);
  EXPECT_EQ(seen, "f");
  EXPECT_EQ(window_.why().cause.code, errc::remote_unexpected_message);
}

TEST_F(Window, AnOpThatCannotBeEncodedLeavesTheRestWithoutAnAnswer) {
  ops = 4;
  ASSERT_EQ(tests::start(window_, all({query_1, query_1, query_1})), progress::more);
  text = std::string_view("a\0b", 3);
  wire::gather_buffer out;
  const auto reply = tests::hex(replies(1));
  const auto first = bytes_view(reply).first(14);
  ASSERT_EQ(window_.on_frame(first, out), progress::more);
  EXPECT_EQ(window_.on_frame(bytes_view(reply).subspan(14), out), progress::failed);
  EXPECT_EQ(seen, "df");
  EXPECT_EQ(window_.why().cause.code, errc::local_bad_value);
  EXPECT_TRUE(window_.why().out_of_step);
}

TEST_F(Window, AFirstOpThatCannotBeEncodedLosesNothing) {
  ops = 1;
  text = std::string_view("a\0b", 3);
  wire::gather_buffer out;
  EXPECT_EQ(window_.start(out), progress::failed);
  EXPECT_FALSE(window_.why().out_of_step);
}

// A server that does not read while it is sent to.
TEST_F(Window, AddsNoOpWhileMuchIsUnsent) {
  ops = 1000;
  window wide(1000, *this);
  const std::string long_text(100 * 1024, ' ');
  text = long_text;
  wire::gather_buffer out;
  EXPECT_EQ(wide.start(out), progress::more);
  EXPECT_EQ(wide.take_frames_sent(), 3u);  // 300 KiB
}

}  // namespace
}  // namespace codecs
