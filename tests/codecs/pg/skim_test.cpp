#include "codecs/pg/skim.hpp"

#include "tests/codecs/skipped.hpp"

namespace codecs::pg {
namespace {

using tests::add;
using tests::bytes;
using tests::hex;
using tests::runs;

bytes be32(std::size_t value) {
  bytes raw(4);
  store_be(raw.data(), static_cast<std::uint32_t>(value));
  return raw;
}

/// `head`, the values, `tail`, with type and length in front.
bytes message(char type, const bytes& head, const std::vector<std::size_t>& values, const bytes& tail) {
  bytes body = head;
  for (const auto size : values) {
    add(body, be32(size));
    body.resize(body.size() + size, 'x');
  }
  add(body, tail);
  bytes whole{static_cast<std::uint8_t>(type)};
  add(whole, be32(4 + body.size()));
  add(whole, body);
  return whole;
}

/// lowrite as libpq calls it: function 955, one format (binary), two arguments, binary result. Payload at 27.
bytes lowrite(std::size_t payload) {
  return message('F', hex("000003bb 0001 0001 0002"), {4, payload}, hex("0001"));
}

runs skipped(const bytes& whole) {
  return tests::skipped(skim, whole);
}

TEST(PgSkim, SkipsALargeArgument) {
  EXPECT_EQ(skipped(lowrite(262'144)), (runs{{256, 27 + 262'144 - 256}}));
}

TEST(PgSkim, SkipsPayloadAloneWhereverItIsAsked) {
  const auto whole = lowrite(20'000);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto wants = skim(bytes_view(whole).first(at));
    const bool payload = at >= 27 && at < 27 + 20'000;
    ASSERT_EQ(wants.skip, payload ? 27 + 20'000 - at : 0) << at;
  }
}

/// Portal "p", statement "s", two formats, three parameters of which one is NULL, one result format. Values begin at 19.
TEST(PgSkim, SkipsLargeParameters) {
  auto whole = message('B', hex("7000 7300 0002 0001 0000 0003"), {20'000, 3}, hex("ffffffff 0001 0001"));
  const std::size_t payload = 5 + 12 + 4;
  EXPECT_EQ(skipped(whole), (runs{{256, payload + 20'000 - 256}}));
}

TEST(PgSkim, KeepsWhatIsSmallOrOfAnotherType) {
  EXPECT_EQ(skipped(lowrite(16'384)), runs{});
  EXPECT_EQ(skipped(message('Q', bytes(50'000, 'x'), {}, hex("00"))), runs{});
}

TEST(PgSkim, KeepsWhatCannotBe) {
  auto whole = lowrite(100'000);
  for (const auto size : {100'003U, 0x7fffffffU, 0xffffffffU, 0x80000000U}) {
    store_be(whole.data() + 23, size);
    EXPECT_EQ(skipped(whole), runs{}) << size;
  }
  whole = lowrite(100'000);
  store_be(whole.data() + 9, std::uint16_t{0xffff});  // so many formats would fill the message
  EXPECT_EQ(skipped(whole).size(), 0U);
  EXPECT_EQ(skipped(message('B', bytes(50'000, 'x'), {}, {})), runs{});  // names without an end
}

}  // namespace
}  // namespace codecs::pg
