#include "wire/pipeline.hpp"

#include "wire/strategy/file_sink.hpp"
#include "wire/strategy/memory_sink.hpp"

#include "tests/wire/pipeline_peer.hpp"
#include "tests/wire/temp_file.hpp"
#include "tests/wire/toy_download.hpp"
#include "tests/wire/toy_upload.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <vector>

namespace {

using codecs::errc;
using tests::connected;
using tests::giving_storage;
using tests::random_bytes;
using tests::sha256;
using tests::toy_download;

constexpr std::size_t chunk_bytes = 261'120;  // GridFS's default

/// By its name, from the owner that it needs: `file`, if it has a choice of none, or its bytes.
std::unique_ptr<wire::source> make_source(std::string_view strategy, const tests::temp_file& file,
                                          codecs::bytes_view bytes) {
  const auto all = wire::source_strategies();
  const auto named = std::ranges::find(all, strategy, &wire::source_strategy::name);
  const bool from_file = named->needs == wire::source_strategy::kind::file;
  auto made =
      wire::make_source(strategy, from_file ? wire::owner(wire::file_path{file.path()}) : wire::owner(bytes));
  EXPECT_NE(made.source, nullptr) << made.problem;
  return std::move(made.source);
}

/// What a strategy can send over.
tests::socket_pair::kind socket_for(std::string_view strategy) {
  using kind = tests::socket_pair::kind;
  return strategy == "zerocopy" ? kind::tcp : kind::unix_socket;
}

/// Each socket holds less than a chunk. A smaller window than that makes TCP wait for its timers.
void shrink(tests::socket_pair& pair, std::string_view strategy) {
  const bool over_tcp = socket_for(strategy) == tests::socket_pair::kind::tcp;
  pair.shrink(over_tcp ? 64 * 1024 : 16 * 1024);
}

/// Strategies that this system has.
std::vector<std::string_view> strategies() {
  std::vector<std::string_view> names;
  for (const auto& one : wire::source_strategies()) {
    if (one.refusal == nullptr || one.refusal().empty()) names.push_back(one.name);
  }
  return names;
}

/// Uploads by a strategy, and returns the report once the peer has summed up the same bytes.
wire::transfer_report uploaded(std::string_view strategy, codecs::bytes_view bytes, std::size_t window) {
  const tests::temp_file file(bytes);
  const auto source = make_source(strategy, file, bytes);
  wire::digest_sink received;
  wire::transfer_result result;
  {
    tests::toy_storage storage(&received);
    connected to(storage, wire::receive_strategy::store, socket_for(strategy));
    tests::toy_upload upload(*source, chunk_bytes, window);
    result = transfer(to.channel, upload, *source);
    EXPECT_FALSE(result.error) << result.why;
  }
  EXPECT_EQ(received.sha256(), sha256(bytes)) << strategy << " of " << bytes.size();
  return result.report;
}

TEST(Pipeline, UploadsTheSameBytesByEachStrategy) {
  for (const auto strategy : strategies()) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, chunk_bytes - 1, chunk_bytes,
                                   chunk_bytes + 1, 2 * chunk_bytes, 3'000'019ul}) {
      const auto bytes = random_bytes(size);
      const auto report = uploaded(strategy, bytes, 4);
      const auto chunks = (size + chunk_bytes - 1) / chunk_bytes;
      EXPECT_EQ(report.payload_bytes, static_cast<std::int64_t>(size));
      EXPECT_EQ(report.frames_out, chunks);
      EXPECT_EQ(report.frames_in, chunks);
      EXPECT_EQ(report.wire_bytes_out, size + 4 * chunks);
      EXPECT_EQ(report.wire_bytes_in, 5 * chunks);
    }
  }
}

TEST(Pipeline, CopiesNothingThatIsBorrowed) {
  const auto bytes = random_bytes(20 * chunk_bytes);
  EXPECT_EQ(uploaded("gather", bytes, 4).copied_bytes, 0u);
  EXPECT_EQ(uploaded("mmap", bytes, 4).copied_bytes, 0u);
  EXPECT_EQ(uploaded("sendfile", bytes, 4).copied_bytes, 0u);
  EXPECT_EQ(uploaded("splice", bytes, 4).copied_bytes, 0u);
  EXPECT_EQ(uploaded("zerocopy", bytes, 4).copied_bytes, 0u);
  EXPECT_EQ(uploaded("reuse", bytes, 4).copied_bytes, bytes.size());
}

