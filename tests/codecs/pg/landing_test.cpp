// Downloads whose payload is received where it will be kept, for each of the exchanges.

#include "codecs/pg/bytea_get_exchange.hpp"
#include "codecs/pg/copy_out_exchange.hpp"
#include "codecs/pg/lo_get_exchange.hpp"
#include "codecs/pg/loread_exchange.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/memory_sink.hpp"

#include "tests/codecs/direct.hpp"
#include "tests/codecs/pg/script.hpp"

#include <fmt/format.h>

namespace codecs::pg {
namespace {

using tests::bound;
using tests::bytes;

constexpr std::size_t file_bytes = 14'500;
constexpr std::size_t chunk_bytes = 5'000;

bytes made_content() {
  bytes made(file_bytes);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::uint8_t>(7 * i + i / 251);
  return made;
}

/// A download, the frames that it is answered with, and how much of them can land.
struct download {
  std::string name;
  std::size_t landing_bytes;

  std::unique_ptr<exchange> (*make)(session& session, chunk_sink& sink);
  std::vector<bytes> frames;
};

bytes joined(std::string_view head, bytes_view payload) {
  auto frame = tests::hex(head);
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

/// Calls `see` with each chunk of `content`.
template <typename See>
void each_chunk(const bytes& content, See see) {
  for (std::size_t at = 0; at < content.size(); at += chunk_bytes)
    see(bytes_view(content).subspan(at, std::min(chunk_bytes, content.size() - at)));
}

std::vector<bytes> rows(const bytes& content, std::size_t chunk) {
  std::vector<bytes> frames{tests::hex(bound)};
  for (std::size_t at = 0; at < content.size(); at += chunk) {
    const auto piece = bytes_view(content).subspan(at, std::min(chunk, content.size() - at));
    frames.push_back(joined(fmt::format("44 {:08x} 0001 {:08x}", 10 + piece.size(), piece.size()), piece));
  }
  frames.push_back(tests::hex(" 43 0000000d 53454c454354203300 "));
  frames.push_back(tests::hex(tests::ready_idle));
  return frames;
}

download lo_get() {
  return {"lo_get", file_bytes,
          [](session& session, chunk_sink& sink) -> std::unique_ptr<exchange> {
            auto op = std::make_unique<lo_get_exchange>(session);
            op->set(1, sink, {file_bytes, chunk_bytes});
            return op;
          },
          rows(made_content(), chunk_bytes)};
}

download bytea() {
  return {"bytea", file_bytes,
          [](session& session, chunk_sink& sink) -> std::unique_ptr<exchange> {
            auto op = std::make_unique<bytea_get_exchange>(session);
            op->set(7, sink);
            return op;
          },
          rows(made_content(), file_bytes)};
}

download loread() {
  std::vector<bytes> frames;
  const auto content = made_content();
  each_chunk(content, [&](bytes_view piece) {
    frames.push_back(joined(fmt::format("56 {:08x} {:08x}", 8 + piece.size(), piece.size()), piece));
    frames.push_back(tests::hex(tests::ready_open));
  });
  return {"loread", file_bytes,
          [](session& session, chunk_sink& sink) -> std::unique_ptr<exchange> {
            session.status = transaction_status::open;
            auto op = std::make_unique<loread_exchange>(session);
            op->set(0, sink, {file_bytes, chunk_bytes}, 2);
            return op;
          },
          std::move(frames)};
}

std::unique_ptr<exchange> make_copy_out(session& session, chunk_sink& sink) {
  auto op = std::make_unique<copy_out_exchange>(session);
  op->set(7, sink, {file_bytes, chunk_bytes});
  return op;
}

/// In messages that are aligned with rows, or in messages of `message` bytes.
download copy_out(std::string name, std::size_t landing_bytes, std::size_t message) {
  std::vector<bytes> pieces;
  const auto content = made_content();
  std::string head = "5047434f50590aff0d0a00 00000000 00000000";
  each_chunk(content, [&](bytes_view piece) {
    pieces.push_back(joined(fmt::format("{} 0001 {:08x}", head, piece.size()), piece));
    head.clear();
  });
  pieces.push_back(tests::hex("ffff"));
  if (message != 0) {
    bytes stream;
    for (const auto& each : pieces) stream.insert(stream.end(), each.begin(), each.end());
    pieces.clear();
    for (std::size_t at = 0; at < stream.size(); at += message) {
      const auto part = bytes_view(stream).subspan(at, std::min(message, stream.size() - at));
      pieces.emplace_back(part.begin(), part.end());
    }
  }
  std::vector<bytes> frames{tests::hex(tests::parsed), tests::hex(bound),
                            tests::hex("48 00000009 01 0001 0001")};
  for (const auto& each : pieces) frames.push_back(joined(fmt::format("64 {:08x}", 4 + each.size()), each));
  for (const auto each : {" 63 00000004 ", " 43 0000000b 434f5059203300 ", " 5a 00000005 49 "})
    frames.push_back(tests::hex(each));
  return {std::move(name), landing_bytes, make_copy_out, std::move(frames)};
}

class PgLanding : public testing::TestWithParam<download (*)()> {
 protected:
  void begin() {
    wire::gather_buffer out;
    ASSERT_EQ(op_->start(out), progress::more);
  }
  progress take(bytes_view frame) {
    wire::gather_buffer out;
    return op_->on_frame(frame, out);
  }

  const download what_ = GetParam()();
  const bytes content_ = made_content();
  bytes memory_ = bytes(file_bytes);
  wire::memory_sink sink_{memory_};
  session session_;
  std::unique_ptr<exchange> op_ = what_.make(session_, sink_);
};

// However the bytes come.
TEST_P(PgLanding, PutsPayloadInItsPlace) {
  for (const std::size_t step : {std::size_t{1} << 20, std::size_t{1300}, std::size_t{1}}) {
    wire::memory_sink sink(memory_);
    op_ = what_.make(session_, sink);
    begin();
    std::size_t landed = 0;
    auto state = progress::more;
    for (const auto& frame : what_.frames) {
      ASSERT_EQ(state, progress::more);
      const auto got = tests::receive_directly(*op_, frame, step);
      landed += got.landed;
      state = take(got.bytes);
    }
    EXPECT_EQ(state, progress::done) << op_->why().sentence();
    EXPECT_EQ(landed, what_.landing_bytes);
    EXPECT_EQ(sink.counters().copied_bytes, file_bytes - what_.landing_bytes);
    EXPECT_EQ(memory_, content_);
    std::ranges::fill(memory_, std::uint8_t{0});
  }
}

// In one read for the head, and one for payload and what is behind it.
TEST_P(PgLanding, TakesTwoReadsForAFrameAlone) {
  begin();
  for (const auto& frame : what_.frames) {
    const auto got = tests::receive_directly(*op_, frame, 1 << 20);
    if (got.landed > 4'096) {
      EXPECT_LE(got.reads, 4u);
    }
    if (take(got.bytes) != progress::more) break;
  }
}

// Payload that came along with its head stays there, and the frames behind it land again.
TEST_P(PgLanding, LeavesWhatCameAlong) {
  begin();
  auto state = progress::more;
  bool first = true;
  for (const auto& frame : what_.frames) {
    const bool along = first && frame.size() > 4'096;
    if (along) first = false;
    const auto got = tests::receive_directly(*op_, frame, 1 << 20, along ? 40 : 0);
    if (along) {
      EXPECT_EQ(got.landed, 0u);
    }
    state = take(got.bytes);
  }
  EXPECT_EQ(state, progress::done) << op_->why().sentence();
  EXPECT_EQ(memory_, content_);
}

// No room: nothing lands, and the op fails when the frame is whole.
TEST_P(PgLanding, IsRefusedASinkThatIsTooSmall) {
  wire::memory_sink small(bytes_span(memory_).first(100));
  op_ = what_.make(session_, small);
  begin();
  auto state = progress::more;
  for (const auto& frame : what_.frames) {
    if (state != progress::more) break;
    const auto got = tests::receive_directly(*op_, frame, 1 << 20);
    EXPECT_EQ(got.landed, 0u);
    state = take(got.bytes);
  }
  EXPECT_EQ(small.counters().payload_bytes, 0);
}

// A byte less than the chunk has: nothing lands. A row of its own may have any size.
TEST_P(PgLanding, LeavesAChunkOfAnotherSize) {
  if (what_.name == "bytea" || what_.name == "copy, cut") return;
  begin();
  for (auto frame : what_.frames) {
    if (frame.size() > 4'096) {
      store_be(frame.data() + frame.size() - chunk_bytes - 4, static_cast<std::uint32_t>(chunk_bytes - 1));
      frame.pop_back();
      store_be(frame.data() + 1, static_cast<std::uint32_t>(frame.size() - 1));
      const auto got = tests::receive_directly(*op_, frame, 1 << 20);
      EXPECT_EQ(got.landed, 0u);
      take(got.bytes);
      break;
    }
    ASSERT_EQ(take(frame), progress::more);
  }
  EXPECT_EQ(sink_.counters().payload_bytes, 0);
}

// A message of any type and shape, in the place of each, is read to its end; that it lands is no harm.
TEST_P(PgLanding, WantsSomethingOfAnyMessage) {
  for (std::size_t before = 0; before < what_.frames.size(); ++before) {
    for (const auto type : {'E', 'N', 'Z', 'C', 'D', 'V', 'd'}) {
      auto other = tests::hex("00 00002000 0001 00001ffa");
      other[0] = static_cast<std::uint8_t>(type);
      other.resize(0x2001, 'x');
      wire::memory_sink sink(memory_);
      op_ = what_.make(session_, sink);
      begin();
      for (std::size_t i = 0; i < before; ++i) ASSERT_EQ(take(what_.frames[i]), progress::more);
      EXPECT_EQ(tests::receive_directly(*op_, other, 3).bytes.size(), other.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PgLanding,
                         testing::Values(
                             lo_get, bytea, loread, +[] { return copy_out("copy", file_bytes, 0); },
                             +[] { return copy_out("copy, cut", 5'000, 10'000); }),
                         [](const auto& made) { return "No" + std::to_string(made.index); });

}  // namespace
}  // namespace codecs::pg
