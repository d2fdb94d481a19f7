// Whatever bytes arrive: no decoder reads past its frame, none allocates by what a length claims, and both sides of a
// conversation answer or refuse. Valid frames are changed in a few places, the same ones on every run; under ASan a read
// past the end is seen, because each frame lies in a heap block of its size.

#include "codecs/pg/auth.hpp"
#include "codecs/pg/copy_in_exchange.hpp"
#include "codecs/pg/copy_out_exchange.hpp"
#include "codecs/pg/execute_exchange.hpp"
#include "codecs/pg/function_call_exchange.hpp"
#include "codecs/pg/notice.hpp"
#include "codecs/pg/pipeline_exchange.hpp"
#include "codecs/pg/query_exchange.hpp"
#include "codecs/pg/startup_exchange.hpp"
#include "codecs/pg/trace.hpp"

#include "wire/strategy/gather.hpp"

#include "fixtures/null_pg.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>

namespace codecs::pg {
namespace {

using tests::hex;

constexpr int mutations = 20'000;

/// Changes, cuts or lengthens a frame in up to four places.
class mutator {
 public:
  tests::bytes change(tests::bytes frame) {
    for (auto left = 1 + pick(4); left != 0; --left) change_once(frame);
    return frame;
  }
  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  void change_once(tests::bytes& frame) {
    constexpr std::array<std::uint8_t, 6> nasty = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
    const auto at = frame.empty() ? 0 : pick(frame.size());
    switch (frame.empty() ? 4 : pick(5)) {
      case 0:
        frame[at] = nasty[pick(nasty.size())];
        break;
      case 1:
        frame[at] ^= static_cast<std::uint8_t>(1 << pick(8));
        break;
      case 2:
        frame.resize(at);
        break;
      case 3:
        frame.erase(frame.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      default:
        frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(pick(256)));
    }
  }

