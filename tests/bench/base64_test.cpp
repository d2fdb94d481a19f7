#include "bench/base64.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace bench {
namespace {

std::vector<std::uint8_t> bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

// The test vectors of RFC 4648, section 10.
TEST(Base64, FollowsTheRfc) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(encode_base64(bytes(plain)), encoded);
    EXPECT_EQ(decode_base64(encoded), bytes(plain)) << encoded;
  }
  EXPECT_EQ(encode_base64(std::vector<std::uint8_t>{0xfb, 0xff, 0xfe}), "+//+");
  EXPECT_EQ(decode_base64("+//+"), (std::vector<std::uint8_t>{0xfb, 0xff, 0xfe}));
}

TEST(Base64, RefusesWhatNobodyEncoded) {
  for (const auto* text :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm9v\n", "Zm 9", "Zm-v", "Zg==Zg==", "=Zg="}) {
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace bench