TEST(Pipeline, CountsHowOftenItWaitedWithNothingToSend) {
  const auto bytes = random_bytes(20 * chunk_bytes);
  EXPECT_EQ(uploaded("gather", bytes, 1).round_trips, 20u);
  EXPECT_EQ(uploaded("reuse", bytes, 4).round_trips, 20u);
  EXPECT_EQ(uploaded("gather", bytes, 20).round_trips, 1u);
}

TEST(Pipeline, CountsSystemCallsOfTheSocketAndOfTheSource) {
  const auto bytes = random_bytes(3 * chunk_bytes);
  const auto report = uploaded("mmap", bytes, 1);
  EXPECT_GE(report.socket_calls, 6u);  // more where the socket did not take a chunk at once
  EXPECT_EQ(report.end_calls, 2u);     // one mmap(2), one fstat(2)
  EXPECT_GT(report.cpu_ns, 0);
}

/// Cuts a file when the first frame has arrived, and only then answers.
class cutting_storage final : public codecs::conversation {
 public:
  cutting_storage(tests::temp_file& file, std::int64_t to) : file_(file), to_(to) {}

  codecs::scan_result scan(codecs::bytes_view unread) const override { return storage_.scan(unread); }
  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    file_.resize(to_);
    return storage_.on_frame(frame, out);
  }

 private:
  tests::temp_file& file_;
  std::int64_t to_;
  tests::toy_storage storage_;
};

// The second chunk is on its way and passes the end of the file. Without a kernel in between, mmap would end by SIGBUS.
TEST(Pipeline, TellsThatAFileHasShrunkUnderItsChunks) {
  constexpr std::size_t mebibyte = 1024 * 1024;
  for (const auto* const strategy : {"mmap", "sendfile", "splice"}) {
    tests::temp_file file(random_bytes(3 * mebibyte));
    cutting_storage storage(file, mebibyte);
    connected to(storage);
    const auto made = wire::make_source(strategy, wire::file_path{file.path()});
    tests::toy_upload upload(*made.source, mebibyte, 2);
    const auto result = transfer(to.channel, upload, *made.source);
    EXPECT_EQ(result.error, errc::local_payload);
    EXPECT_EQ(result.why, "the payload could not be read or kept: " + file.path() +
                              " has shrunk from 3145728 to 1048576 bytes while it was sent");
    EXPECT_FALSE(to.channel.usable());
  }
}

// Case S14: a slow reader, and sockets that hold less than a chunk.
TEST(Pipeline, SendsToASlowReader) {
  const auto bytes = random_bytes(4 * chunk_bytes);
  const tests::temp_file file(bytes);
  for (const auto strategy : strategies()) {
    const auto source = make_source(strategy, file, bytes);
    wire::digest_sink received;
    {
      tests::socket_pair pair(socket_for(strategy));
      shrink(pair, strategy);
      wire::channel channel(wire::make_socket_transport(pair.take_client()));
      pair.serve([&](int fd) {
        tests::toy_storage storage(&received);
        wire::channel peer(wire::make_socket_transport(::dup(fd)));
        peer.serve(storage);
      });
      tests::toy_upload upload(*source, chunk_bytes, 4);
      const auto result = transfer(channel, upload, *source);
      EXPECT_FALSE(result.error) << result.why;
      EXPECT_GE(channel.counters().polls, 1u) << strategy;  // it waited within a chunk
      EXPECT_EQ(::fcntl(channel.native_handle(), F_GETFL) & O_NONBLOCK, 0);
    }
    EXPECT_EQ(received.sha256(), sha256(bytes)) << strategy;
  }
}

// A peer that answers two chunks and closes within the third. The same source serves the next upload from its first byte on.
TEST(Pipeline, TellsThatThePeerHasClosedMidChunk) {
  ::signal(SIGPIPE, SIG_IGN);  // as programs do: sendfile(2) and splice(2) cannot leave it out
  const auto bytes = random_bytes(8 * chunk_bytes);
  const tests::temp_file file(bytes);
  for (const auto strategy : strategies()) {
    const auto source = make_source(strategy, file, bytes);
    {
      tests::socket_pair pair(socket_for(strategy));
      shrink(pair, strategy);
      wire::channel channel(wire::make_socket_transport(pair.take_client()));
      pair.serve([&](int fd) {
        tests::toy_storage storage;
        wire::channel peer(wire::make_socket_transport(::dup(fd)));
        while (peer.counters().frames_in < 2) EXPECT_FALSE(peer.serve_some(storage));
        std::uint8_t some[100];
        EXPECT_GT(peer.read_some(some).bytes, 0u);
      });
      tests::toy_upload upload(*source, chunk_bytes, 4);
      const auto result = transfer(channel, upload, *source);
      EXPECT_TRUE(result.error) << strategy;
      EXPECT_FALSE(result.why.empty());
      EXPECT_FALSE(channel.usable());
    }
    source->rewind();
    wire::digest_sink received;
    {
      tests::toy_storage storage(&received);
      connected to(storage, wire::receive_strategy::store, socket_for(strategy));
      tests::toy_upload upload(*source, chunk_bytes, 4);
      const auto result = transfer(to.channel, upload, *source);
      EXPECT_FALSE(result.error) << strategy << ": " << result.why;
    }
    EXPECT_EQ(received.sha256(), sha256(bytes)) << strategy;
  }
}