  std::minstd_rand random_{20'261'130};
};

std::vector<tests::bytes> parse_frames(std::initializer_list<std::string_view> texts) {
  std::vector<tests::bytes> frames;
  for (const auto text : texts) frames.push_back(hex(text));
  return frames;
}

const std::vector<tests::bytes>& replies() {
  static const auto frames = parse_frames({
      "52 00000008 00000000",
      "52 0000000c 00000005 01020304",
      "52 00000017 0000000a 534352414d2d5348412d32353600 00",
      "76 00000013 00030000 00000001 5f70715f2e7800",
      "4b 0000000c 0000002a 00000007",
      "53 00000011 54696d655a6f6e6500 55544300",
      "5a 00000005 49",
      "45 0000001e 53 4552524f5200 56 4552524f5200 43 343236303100 4d 6e6f00 00",
      "41 0000000d 0000002a 636800 7000",
      "31 00000004",
      "32 00000004",
      "74 0000000e 0002 00000017 00000011",
      "54 0000002f 0002 696400 00004000 0001 00000017 0004 ffffffff 0001"
      "            6200 00000000 0000 00000011 ffff ffffffff 0000",
      "44 00000014 0003 00000002 6162 ffffffff 00000000",
      "43 0000000d 53454c454354203100",
      "49 00000004",
      "73 00000004",
      "56 0000000c 00000004 00000003",
      "31 00000004",
      "32 00000004",
      "47 0000000d 01 0003 0001 0001 0001",
      "48 00000009 01 0001 0001",
      "64 0000001f 5047434f50590aff0d0a00 00000000 00000000 0001 00000002 6162",
      "64 00000006 ffff",
      "63 00000004",
      "43 0000000b 434f5059203100",
  });
  return frames;
}

const std::vector<tests::bytes>& requests() {
  static const auto frames = parse_frames({
      "51 0000000d 53454c454354203100",                                  // SELECT 1
      "51 0000000a 424547494e00",                                        // BEGIN
      "51 00000013 4525275c273b2427 2d2d 2f2a 00",                       // quotes and comments
      "50 00000017 7300 53454c45435400 0002 00000017 00000000",          // no such statement
      "50 00000018 7300 53454c4543542024 313a3a696e743400 0000",         // SELECT $1::int4
      "42 00000019 00 7300 0001 0001 0001 00000004 00000005 0001 0001",  // of it
      "44 00000006 53 7300",                                             //
      "44 00000006 50 00",                                               //
      "45 00000009 00 00000001",                                         //
      "43 00000007 53 7300",                                             //
      "53 00000004",                                                     //
      "48 00000004",                                                     //
      "50 00000049 7900 434f505920776972656265 "
      "6e63685f6368756e6b73202866696c652c206e2c2064617461292046524f4d20"
      "535444494e2028464f524d41542062696e6172792900 0000",  // COPY .. FROM STDIN
      "42 0000000d 00 7900 0000 0000 0000",                 // of it
      "64 00000034 5047434f50590aff0d0a00 00000000 00000000 0003 00000008 0000000000000007 00000004 00000000 "
      "00000003 616263",
      "64 00000006 ffff",
      "63 00000004",
      "66 00000007 6e6f00",
      "46 00000018 000003bd 0001 0001 0001 00000004 00060000 0001",                    // lo_creat
      "46 00000020 000003b8 0001 0001 0002 00000004 0000400e 00000004 00020000 0001",  // lo_open
      "46 0000001f 000003bb 0001 0001 0002 00000004 00000000 00000003 616263 0001",    // lowrite
      "46 00000020 000003ba 0001 0001 0002 00000004 00000000 00000004 00000064 0001",  // loread
      "46 0000002c 00000c62 0001 0001 0003 00000004 00000000 00000008 0000000080000000 00000004 00000000 "
      "0001",
  });
  return frames;
}

/// Calls `see` with mutated frames of exact size, the length made right in three of four cases, so that the fields are
/// reached.
template <typename See>
void mutate(const std::vector<tests::bytes>& frames, std::size_t length_at, See see) {
  mutator change;
  for (int i = 0; i < mutations; ++i) {
    auto frame = change.change(frames[change.pick(frames.size())]);
    if (change.pick(4) != 0 && frame.size() >= length_at + 4) {
      store_be(frame.data() + length_at, static_cast<std::uint32_t>(frame.size() - length_at));
    }
    const std::unique_ptr<std::uint8_t[]> block(new std::uint8_t[frame.size()]);
    std::ranges::copy(frame, block.get());
    see(bytes_view(block.get(), frame.size()));
  }
}

template <typename... Messages>
std::size_t decode_as(bytes_view frame) {
  std::size_t good = 0;
  const auto one = [&]<typename Message>() {
    Message message;
    if (!decode(frame, message)) ++good;
  };
  (one.template operator()<Messages>(), ...);
  return good;
}

/// Whole frames in `bytes` go to `take`; what cannot be cut is left.
template <typename Scan, typename Take>
void cut(bytes_view bytes, Scan scan, Take take) {
  while (true) {
    const auto found = scan(bytes);
    if (found.error || found.size == 0) return;
    ASSERT_LE(found.size, bytes.size());
    take(bytes.first(found.size));
    bytes = bytes.subspan(found.size);
  }
}

TEST(PgMutation, Decoders) {
  std::size_t good = 0;
  std::size_t seen = 0;
  for (const auto way : {direction::to_client, direction::to_server}) {
    mutate(way == direction::to_client ? replies() : requests(), 1, [&](bytes_view bytes) {
      cut(
          bytes, [&](bytes_view unread) { return scan_typed(unread, way); },
          [&](bytes_view frame) {
            ++seen;
            good += decode_as<authentication, negotiate_protocol_version, backend_key_data, parameter_status,
                              ready_for_query, notice, notification, parameter_description, row_description,
                              data_row, command_complete, function_call_response, copy_response>(frame);
            good += decode_as<password_message, query, parse, bind, describe, execute, close, function_call,
                              copy_fail>(frame);
            EXPECT_FALSE(trace(frame, way).empty());
          });
    });
  }
  EXPECT_GT(seen, 20'000u);  // most frames are cut, and
  EXPECT_GT(good, 10'000u);  // many of them are decoded: the mutations reach the fields
}

TEST(PgMutation, StartupFamily) {
  const auto frames = parse_frames({"00000019 00030002 7573657200 7500 5f70715f2e7800 3100 00",
                                    "00000008 04d2162f", "00000010 04d2162e 0000002a 0a0b0c0d"});
  std::size_t greeted = 0;
  mutate(frames, 0, [&](bytes_view bytes) {
    fixtures::null_pg peer;
    wire::gather_buffer out;
    cut(
        bytes, [&](bytes_view unread) { return peer.scan(unread); },
        [&](bytes_view frame) {
          decode_as<startup_message, cancel_request>(frame.size() < 8 ? bytes_view(frames[1]) : frame);
          EXPECT_FALSE(trace(frame, direction::to_server).empty());
          if (peer.on_frame(frame, out) == answer::reply) ++greeted;
        });
  });
  EXPECT_GT(greeted, 1'000u);
}

// One session takes all the frames: it must stay in step, and memory must stay bounded.
TEST(PgMutation, ThePeersConversation) {
  auto peer = std::make_unique<fixtures::null_pg>();
  wire::gather_buffer out(std::size_t{1} << 31);
  const auto startup = hex("00000011 00030000 7573657200 6d6500 00");
  std::size_t answered = 0;
  std::size_t closed = 0;
  const auto begin = [&] {
    peer = std::make_unique<fixtures::null_pg>();
    peer->on_frame(startup, out);
  };
  begin();
  mutate(requests(), 1, [&](bytes_view bytes) {
    cut(
        bytes, [&](bytes_view unread) { return peer->scan(unread); },
        [&](bytes_view frame) {
          out.clear();
          const auto verdict = peer->on_frame(frame, out);
          if (verdict == answer::reply) ++answered;
          if (verdict != answer::close) return;
          ++closed;
          begin();
        });
  });
  EXPECT_GT(answered, 2'000u);
  EXPECT_GT(closed, 100u);
}

/// Runs `op` anew after each end; `begin` sets it and starts it.
template <typename Begin>
std::size_t count_ends(exchange& op, Begin begin) {
  std::size_t ends = 0;
  wire::gather_buffer out;
  begin(out);
  mutate(replies(), 1, [&](bytes_view bytes) {
    cut(
        bytes, [&](bytes_view unread) { return op.scan(unread); },
        [&](bytes_view frame) {
          out.clear();
          const auto state = op.on_frame(frame, out);
          if (state == progress::more) return;
          EXPECT_TRUE(state == progress::done || op.why().cause) << "failed without a cause";
          ++ends;
          out.clear();
          begin(out);
        });
  });
  return ends;
}

TEST(PgMutation, TheClientsExchanges) {
  session session;
  startup_exchange startup(session);
  EXPECT_GT(count_ends(startup, [&](send_buffer& out) { startup.start(out); }), 1'000u);

  query_exchange query(session);
  query.set("SELECT 1");
  EXPECT_GT(count_ends(query, [&](send_buffer& out) { query.start(out); }), 1'000u);

  statement statement;
  prepare_exchange prepare(session);
  prepare.set("SELECT 1", statement);
  EXPECT_GT(count_ends(prepare, [&](send_buffer& out) { prepare.start(out); }), 1'000u);

  statement.columns = {{"a", 23}, {"b", 23}, {"c", 23}};
  execute_exchange execute(session);
  execute.set(statement, {});
  EXPECT_GT(count_ends(execute, [&](send_buffer& out) { execute.start(out); }), 1'000u);

  function_call_exchange call(session);
  call.set(large_object::lo_creat());
  EXPECT_GT(count_ends(call, [&](send_buffer& out) { call.start(out); }), 1'000u);

  tests::text_sink sink;
  copy_out_exchange copy_out(session);
  copy_out.set(7, sink, {2, 2});
  EXPECT_GT(count_ends(copy_out, [&](send_buffer& out) { copy_out.start(out); }), 1'000u);

  tests::text_source source(std::string_view("ab"));
  copy_in_exchange copy_in(session);
  EXPECT_GT(count_ends(copy_in,
                       [&](send_buffer& out) {
                         source.at = 0;
                         copy_in.set(7, source, 2, 2);
                         copy_in.start(out);
                       }),
            1'000u);

  const std::array<pipeline_step, 2> steps = {};
  pipeline_exchange pipeline(session);
  pipeline.set(steps);
  EXPECT_GT(count_ends(pipeline, [&](send_buffer& out) { pipeline.start(out); }), 1'000u);
}

}  // namespace
}  // namespace codecs::pg
