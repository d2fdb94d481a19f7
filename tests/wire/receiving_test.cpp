#include "wire/strategy/receiving.hpp"

#include "wire/pipeline.hpp"
#include "wire/strategy/memory_sink.hpp"
#include "wire/strategy/splice_sink.hpp"

#include "tests/wire/temp_file.hpp"
#include "tests/wire/toy_download.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>

namespace {

using codecs::errc;
using tests::connected;
using tests::giving_storage;
using tests::toy_download;

std::string content_of(const std::string& path) {
  std::ifstream stream(path);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

class Receiving : public testing::TestWithParam<wire::receiving> {
 protected:
  void receive_on(wire::channel& channel) { EXPECT_EQ(wire::receive_by(channel, GetParam()), ""); }

  giving_storage storage_;
};

TEST_P(Receiving, WritesTheSameBytesIntoAFile) {
  const tests::temp_file file;
  connected from(storage_);
  receive_on(from.channel);
  const auto sink = GetParam().make_file();
  ASSERT_TRUE(sink->open(file.path())) << sink->why();
  toy_download download(50, *sink);
  const auto result = transfer(from.channel, download, *sink);
  ASSERT_FALSE(result.error) << result.why;
  ASSERT_TRUE(sink->close(wire::file_sink::durability::page_cache)) << sink->why();
  std::string expected;
  for (int i = 0; i < 50; ++i) expected.append(codecs::as_text(storage_.payload));
  EXPECT_TRUE(content_of(file.path()) == expected);
  EXPECT_EQ(result.report.payload_bytes, 500'000);
  EXPECT_EQ(result.report.wire_bytes_in, 50 * 10'004u);
  EXPECT_EQ(sink->counters().copied_bytes, 0u);
  if (GetParam().name == "splice") {
    EXPECT_LE(result.report.copied_bytes, 50 * 4u) << "heads";
  }
}

TEST_P(Receiving, PutsTheSameBytesIntoMemory) {
  if (GetParam().needs_file) GTEST_SKIP() << "it serves files alone";
  connected from(storage_);
  receive_on(from.channel);
  std::vector<std::uint8_t> memory(500'000);
  wire::memory_sink sink(memory);
  toy_download download(50, sink);
  const auto result = transfer(from.channel, download, sink);
  ASSERT_FALSE(result.error) << result.why;
  for (std::size_t at = 0; at < memory.size(); at += 10'000) {
    ASSERT_TRUE(std::ranges::equal(sink.bytes().subspan(at, 10'000), storage_.payload)) << at;
  }
  EXPECT_EQ(sink.counters().copied_bytes, GetParam().directly ? 0u : 500'000u);
}

// The limit of a file's size stands for a disk that is full after two frames and a half.
TEST_P(Receiving, TellsThatTheFileCannotGrow) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{25'000, before.rlim_max};
  const tests::temp_file file;
  connected from(storage_);
  receive_on(from.channel);
  const auto sink = GetParam().make_file();
  ASSERT_TRUE(sink->open(file.path())) << sink->why();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  toy_download download(10, *sink);
  const auto result = transfer(from.channel, download, *sink);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result.error, errc::local_payload);
  EXPECT_NE(result.why.find(file.path() + ": File too large, after 2"), result.why.npos) << result.why;
  EXPECT_TRUE(from.channel.usable());
  EXPECT_EQ(content_of(file.path()).size(), 25'000u);

  wire::discard_sink next;
  toy_download again(3, next);
  EXPECT_FALSE(from.channel.run(again)) << from.channel.why();
  EXPECT_EQ(next.counters().payload_bytes, 30'000);
}

TEST_P(Receiving, TellsThatThePeerHasClosedMidChunk) {
  const tests::temp_file file;
  tests::socket_pair pair;
  wire::channel channel(wire::make_socket_transport(pair.take_client()));
  receive_on(channel);
  pair.serve([&](int fd) {
    std::vector<std::uint8_t> piece(6'000, 'x');
    piece[0] = 10'004 & 0xff;
    piece[1] = 10'004 >> 8;
    piece[2] = piece[3] = 0;
    std::uint8_t request[8];
    EXPECT_EQ(::read(fd, request, sizeof request), 8);
    EXPECT_EQ(::write(fd, piece.data(), piece.size()), 6'000);
  });
  const auto sink = GetParam().make_file();
  ASSERT_TRUE(sink->open(file.path())) << sink->why();
  toy_download download(2, *sink);
  const auto result = transfer(channel, download, *sink);
  EXPECT_EQ(result.error, errc::remote_hang_up) << result.why;
  EXPECT_EQ(sink->counters().payload_bytes, 0);
  EXPECT_FALSE(channel.usable());
}

INSTANTIATE_TEST_SUITE_P(of, Receiving, testing::ValuesIn(wire::receive_strategies()),
                         [](const auto& is) { return std::string(is.param.name); });

TEST(Receiving, NamesThem) {
  std::string names;
  for (const auto& strategy : wire::receive_strategies()) names.append(strategy.name).append(" ");
  EXPECT_EQ(names, "staged direct mirrored splice ");
  EXPECT_EQ(wire::find_receiving("direkt"), nullptr);
  EXPECT_EQ(wire::find_receiving("splice")->needs_file, true);
}

// What an earlier read has brought stays there when the buffer is another one.
TEST(Receiving, KeepsWhatIsUnread) {
  giving_storage storage;
  connected from(storage);
  wire::discard_sink sink;
  constexpr std::uint8_t three_more[] = {8, 0, 0, 0, 3, 0, 0, 0};
  ASSERT_EQ(from.channel.write_some(three_more).bytes, 8u);
  for (const auto& strategy : wire::receive_strategies()) {
    ASSERT_EQ(wire::receive_by(from.channel, strategy), "");
    toy_download download(7, sink);
    ASSERT_FALSE(from.channel.run(download)) << from.channel.why();
  }
  EXPECT_EQ(sink.counters().payload_bytes, 280'000);
}

/// More than a pipe holds: what cannot be kept must not stay in it.
TEST(SpliceSink, ThrowsAwayWhatCannotBeKept) {
  ::signal(SIGXFSZ, SIG_IGN);
  constexpr std::size_t size = 3 * 1024 * 1024;
  const tests::temp_file file;
  tests::socket_pair pair;
  const int socket = pair.take_client();
  pair.serve([](int fd) {
    const std::vector<std::uint8_t> payload(size, 'x');
    EXPECT_EQ(::write(fd, payload.data(), size), static_cast<ssize_t>(size));
  });
  wire::splice_sink sink;
  ASSERT_TRUE(sink.open(file.path()));
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto place = sink.place(size);
  ASSERT_EQ(place.size(), size);
  std::size_t received = 0;
  while (received < size) {
    const auto got = sink.receive(socket, place.subspan(received), true);
    ASSERT_EQ(got.error, 0);
    ASSERT_NE(got.bytes, 0u);
    received += got.bytes;
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(sink.put(place));
  EXPECT_EQ(sink.why(), file.path() + ": File too large, after 0 bytes");
  EXPECT_TRUE(sink.place(10'000).empty());
  ::close(socket);
}

TEST(SpliceSink, WritesWhatDoesNotLandLikeAnyOther) {
  const tests::temp_file file;
  wire::splice_sink sink;
  ASSERT_TRUE(sink.open(file.path()));
  EXPECT_TRUE(sink.put(codecs::as_bytes("three")));
  EXPECT_TRUE(sink.put(codecs::as_bytes("two")));
  EXPECT_TRUE(sink.place((std::size_t{1} << 30) + 1).empty());
  EXPECT_EQ(content_of(file.path()), "threetwo");
}

}  // namespace