/// On loopback each of them.
TEST(Pipeline, TellsThatTheKernelCopiedZeroCopySends) {
  const auto report = uploaded("zerocopy", random_bytes(20 * chunk_bytes), 4);
  EXPECT_GE(report.zerocopy_sends, 20u);
  EXPECT_EQ(report.zerocopy_copies, report.zerocopy_sends);
  EXPECT_EQ(wire::zerocopy_remark(20, 20),
            "the kernel copied 20 of 20 zero-copy sends anyway; on loopback it copies all");
  EXPECT_EQ(wire::zerocopy_remark(20, 0), "the kernel copied none of 20 zero-copy sends");
  EXPECT_EQ(wire::zerocopy_remark(0, 0), "");
}

/// Four buffers for 41 chunks, thrice over one connection, whose sends the kernel counts on and on.
TEST(Pipeline, ReusesBuffersThatTheKernelHasLetGo) {
  const auto bytes = random_bytes(41 * chunk_bytes);
  const tests::temp_file file(bytes);
  const auto made = wire::make_source("zerocopy", wire::file_path{file.path()}, {.buffers = 4});
  ASSERT_NE(made.source, nullptr) << made.problem;
  wire::digest_sink received;
  {
    tests::toy_storage storage(&received);
    connected to(storage, wire::receive_strategy::store, tests::socket_pair::kind::tcp);
    for (int i = 0; i < 3; ++i) {
      made.source->rewind();
      tests::toy_upload upload(*made.source, chunk_bytes, 16);
      const auto result = transfer(to.channel, upload, *made.source);
      ASSERT_FALSE(result.error) << result.why;
      EXPECT_GE(result.report.zerocopy_copies, 41u);
      msghdr message{};
      EXPECT_EQ(::recvmsg(to.channel.native_handle(), &message, MSG_ERRQUEUE | MSG_DONTWAIT), -1)
          << "a notice is left";
    }
  }
  auto thrice = bytes;
  thrice.insert(thrice.end(), bytes.begin(), bytes.end());
  thrice.insert(thrice.end(), bytes.begin(), bytes.end());
  EXPECT_EQ(received.sha256(), sha256(thrice));
}

