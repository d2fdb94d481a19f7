#include "codecs/mongo/frame.hpp"

#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::hex;

// Case C19: cut after 4, 15, 16, 17 and every other number of bytes.
TEST(MongoFrame, AsksForWhatIsMissingAndConsumesNothing) {
  const auto frame = hex(R"(
    1a000000  # messageLength 26
    01000000  # requestID
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00 0500000000)");
  EXPECT_EQ(scan({}).need, 16u);
  EXPECT_EQ(scan(bytes_view(frame).first(3)).need, 13u);
  EXPECT_EQ(scan(bytes_view(frame).first(4)).need, 22u);
  EXPECT_EQ(scan(bytes_view(frame).first(15)).need, 11u);
  EXPECT_EQ(scan(bytes_view(frame).first(16)).need, 10u);
  EXPECT_EQ(scan(bytes_view(frame).first(17)).need, 9u);
  EXPECT_EQ(scan(frame).size, 26u);
  EXPECT_EQ(scan(frame).need, 0u);
}

struct bad_length {
  const char* name;
  const char* bytes;
  const char* complaint = "messageLength";
};
class MongoBadLength : public testing::TestWithParam<bad_length> {};

// Case C10 a to d: refused on the four bytes of the length.
TEST_P(MongoBadLength, IsRefusedOnTheLengthAlone) {
  const auto found = scan(hex(GetParam().bytes));
  EXPECT_EQ(found.error.code, errc::remote_bad_length);
  EXPECT_STREQ(found.error.field, GetParam().complaint);
  EXPECT_EQ(found.need, 0u);
  EXPECT_EQ(found.size, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    C10, MongoBadLength,
    testing::Values(bad_length{"zero", "00000000"},
                    bad_length{"below_header", "0f0000000000000000000000000000"},
                    bad_length{"above_limit", "016cdc02", "messageLength is over 48,000,000"},
                    bad_length{"above_limit_whole_header", "016cdc02 09000000 00000000 dd070000",
                               "messageLength is over 48,000,000"},
                    bad_length{"negative", "ffffffff"}),
    [](const auto& each) { return each.param.name; });

TEST(MongoFrame, TakesTheLargestLengthThereIs) {
  // 006cdc02 is 48,000,000.
  EXPECT_EQ(scan(hex("006cdc02")).need, 48'000'000u - 4);
}

TEST(MongoFrame, PeeksAtTheHeaderOfAnyOpcode) {
  const auto header = peek_header(hex(R"(
    10000000  # messageLength 16
    feffffff  # requestID -2
    03000000  # responseTo 3
    dc070000  # opCode 2012)"));
  EXPECT_EQ(header.length, 16);
  EXPECT_EQ(header.request_id, -2);
  EXPECT_EQ(header.response_to, 3);
  EXPECT_EQ(header.op, op_code::compressed);
}

TEST(MongoFrame, RequestIdsDiffer) {
  request_ids ids;
  const auto first = ids.next();
  EXPECT_NE(first, ids.next());
}

}  // namespace
}  // namespace codecs::mongo
