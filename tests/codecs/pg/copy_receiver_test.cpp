// COPY FROM STDIN as a server has it: what belongs to it, what ends it, what of it is payload.

#include "codecs/pg/conversation.hpp"

#include "tests/codecs/pg/script.hpp"
#include "tests/codecs/skipped.hpp"

namespace codecs::pg {
namespace {

using tests::ask;
using tests::bound;
using tests::digits;
using tests::parsed;

/// Writes fields down: {bytes}, and their payload.
class writing_receiver final : public copy_receiver {
 public:
  std::string seen;
  std::size_t columns() const override { return 2; }

 private:
  std::optional<refusal> on_field(std::size_t index, std::size_t bytes, bool null) override {
    if (bytes == 13) return refusal{"22P03", "13 bytes"};
    seen += std::to_string(index) + (null ? "{NULL}" : "{" + std::to_string(bytes) + "}");
    return {};
  }
  void on_payload(std::size_t index, bytes_view piece) override {
    seen += std::to_string(index);
    seen += as_text(piece);
  }
};

/// Knows COPY.
class peer final : public conversation {
 public:
  peer() : conversation(0) { ask(*this, "00000011 00030000 7573657200 6d6500 00"); }
  writing_receiver receiver;

 private:
  const plan* recognise(std::string_view statement) const override {
    return statement == "COPY" ? &copy_ : nullptr;
  }
  std::optional<refusal> call(const function_call&, writer&) override { return {}; }
  copy_receiver* receiver_of(const plan&) override { return &receiver; }

