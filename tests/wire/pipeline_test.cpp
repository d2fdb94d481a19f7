#include "wire/pipeline.hpp"

#include "wire/strategy/digest_sink.hpp"
#include "wire/strategy/file_sink.hpp"
#include "wire/strategy/memory_sink.hpp"

#include "tests/support/socket_pair.hpp"
#include "tests/wire/temp_file.hpp"
#include "tests/wire/toy_upload.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <vector>

namespace {

using codecs::errc;

constexpr std::size_t chunk_bytes = 261'120;  // GridFS's default

std::vector<std::uint8_t> random_bytes(std::size_t size) {
  std::mt19937 random(11);
  std::vector<std::uint8_t> bytes(size);
  std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

std::string sha256(codecs::bytes_view bytes) {
  wire::digest_sink sink;
  sink.put(bytes);
  return sink.sha256();
}

/// A connection to a peer that serves `conversation`.
struct connected {
  explicit connected(codecs::conversation& conversation,
                     wire::receive_strategy how = wire::receive_strategy::store)
      : channel(wire::make_socket_transport(pair.take_client())) {
    pair.serve([&conversation, how](int fd) {
      wire::channel peer(wire::make_socket_transport(::dup(fd)));
      peer.receive_by(how);
      peer.serve(conversation);
    });
  }

  tests::socket_pair pair;
  wire::channel channel;
};

/// Uploads by a strategy, and returns the report once the peer has summed up the same bytes.
wire::transfer_report uploaded(std::string_view strategy, codecs::bytes_view bytes, std::size_t window) {
  const tests::temp_file file(bytes);
  const bool mapped = strategy == "mmap" || strategy == "sendfile";
  const auto made =
      wire::make_source(strategy, mapped ? wire::owner(wire::file_path{file.path()}) : wire::owner(bytes));
  EXPECT_NE(made.source, nullptr) << made.problem;
  wire::digest_sink received;
  wire::transfer_result result;
  {
    tests::toy_storage storage(&received);
    connected to(storage);
    tests::toy_upload upload(*made.source, chunk_bytes, window);
    result = transfer(to.channel, upload, *made.source);
    EXPECT_FALSE(result.error) << result.why;
  }
  EXPECT_EQ(received.sha256(), sha256(bytes)) << strategy << " of " << bytes.size();
  return result.report;
}

TEST(Pipeline, UploadsTheSameBytesByEachStrategy) {
  for (const auto& strategy : wire::source_strategies()) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, chunk_bytes - 1, chunk_bytes,
                                   chunk_bytes + 1, 2 * chunk_bytes, 3'000'019ul}) {
      const auto bytes = random_bytes(size);
      const auto report = uploaded(strategy.name, bytes, 4);
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
  for (const auto* const strategy : {"mmap", "sendfile"}) {
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
TEST(Pipeline, SendsAFileToASlowReader) {
  const auto bytes = random_bytes(8 * 1024 * 1024);
  const tests::temp_file file(bytes);
  const auto made = wire::make_source("sendfile", wire::file_path{file.path()});
  wire::digest_sink received;
  {
    tests::socket_pair pair;
    pair.shrink(16 * 1024);
    wire::channel channel(wire::make_socket_transport(pair.take_client()));
    pair.serve([&](int fd) {
      tests::toy_storage storage(&received);
      wire::channel peer(wire::make_socket_transport(::dup(fd)));
      peer.serve(storage);
    });
    tests::toy_upload upload(*made.source, chunk_bytes, 4);
    const auto result = transfer(channel, upload, *made.source);
    EXPECT_FALSE(result.error) << result.why;
    EXPECT_GT(channel.counters().polls, 33u);  // it waited within each chunk
    EXPECT_EQ(::fcntl(channel.native_handle(), F_GETFL) & O_NONBLOCK, 0);
  }
  EXPECT_EQ(received.sha256(), sha256(bytes));
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

/// Asks for so many frames, and puts what is in them into a sink.
class toy_download final : public codecs::exchange {
 public:
  toy_download(std::int32_t frames, codecs::chunk_sink& to) : frames_(frames), to_(to) {}

  codecs::progress start(codecs::send_buffer& out) override {
    codecs::writer request(out);
    request.le(std::int32_t{8});
    request.le(frames_);
    EXPECT_FALSE(request.finish());
    sent_frames(1);
    return codecs::progress::more;
  }
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }
  codecs::landing land(codecs::bytes_view unread) override {
    constexpr std::size_t head = 4;
    if (unread.size() < head) return {.place = {}, .keep = head - unread.size()};
    const auto arrived = unread.size() - head;
    if (place_.empty() && arrived != 0) return {};
    place_ = to_.place(codecs::load_le<std::uint32_t>(unread.data()) - head);
    return {.place = place_.empty() ? place_ : place_.subspan(arrived), .keep = head};
  }
  codecs::progress on_frame(codecs::bytes_view frame, codecs::send_buffer&) override {
    const auto payload = place_.empty() ? frame.subspan(4) : place_;
    place_ = {};
    if (!failed_ && !to_.put(payload)) failed_ = true;
    if (--frames_ != 0) return codecs::progress::more;
    return failed_ ? fail(errc::local_payload, "", to_.why()) : codecs::progress::done;
  }

 private:
  std::int32_t frames_;
  codecs::chunk_sink& to_;
  codecs::bytes_span place_;  // where the payload of this frame lands, if it does
  bool failed_ = false;
};

class giving_storage final : public codecs::conversation {
 public:
  codecs::scan_result scan(codecs::bytes_view unread) const override { return tests::toy_scan(unread); }
  codecs::answer on_frame(codecs::bytes_view frame, codecs::send_buffer& out) override {
    const auto frames = codecs::load_le<std::int32_t>(frame.data() + 4);
    for (std::int32_t i = 0; i < frames; ++i) {
      codecs::writer reply(out);
      const auto length = reply.begin_length();
      reply.refer(payload);
      reply.end_le(length);
      EXPECT_FALSE(reply.finish());
      sent_frames(1);
    }
    return codecs::answer::reply;
  }

  const std::vector<std::uint8_t> payload = random_bytes(10'000);
};

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
