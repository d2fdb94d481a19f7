// The arrows between folders, read from the #include lines. What is not allowed here is forbidden: a new dependency is
// a line in this file, and so a decision.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Files whose path starts with `from` may include what starts with `to`.
struct arrow {
  std::string_view from;
  std::string_view to;
};

constexpr arrow own_headers[] = {
    {"codecs/", "codecs/"},
    {"wire/", "wire/"},
    {"wire/", "codecs/"},
    {"fixtures/", "fixtures/"},
    {"fixtures/", "codecs/"},
    {"fixtures/", "wire/endpoint."},
    {"fixtures/", "wire/transport."},
    {"fixtures/", "wire/channel."},
    {"fixtures/", "wire/status."},
    {"bench/", "bench/"},
    {"bench/", "wire/"},
    {"bench/", "codecs/"},
    {"bench/", "fixtures/datasets."},
    {"tools/", "tools/"},
    {"tools/", "bench/"},
    {"tools/", "fixtures/"},
    {"tools/", "wire/"},
    {"tools/", "codecs/"},
};

constexpr arrow libraries[] = {
    {"", "fmt/"},
    {"tests/", ""},
    {"codecs/", "boost/system/"},
    {"codecs/", "boost/crc.hpp"},
    {"codecs/", "bson/"},
    {"codecs/", "zlib.h"},
    {"codecs/", "snappy.h"},
    {"codecs/", "zstd.h"},
    {"codecs/scram.", "openssl/"},
    {"codecs/scram.", "stringprep.h"},
    {"codecs/pg/auth.", "openssl/"},
    {"codecs/pg/auth.", "stringprep.h"},
    {"wire/", "boost/asio"},
    {"wire/", "liburing.h"},
    {"wire/status.", "absl/"},
    {"wire/strategy/digest_sink.", "openssl/"},
    {"wire/endpoint.cpp", "libpq-fe.h"},
    {"wire/endpoint.cpp", "mongoc/"},
    {"bench/", "absl/"},
    {"bench/", "boost/math/"},
    {"bench/", "nlohmann/"},
    {"bench/", "zlib.h"},
    {"bench/drivers/", "libpq-fe.h"},
    {"bench/drivers/", "libpq/"},
    {"bench/drivers/", "mongoc/"},
    {"bench/drivers/", "bson/"},
    // process, pg_cluster and mongo_peers, and the parts that they are made of
    {"fixtures/process.", "absl/"},
    {"fixtures/listener.", "absl/"},
    {"fixtures/temp_dir.", "absl/"},
    {"fixtures/program.", "absl/"},
    {"fixtures/peer_folder.", "absl/"},
    {"fixtures/venv.", "absl/"},
    {"fixtures/mongo_java_server.", "absl/"},
    {"fixtures/ferretdb.", "absl/"},
    {"fixtures/pg_cluster.", "absl/"},
    {"fixtures/mongo_peers.", "absl/"},
    {"tools/", "absl/"},
    {"tools/", "boost/"},
    {"tools/", "bson/"},
    {"tools/", "mongoc/"},
    {"tools/", "libpq"},
    {"tools/", "nlohmann/"},
    {"tools/", "CLI/"},
    {"tools/", "toml++/"},
};

/// POSIX and Linux, for every folder but codecs.
constexpr std::string_view system_headers[] = {"arpa/",     "dlfcn.h",   "errno.h", "fcntl.h",  "grp.h",
                                               "linux/",    "malloc.h",  "netdb.h", "netinet/", "poll.h",
                                               "pthread.h", "pwd.h",     "sched.h", "signal.h", "stdlib.h",
                                               "sys/",      "termios.h", "time.h",  "unistd.h"};

constexpr std::string_view folders[] = {"codecs", "wire", "bench", "fixtures", "tools", "tests"};

bool allows(const arrow& arrow, std::string_view file, std::string_view header) {
  return file.starts_with(arrow.from) && header.starts_with(arrow.to);
}

/// <vector>, <cstdint>: no folder and no ending.
bool is_standard(std::string_view header) {
  return header.find_first_of("./") == header.npos;
}

bool is_system(std::string_view header) {
  return std::any_of(std::begin(system_headers), std::end(system_headers),
                     [&](std::string_view known) { return header.starts_with(known); });
}

bool may_include(std::string_view file, std::string_view header) {
  const auto allowed = [&](const arrow& arrow) { return allows(arrow, file, header); };
  return is_standard(header) || (is_system(header) && !file.starts_with("codecs/")) ||
         std::any_of(std::begin(own_headers), std::end(own_headers), allowed) ||
         std::any_of(std::begin(libraries), std::end(libraries), allowed);
}