  const plan copy_ = plan("COPY 0", effect::copy_in);
};

// Parse and Bind of COPY, unnamed; Execute.
constexpr std::string_view copy =
    " 50 0000000c 00 434f505900 0000  42 0000000c 00 00 0000 0000 0000  45 00000009 00 00000000 ";
constexpr std::string_view go_ahead = " 47 0000000b 01 0002 0001 0001 ";
constexpr std::string_view flush = " 48 00000004 ";
constexpr std::string_view sync = " 53 00000004 ";
constexpr std::string_view copy_done = " 63 00000004 ";
constexpr std::string_view copy_fail = " 66 00000007 6e6f00 ";  // no
// The head of the stream, and a row of "a" and NULL.
constexpr std::string_view head_and_row =
    " 64 00000022 5047434f50590aff0d0a00 00000000 00000000  0002 00000001 61 ffffffff ";
constexpr std::string_view row = " 64 0000000f 0002 00000001 62 ffffffff ";
constexpr std::string_view trailer = " 64 00000006 ffff ";
constexpr std::string_view copy_2 = " 43 0000000b 434f5059203200 ";

/// What `requests` are answered with, at once and behind BindComplete and CopyInResponse.
std::string answers(peer& asked, std::initializer_list<std::string_view> requests) {
  const auto begun = digits({parsed, bound, go_ahead});
  const auto all = ask(asked, tests::all(requests));
  EXPECT_EQ(all.substr(0, begun.size()), begun);
  return all.substr(begun.size());
}

void expect_refused(std::initializer_list<std::string_view> requests, std::string_view sqlstate) {
  peer asked;
  const auto error = answers(asked, requests);
  EXPECT_NE(error.find(tests::to_hex(as_bytes(sqlstate))), std::string::npos) << error;
  EXPECT_EQ(error.substr(0, 2), "45");
  // What is left of it is skipped, and nothing but a Sync ends that.
  EXPECT_EQ(ask(asked, tests::all({row, copy_done, copy_fail, flush, copy})), "");
  EXPECT_EQ(ask(asked, sync), digits({tests::ready_idle}));
}

TEST(PgCopyReceiver, CountsItsRows) {
  peer asked;
  EXPECT_EQ(answers(asked, {copy, head_and_row, row, trailer, copy_done, sync}),
            digits({copy_2, tests::ready_idle}));
  EXPECT_EQ(asked.receiver.seen, "0{1}0a1{NULL}0{1}0b1{NULL}");
  EXPECT_EQ(answers(asked, {copy, head_and_row, row, trailer, copy_done, sync}),
            digits({copy_2, tests::ready_idle}));
}

// Case C28: a Sync or Flush in the middle is swallowed, and has no Z.
TEST(PgCopyReceiver, SwallowsASyncInTheMiddle) {
  peer asked;
  EXPECT_EQ(answers(asked, {copy, sync, head_and_row, flush, sync, row, trailer, copy_done, sync}),
            digits({copy_2, tests::ready_idle}));
}

TEST(PgCopyReceiver, RefusesAndSkipsUpToTheSync) {
  expect_refused({copy, head_and_row, copy_fail}, "57014");
  expect_refused({copy, head_and_row, copy_done}, "22P04");                                 // no trailer
  expect_refused({copy, "64 00000017 5047434f50590aff0d0a01 00000000 00000000"}, "22P04");  // the signature
  expect_refused({copy, head_and_row, "64 00000006 0003"}, "22P04");                        // three fields
  expect_refused({copy, head_and_row, "64 00000006 fffe"}, "22P04");                        //
  expect_refused({copy, head_and_row, "64 0000000a 0002 0000000d"}, "22P03");  // the receiver's own refusal
  expect_refused({copy, head_and_row, "51 0000000d 53454c454354203100"}, "08P01");  // a Query
  expect_refused({copy, "66 00000004"}, "08P01");                                   // CopyFail without a text
}

TEST(PgCopyReceiver, IsNotBegunByASimpleQuery) {
  peer asked;
  const auto error = ask(asked, "51 00000009 434f505900");
  EXPECT_NE(error.find(tests::to_hex(as_bytes("0A000"))), std::string::npos);
  EXPECT_EQ(error.substr(error.size() - 12), digits({tests::ready_idle}));
}

/// CopyData of a row whose fields have `first` and `second` bytes, behind the head of a stream.
tests::bytes message(std::size_t first, std::size_t second) {
  auto whole = tests::hex("64 00000000 5047434f50590aff0d0a00 00000000 00000000 0002");
  for (const auto size : {first, second}) {
    tests::bytes length(4);
    store_be(length.data(), static_cast<std::uint32_t>(size));
    whole.insert(whole.end(), length.begin(), length.end());
    whole.resize(whole.size() + size, 'x');
  }
  store_be(whole.data() + 1, static_cast<std::uint32_t>(whole.size() - 1));
  return whole;
}

// 5 + 19 + 2 + 4 + 3 + 4 bytes stand before the payload.
TEST(PgCopyReceiver, SkipsLargeFieldsWhereverItIsAsked) {
  writing_receiver receiver;
  receiver.begin();
  const auto whole = message(3, 20'000);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto wants = receiver.skim(bytes_view(whole).first(at));
    ASSERT_EQ(wants.skip, at >= 37 ? whole.size() - at : 0) << at;
    ASSERT_LE(wants.keep, appetite::head_bytes) << at;  // or payload would come with it
  }
  const auto small = message(9'000, 9'000);
  for (std::size_t at = 0; at < small.size(); at += 100)
    EXPECT_EQ(receiver.skim(bytes_view(small).first(at)).skip, 0u);
}

// The payload of a field goes on in the next message.
TEST(PgCopyReceiver, SkipsTheRestOfAFieldThatHasBegun) {
  writing_receiver receiver;
  receiver.begin();
  const auto whole = message(3, 100'000);
  EXPECT_FALSE(receiver.take(bytes_view(whole).subspan(5, 20'000)));
  const auto rest = whole.size() - 5 - 20'000;
  tests::bytes next = tests::hex("64 00000000");
  store_be(next.data() + 1, static_cast<std::uint32_t>(4 + rest + 2));  // and the trailer
  EXPECT_EQ(receiver.skim(next).skip, rest);
  next.resize(5 + rest);
  EXPECT_EQ(receiver.skim(next).skip, 0u);
}

}  // namespace
}  // namespace codecs::pg
