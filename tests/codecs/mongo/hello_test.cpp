#include "codecs/mongo/hello.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/codec_checks.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {
namespace {

using tests::bson;
using tests::bytes;
using tests::hex;
using tests::msg_frame;

constexpr client_metadata client{.driver = "wirebench", .version = "0.1", .application = "app"};

constexpr const char* standalone =
    R"({"isWritablePrimary": true, "maxBsonObjectSize": 1000, "maxMessageSizeBytes": 2000, "maxWriteBatchSize": 30,
        "logicalSessionTimeoutMinutes": 30, "minWireVersion": 0, "maxWireVersion": 21, "helloOk": true, "ok": 1.0})";

bytes sent(wire::gather_buffer& out) {
  auto frame = tests::flatten(out);
  out.clear();
  return frame;
}

TEST(MongoHello, GreetsInOpMsg) {
  request_ids ids;
  hello_exchange hello(ids, client);
  wire::gather_buffer out;
  ASSERT_EQ(hello.start(out), progress::more);
  EXPECT_EQ(tests::to_hex(sent(out)), tests::to_hex(hex(R"(
    c0000000  # messageLength 192
    01000000  # requestID 1
    00000000  # responseTo
    dd070000  # opCode 2013
    00000000  # flagBits
    00        # kind 0
    ab000000
      10 68656c6c6f00 01000000                                      # hello: 1
      02 6261636b707265737375726500 02000000 3200                   # backpressure: "2"
      03 636c69656e7400 70000000                                    # client
        03 6170706c69636174696f6e00 13000000                        #   application
          02 6e616d6500 04000000 61707000 00                        #     name: "app"
        03 64726976657200 2a000000                                  #   driver
          02 6e616d6500 0a000000 7769726562656e636800               #     name: "wirebench"
          02 76657273696f6e00 04000000 302e3100 00                  #     version: "0.1"
        03 6f7300 15000000                                          #   os
          02 7479706500 06000000 4c696e757800 00                    #     type: "Linux"
        00
      02 24646200 06000000 61646d696e00                             # $db: "admin"
      00)")));
}

TEST(MongoHello, ReadsWhatTheServerTakes) {
  request_ids ids;
  hello_exchange hello(ids, client);
  wire::gather_buffer out;
  hello.start(out);
  const auto reply = msg_frame(9, tests::id_of(sent(out)), bson(standalone));
  ASSERT_EQ(hello.on_frame(reply, out), progress::done) << hello.why().sentence();
  EXPECT_EQ(hello.server().limits.document_bytes, 1000);
  EXPECT_EQ(hello.server().limits.message_bytes, 2000);
  EXPECT_EQ(hello.server().limits.write_batch, 30);
  EXPECT_EQ(hello.server().session_timeout_minutes, 30);
  EXPECT_EQ(hello.server().min_wire_version, 0);
  EXPECT_EQ(hello.server().max_wire_version, 21);
  EXPECT_TRUE(hello.server().hello_ok);
}

TEST(MongoHello, AsksAgainForIsMasterWhereHelloIsUnknown) {
  request_ids ids;
  hello_exchange hello(ids, client);
  wire::gather_buffer out;
  hello.start(out);
  const auto unknown = bson(R"({"ok": 0, "code": 59, "errmsg": "no such cmd: hello"})");
  ASSERT_EQ(hello.on_frame(msg_frame(9, tests::id_of(sent(out)), unknown), out), progress::more);
  const auto second = sent(out);
  EXPECT_EQ(hello.take_frames_sent(), 2u);
  EXPECT_EQ(tests::open_msg(second).body.substr(0, 38), R"({ "isMaster" : 1, "helloOk" : true, "b)");
  // Refused again, it is over.
  ASSERT_EQ(hello.on_frame(msg_frame(10, tests::id_of(second), unknown), out), progress::failed);
  EXPECT_EQ(hello.server_code(), code::command_not_found);
}

TEST(MongoHello, OtherErrorsAreFinal) {
  request_ids ids;
  hello_exchange hello(ids, client);
  wire::gather_buffer out;
  hello.start(out);
  const auto refusal = bson(R"({"ok": 0, "code": 18, "errmsg": "no"})");
  EXPECT_EQ(hello.on_frame(msg_frame(9, tests::id_of(sent(out)), refusal), out), progress::failed);
  EXPECT_EQ(hello.server_code(), 18);
}

TEST(MongoHello, GreetsInOpQueryWhenToldTo) {
  request_ids ids;
  hello_exchange hello(ids, {.driver = "d", .version = "1", .application = {}},
                       hello_exchange::opening::query);
  wire::gather_buffer out;
  ASSERT_EQ(hello.start(out), progress::more);
  EXPECT_EQ(tests::to_hex(sent(out)), tests::to_hex(hex(R"(
    a6000000  # messageLength 166
    01000000  # requestID 1
    00000000  # responseTo
    d4070000  # opCode 2004
    04000000  # flags: secondaryOk
    61646d696e2e24636d6400  # "admin.$cmd"
    00000000  # numberToSkip
    ffffffff  # numberToReturn
    7f000000
      10 69734d617374657200 01000000                                # isMaster: 1
      08 68656c6c6f4f6b00 01                                        # helloOk: true
      02 6261636b707265737375726500 02000000 3200                   # backpressure: "2"
      03 636c69656e7400 46000000                                    # client
        03 64726976657200 20000000                                  #   driver
          02 6e616d6500 02000000 6400                               #     name: "d"
          02 76657273696f6e00 02000000 3100 00                      #     version: "1"
        03 6f7300 15000000                                          #   os
          02 7479706500 06000000 4c696e757800 00                    #     type: "Linux"
        00
      00)")));
  auto reply = hex(R"(
    00000000 09000000
    01000000            # responseTo 1
    01000000            # opCode 1
    08000000            # responseFlags
    0000000000000000    # cursorID
    00000000 01000000   # startingFrom, numberReturned)");
  const auto body = bson(standalone);
  reply.insert(reply.end(), body.begin(), body.end());
  store_le(reply.data(), static_cast<std::int32_t>(reply.size()));

  auto astray = reply;
  astray[8] = 2;
  EXPECT_EQ(hello.on_frame(astray, out), progress::failed);
  EXPECT_EQ(hello.why().cause.code, errc::remote_mismatched_reply);
  ASSERT_EQ(hello.on_frame(reply, out), progress::done) << hello.why().sentence();
  EXPECT_EQ(hello.server().max_wire_version, 21);
}

// Specification mongodb-handshake: 512 bytes of metadata, 128 of application name.
TEST(MongoHello, RefusesMetadataThatAServerWouldRefuse) {
  const std::string name(129, 'a');
  document command;
  const auto bad_name = build_hello(command, false, {.driver = "d", .version = "1", .application = name});
  EXPECT_EQ(bad_name.code, errc::local_bad_value);
  EXPECT_STREQ(bad_name.field, "application.name");

  // Without the version's text the metadata of the literal above is 70 - 1 bytes.
  const std::string fitting(512 - 69, 'v');
  const std::string too_long(512 - 69 + 1, 'v');
  EXPECT_FALSE(build_hello(command, false, {.driver = "d", .version = fitting, .application = {}}));
  const auto bad_size = build_hello(command, false, {.driver = "d", .version = too_long, .application = {}});
  EXPECT_EQ(bad_size.code, errc::local_bad_value);
  EXPECT_STREQ(bad_size.field, "client");
}

TEST(MongoHello, KnowsTheDefaultsOfASilentServer) {
  hello_reply reply;
  ASSERT_FALSE(decode(bson(R"({"ok": 1, "logicalSessionTimeoutMinutes": null})"), reply));
  EXPECT_EQ(reply.limits.document_bytes, 16'777'216);
  EXPECT_EQ(reply.limits.message_bytes, 48'000'000);
  EXPECT_EQ(reply.limits.write_batch, 1'000);
  EXPECT_EQ(reply.session_timeout_minutes, std::nullopt);
  EXPECT_FALSE(reply.hello_ok);
}

TEST(MongoHello, NamesALimitThatIsNone) {
  const auto field_of = [](const char* json) {
    hello_reply reply;
    const fault bad = decode(bson(json), reply);
    EXPECT_EQ(bad.code, errc::remote_bad_value) << json;
    return std::string(bad.field);
  };
  EXPECT_EQ(field_of(R"({"maxBsonObjectSize": 0})"), "maxBsonObjectSize");
  EXPECT_EQ(field_of(R"({"maxMessageSizeBytes": -1})"), "maxMessageSizeBytes");
  EXPECT_EQ(field_of(R"({"maxWriteBatchSize": {"$numberLong": "2147483648"}})"), "maxWriteBatchSize");
  EXPECT_EQ(field_of(R"({"maxWireVersion": "21"})"), "maxWireVersion");
  EXPECT_EQ(field_of(R"({"minWireVersion": -1})"), "minWireVersion");
}

TEST(MongoHello, RefusesAServerWithoutOpMsg) {
  request_ids ids;
  hello_exchange hello(ids, client);
  wire::gather_buffer out;
  hello.start(out);
  const auto old = bson(R"({"maxWireVersion": 5, "ok": 1})");
  EXPECT_EQ(hello.on_frame(msg_frame(9, tests::id_of(sent(out)), old), out), progress::failed);
  EXPECT_EQ(hello.why().cause.code, errc::remote_unsupported);
  EXPECT_STREQ(hello.why().cause.field, "maxWireVersion");
}

}  // namespace
}  // namespace codecs::mongo
