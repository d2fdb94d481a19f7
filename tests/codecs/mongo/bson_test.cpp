#include "codecs/mongo/bson.hpp"

#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

#include <pthread.h>

#include <limits>
#include <memory>

namespace codecs::mongo {
namespace {

using tests::bytes;
using tests::hex;
using tests::nested;

// In a heap block of its own size, so that ASan sees a read past it.
fault validate_exactly(const bytes& data) {
  const auto block = std::make_unique<std::uint8_t[]>(data.size());
  std::copy(data.begin(), data.end(), block.get());
  return validate({block.get(), data.size()});
}

void expect_fault(const bytes& data, errc code, const char* field) {
  const fault found = validate_exactly(data);
  EXPECT_EQ(found.code, code) << tests::to_hex(data);
  EXPECT_STREQ(found.field, field) << tests::to_hex(data);
}

bson_iter_t at(const bytes& document, const char* key) {
  return lookup(document, key).value();
}

TEST(MongoBson, TheRecipeIsTheOneOfTheCase) {
  EXPECT_EQ(nested(2), hex("15000000 03 6400 0d000000 03 6400 05000000 00 00 00"));
  EXPECT_EQ(nested(100).size(), 805u);
}

TEST(MongoBson, ValidatesToTheDocumentedDepthAndNotBeyond) {
  EXPECT_FALSE(validate_exactly(nested(0)));
  EXPECT_FALSE(validate_exactly(nested(100)));
  EXPECT_FALSE(validate_exactly(nested(max_depth)));
  EXPECT_FALSE(validate_exactly(nested(max_depth, 0x04)));
  expect_fault(nested(max_depth + 1), errc::remote_too_deep, "document");
  expect_fault(nested(10'000), errc::remote_too_deep, "document");
}

void* validate_deep(void* found) {
  const auto document = nested(10'000);
  *static_cast<bool*>(found) =
      !validate(nested(max_depth)) && validate(document).code == errc::remote_too_deep;
  return nullptr;
}

TEST(MongoBson, ValidatesOnASmallStack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  pthread_t thread;
  bool as_expected = false;
  ASSERT_EQ(pthread_create(&thread, &attributes, validate_deep, &as_expected), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_TRUE(as_expected);
}

TEST(MongoBson, ValidatesEveryType) {
  EXPECT_FALSE(validate_exactly(tests::bson(
      R"({"d": 1.5, "s": "x", "o": {"a": [1, {"b": null}]}, "b": {"$binary": {"base64": "AAE=", "subType": "02"}},
          "u": {"$undefined": true}, "i": {"$oid": "000000000000000000000000"}, "t": true, "w": {"$date": 0},
          "r": {"$regularExpression": {"pattern": "a", "options": "i"}}, "c": {"$code": "x", "$scope": {"y": 1}},
          "k": {"$code": "x"}, "y": {"$symbol": "x"}, "n": 1, "l": {"$numberLong": "1"},
          "ts": {"$timestamp": {"t": 1, "i": 1}}, "x": {"$numberDecimal": "1.5"}, "m": {"$minKey": 1},
          "z": {"$maxKey": 1}})")));
}

TEST(MongoBson, NamesWhatIsWrong) {
  expect_fault(hex("04000000"), errc::remote_bad_length, "document length");
  expect_fault({}, errc::remote_bad_length, "document length");
  expect_fault(hex("06000000 00"), errc::remote_bad_length, "document length");
  expect_fault(hex("05000000 00 00"), errc::remote_trailing_bytes, "document length");
  expect_fault(hex("ffffffff 00"), errc::remote_bad_length, "document length");
  expect_fault(hex("05000000 01"), errc::remote_bad_value, "document end");
  expect_fault(hex("08000000 08 6100 00"), errc::remote_bad_value, "element");     // a bool without its byte
  expect_fault(hex("09000000 08 6100 02 00"), errc::remote_bad_value, "element");  // a bool of value 2
  expect_fault(hex("09000000 55 6100 01 00"), errc::remote_bad_value, "element");  // no such type
  expect_fault(hex("08000000 0a 6161 00"), errc::remote_bad_value, "element");     // a key without its NUL
  expect_fault(hex("0d000000 03 6400 06000000 00 00"), errc::remote_bad_value,
               "element");  // reaches past the end
  expect_fault(hex("0d000000 03 6400 04000000 00 00"), errc::remote_bad_length, "document length");
  expect_fault(hex("0d000000 03 6400 05000000 01 00"), errc::remote_bad_value, "document end");
  // A scope whose document ends on 01.
  expect_fault(hex("1a000000 0f 6100 12000000 05000000 7878787800 05000000 01 00"), errc::remote_bad_value,
               "document end");
}

TEST(MongoBson, ReadsIntegersOfEveryNumericType) {
  const auto numbers = tests::bson(
      R"({"i": 7, "l": {"$numberLong": "9223372036854775807"}, "d": 7.0, "negative": -7.0, "half": 0.5,
          "large": 1e19, "nan": {"$numberDouble": "NaN"}, "s": "7", "t": true})");
  EXPECT_EQ(integer(at(numbers, "i")), 7);
  EXPECT_EQ(integer(at(numbers, "l")), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer(at(numbers, "d")), 7);
  EXPECT_EQ(integer(at(numbers, "negative")), -7);
  EXPECT_EQ(integer(at(numbers, "half")), std::nullopt);
  EXPECT_EQ(integer(at(numbers, "large")), std::nullopt);
  EXPECT_EQ(integer(at(numbers, "nan")), std::nullopt);
  EXPECT_EQ(integer(at(numbers, "s")), std::nullopt);
  EXPECT_EQ(integer(at(numbers, "t")), std::nullopt);
}

TEST(MongoBson, LooksUpTheFirstOfEqualKeys) {
  // {a: int32 1, a: int32 2}: duplicate keys are legal on the wire.
  const auto twice = hex("13000000 10 6100 01000000 10 6100 02000000 00");
  EXPECT_EQ(integer(at(twice, "a")), 1);
  EXPECT_EQ(lookup(twice, "b").has_value(), false);
  EXPECT_EQ(first_key(twice), "a");
  EXPECT_EQ(first_key(hex("0500000000")), "");
}

TEST(MongoBson, ShowsValuesInPlace) {
  const auto document = tests::bson(R"({"s": "abc", "o": {"x": 1}})");
  EXPECT_EQ(text(at(document, "s")), "abc");
  EXPECT_EQ(text(at(document, "o")), "");
  EXPECT_EQ(tests::to_hex(raw_value(at(document, "s"))), "0400000061626300");
  EXPECT_EQ(tests::to_json(embedded(at(document, "o"))), R"({ "x" : 1 })");
  EXPECT_EQ(embedded(at(document, "s")).data(), nullptr);
}

TEST(MongoBson, AClearedDocumentKeepsItsMemory) {
  document built;
  const std::string long_text(1000, 'x');
  append_text(built.get(), "a", long_text);
  const auto* memory = built.view().data();
  built.clear();
  EXPECT_EQ(tests::to_hex(built.view()), "0500000000");
  append_text(built.get(), "a", long_text);
  EXPECT_EQ(built.view().data(), memory);
}

}  // namespace
}  // namespace codecs::mongo