TEST(Pipeline, SaysThatAUnixSocketHasNoZeroCopySends) {
  const auto bytes = random_bytes(10'000);
  const auto made = wire::make_source("zerocopy", codecs::bytes_view(bytes));
  tests::toy_storage storage;
  connected to(storage);
  tests::toy_upload upload(*made.source, chunk_bytes, 4);
  const auto result = transfer(to.channel, upload, *made.source);
  EXPECT_EQ(result.error, errc::local_payload);
  EXPECT_NE(
      result.why.find("this socket has no zero-copy sends, which TCP alone has: Operation not supported"),
      result.why.npos)
      << result.why;
  EXPECT_TRUE(to.channel.usable());
}

TEST(Pipeline, ASenderNeedsASocket) {
  const auto bytes = random_bytes(10'000);
  const tests::temp_file file(bytes);
  const auto source = make_source("splice", file, bytes);
  wire::channel in_memory(wire::make_memory_transport(std::make_unique<tests::toy_storage>()));
  tests::toy_upload upload(*source, chunk_bytes, 4);
  const auto result = transfer(in_memory, upload, *source);
  EXPECT_EQ(result.error, errc::local_payload);
  EXPECT_NE(result.why.find("this strategy sends over a socket, and there is none"), result.why.npos);
  EXPECT_TRUE(in_memory.usable());
}

// The file's last page stays, and what is cut off of it reads as zeros.
TEST(Pipeline, DoesNotCallAnUploadOfZerosASuccess) {
  tests::temp_file file(random_bytes(10'000));
  cutting_storage storage(file, 9'000);
  connected to(storage);
  const auto made = wire::make_source("mmap", wire::file_path{file.path()});
  tests::toy_upload upload(*made.source, 10'000, 2);
  const auto result = transfer(to.channel, upload, *made.source);
  EXPECT_EQ(result.error, errc::local_payload);
  EXPECT_NE(result.why.find("has shrunk from 10000 to 9000 bytes while it was sent"), result.why.npos)
      << result.why;
  EXPECT_TRUE(to.channel.usable());
}

std::int64_t kilobytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stoll(line.substr(key.size() + 1));
  }
  return -1;
}

/// Looks from time to time at what this program holds.
class watching_storage final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return storage_.scan(unread); }
  codecs::appetite skim(codecs::bytes_view unread) const override { return storage_.skim(unread); }
  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    if (frames++ % 64 == 0) {
      most_anonymous = std::max(most_anonymous, kilobytes("RssAnon:"));
      most_mapped = std::max(most_mapped, kilobytes("RssFile:"));
    }
    return storage_.on_frame(frame, out);
  }

  int frames = 0;
  std::int64_t most_anonymous = 0;
  std::int64_t most_mapped = 0;

 private:
  tests::toy_storage storage_;
};

TEST(Pipeline, HoldsAFewMebibytesOfAMappedFile) {
  constexpr std::int64_t size = std::int64_t{512} << 20;
  tests::temp_file file;
  file.resize(size);
  watching_storage storage;
  const auto anonymous = kilobytes("RssAnon:");
  const auto mapped = kilobytes("RssFile:");
  {
    connected to(storage, wire::receive_strategy::drain);
    const auto made = wire::make_source("mmap", wire::file_path{file.path()});
    tests::toy_upload upload(*made.source, 1024 * 1024, 4);
    const auto result = transfer(to.channel, upload, *made.source);
    EXPECT_FALSE(result.error) << result.why;
    EXPECT_EQ(result.report.payload_bytes, size);
    EXPECT_EQ(result.report.copied_bytes, 0u);
  }
  EXPECT_EQ(storage.frames, 512);
  EXPECT_LE(storage.most_anonymous - anonymous, 16 * 1024);
  EXPECT_LE(storage.most_mapped - mapped, 16 * 1024);
}

TEST(Pipeline, ReportsADownload) {
  giving_storage storage;
  connected from(storage);
  wire::discard_sink sink;
  toy_download download(50, sink);
  const auto result = transfer(from.channel, download, sink);
  ASSERT_FALSE(result.error) << result.why;
  EXPECT_EQ(result.report.payload_bytes, 500'000);
  EXPECT_EQ(result.report.wire_bytes_in, 50 * 10'004u);
  EXPECT_EQ(result.report.wire_bytes_out, 8u);
  EXPECT_EQ(result.report.frames_in, 50u);
  EXPECT_EQ(result.report.frames_out, 1u);
  EXPECT_EQ(result.report.round_trips, 1u);
}

// 50 frames of 10,000 bytes: their heads are all that passes through the receive buffer. One read for the first head, then at
// least one for each payload and the head behind it.
TEST(Pipeline, ReceivesPayloadInItsFinalPlace) {
  giving_storage storage;
  std::vector<std::uint8_t> expected;
  for (int i = 0; i < 50; ++i)
    expected.insert(expected.end(), storage.payload.begin(), storage.payload.end());
  for (const bool direct : {false, true}) {
    connected from(storage);
    if (direct) from.channel.receive_directly();
    std::vector<std::uint8_t> file(500'000);
    wire::memory_sink sink(file);
    toy_download download(50, sink);
    const auto result = transfer(from.channel, download, sink);
    ASSERT_FALSE(result.error) << result.why;
    EXPECT_EQ(file, expected);
    EXPECT_EQ(result.report.payload_bytes, 500'000);
    EXPECT_EQ(result.report.wire_bytes_in, 50 * 10'004u);
    EXPECT_EQ(sink.counters().copied_bytes, direct ? 0u : 500'000u);
    if (direct) {
      EXPECT_LE(result.report.copied_bytes, 50 * 4u);
      EXPECT_GE(from.channel.counters().reads, 51u);
    }
  }
}

TEST(Pipeline, TellsThatTheDiskIsFull) {
  giving_storage storage;
  connected from(storage);
  wire::file_sink sink;
  ASSERT_TRUE(sink.open("/dev/full"));
  toy_download download(3, sink);
  const auto result = transfer(from.channel, download, sink);
  EXPECT_EQ(result.error, errc::local_payload);
  EXPECT_NE(result.why.find("/dev/full: No space left on device, after 0 bytes"), result.why.npos)
      << result.why;
  EXPECT_TRUE(from.channel.usable());
}

}  // namespace
