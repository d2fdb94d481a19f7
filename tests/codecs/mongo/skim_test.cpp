#include "codecs/mongo/skim.hpp"

#include "tests/codecs/skipped.hpp"

namespace codecs::mongo {
namespace {

using tests::add;
using tests::bytes;
using tests::hex;
using tests::runs;

bytes le32(std::size_t value) {
  bytes raw(4);
  store_le(raw.data(), static_cast<std::uint32_t>(value));
  return raw;
}

/// A document of that size in form alone: length, filling, terminator.
bytes document_of(std::size_t size) {
  bytes made = le32(size);
  made.resize(size - 1, 'x');
  made.push_back(0);
  return made;
}

struct message {
  std::string_view identifier = "documents";
  std::vector<std::size_t> documents;
  std::uint32_t flags = 0;

  /// Header 16, flags 4, body 1 + 5, then 1 + 4 + identifier and NUL, then the documents: the first one at 41 if these are
  /// "documents".
  bytes encoded() const {
    bytes sequence;
    add(sequence, bytes(identifier.begin(), identifier.end()));
    sequence.push_back(0);
    for (const auto size : documents) add(sequence, document_of(size));
    bytes rest = le32(flags);
    add(rest, hex("00 05000000 00 01"));
    add(rest, le32(4 + sequence.size()));
    add(rest, sequence);
    bytes whole = le32(16 + rest.size());
    add(whole, hex("07000000 00000000 dd070000"));
    add(whole, rest);
    return whole;
  }
};

constexpr std::size_t first_document = 41;

runs skipped(const bytes& whole) {
  return tests::skipped(skim, whole);
}

TEST(MongoSkim, SkipsTheInsideOfALargeDocument) {
  // 256 bytes come with the head; the terminator is kept.
  const auto whole = message{.documents = {100'000}}.encoded();
  EXPECT_EQ(skipped(whole), (runs{{256, first_document + 100'000 - 1 - 256}}));
}

TEST(MongoSkim, KeepsLengthsOfSeveral) {
  const auto whole = message{.documents = {100'000, 50'000, 30, 20'000}}.encoded();
  constexpr std::size_t second = first_document + 100'000, third = second + 50'000;
  EXPECT_EQ(skipped(whole), (runs{{256, second - 1 - 256},
                                  {second - 1 + 256, third - 1 - (second - 1 + 256)},
                                  {third - 1 + 256, 30 + 20'000 - 256}}));
}

/// However little arrives at a time, wishes never reach into lengths and ends.
TEST(MongoSkim, SkipsPayloadAloneWhereverItIsAsked) {
  const auto whole = message{.documents = {20'000, 17'000}}.encoded();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto wants = skim(bytes_view(whole).first(at));
    const auto inside = [&](std::size_t document, std::size_t size) {
      return at >= document + 4 && at < document + size - 1;
    };
    const bool payload = inside(first_document, 20'000) || inside(first_document + 20'000, 17'000);
    ASSERT_EQ(wants.skip != 0, payload) << at;
    if (payload) {
      ASSERT_EQ(whole[at + wants.skip], 0) << at;  // the terminator
    }
  }
}

TEST(MongoSkim, KeepsWhatIsSmallNamedOtherwiseOrCoveredByAChecksum) {
  EXPECT_EQ(skipped(message{.documents = {16'384}}.encoded()), runs{});
  EXPECT_EQ(skipped(message{.documents = std::vector<std::size_t>(1000, 400)}.encoded()), runs{});
  EXPECT_EQ(skipped(message{.identifier = "updates", .documents = {100'000}}.encoded()), runs{});
  EXPECT_EQ(skipped(message{.documents = {100'000}, .flags = 1}.encoded()), runs{});
}

TEST(MongoSkim, KeepsWhatCannotBe) {
  auto whole = message{.documents = {100'000}}.encoded();
  for (const auto length : {0U, 4U, 100'001U, 0xffffffffU}) {
    store_le(whole.data() + first_document, length);
    EXPECT_EQ(skipped(whole), runs{}) << length;
  }
  whole = message{.documents = {100'000}}.encoded();
  for (const auto size : {0U, 200'000U, 0xffffffffU}) {
    store_le(whole.data() + 27, size);  // of the section
    EXPECT_EQ(skipped(whole), runs{}) << size;
  }
}

}  // namespace
}  // namespace codecs::mongo