std::vector<std::string> included_by(const std::filesystem::path& file) {
  static const std::regex include(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<std::string> headers;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    std::smatch found;
    if (std::regex_search(line, found, include)) headers.push_back(found[1]);
  }
  return headers;
}

class layering : public testing::TestWithParam<std::string_view> {};

TEST_P(layering, follows_the_arrows) {
  const std::filesystem::path root = WIREBENCH_SOURCE_ROOT;
  std::size_t includes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / GetParam())) {
    const auto ending = entry.path().extension();
    if (ending != ".hpp" && ending != ".cpp") continue;
    const std::string file = std::filesystem::relative(entry.path(), root);
    for (const auto& header : included_by(entry.path())) {
      ++includes;
      EXPECT_TRUE(may_include(file, header)) << file << " may not include " << header;
    }
  }
  EXPECT_GT(includes, 0U) << "nothing was read";
}

/// foo.cpp includes foo.hpp before anything else, which proves that the header stands alone; the headers without a .cpp are
/// compiled by themselves (meson.build).
TEST_P(layering, sources_begin_with_their_own_header) {
  const std::filesystem::path root = WIREBENCH_SOURCE_ROOT;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / GetParam())) {
    auto header = entry.path();
    if (header.extension() != ".cpp" || !std::filesystem::exists(header.replace_extension(".hpp"))) continue;
    const auto included = included_by(entry.path());
    ASSERT_FALSE(included.empty()) << entry.path();
    EXPECT_EQ(included.front(), std::filesystem::relative(header, root).string()) << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(tree, layering, testing::ValuesIn(folders),
                         [](const auto& folder) { return std::string(folder.param); });

TEST(arrows, that_lead_upwards_are_forbidden) {
  EXPECT_FALSE(may_include("codecs/reader.cpp", "wire/channel.hpp"));
  EXPECT_FALSE(may_include("wire/channel.cpp", "bench/peer.hpp"));
  EXPECT_FALSE(may_include("wire/channel.cpp", "fixtures/datasets.hpp"));
  EXPECT_FALSE(may_include("fixtures/null_pg.cpp", "bench/peer.hpp"));
  EXPECT_FALSE(may_include("fixtures/null_pg.cpp", "wire/pg/client.hpp"));
  EXPECT_FALSE(may_include("bench/runner.cpp", "fixtures/process.hpp"));
  EXPECT_FALSE(may_include("bench/runner.cpp", "tools/options.hpp"));
  EXPECT_FALSE(may_include("tools/wirebench.cpp", "tests/support/hex.hpp"));
}

TEST(arrows, to_libraries_hold_for_their_folders_alone) {
  EXPECT_FALSE(may_include("codecs/reader.cpp", "unistd.h"));
  EXPECT_FALSE(may_include("codecs/reader.cpp", "boost/asio/buffer.hpp"));
  EXPECT_FALSE(may_include("codecs/mongo/frame.cpp", "openssl/evp.h"));
  EXPECT_FALSE(may_include("wire/pg/client.cpp", "libpq-fe.h"));
  EXPECT_FALSE(may_include("wire/channel.cpp", "absl/status/status.h"));
  EXPECT_FALSE(may_include("bench/runner.cpp", "mongoc/mongoc.h"));
  EXPECT_FALSE(may_include("fixtures/null_mongo.cpp", "absl/status/status.h"));
  EXPECT_FALSE(may_include("fixtures/datasets.cpp", "bson/bson.h"));
  EXPECT_FALSE(may_include("wire/channel.cpp", "some_new_library.h"));
}

TEST(arrows, of_the_design_are_allowed) {
  EXPECT_TRUE(may_include("codecs/pg/auth.cpp", "openssl/evp.h"));
  EXPECT_TRUE(may_include("wire/endpoint.cpp", "libpq-fe.h"));
  EXPECT_TRUE(may_include("wire/channel.cpp", "sys/uio.h"));
  EXPECT_TRUE(may_include("bench/ladder.cpp", "fixtures/datasets.hpp"));
  EXPECT_TRUE(may_include("fixtures/null_pg.cpp", "wire/channel.hpp"));
  EXPECT_TRUE(may_include("tools/peers.cpp", "fixtures/null_pg.hpp"));
  EXPECT_TRUE(may_include("tests/wire/channel_test.cpp", "gtest/gtest.h"));
  EXPECT_TRUE(may_include("codecs/reader.cpp", "vector"));
}

}  // namespace
