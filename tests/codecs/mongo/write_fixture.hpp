#pragma once
// What the tests of insert, update and delete have in common: the exchange of a write to t.c, and its replies from JSON.

#include "codecs/mongo/write.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/codecs/mongo/codec.hpp"
#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

namespace codecs::mongo {

template <typename Exchange>
class write_fixture : public testing::Test {
 protected:
  /// `entry` is what send() sends so many of: JSON.
  explicit write_fixture(const char* entry) : one_(tests::bson(entry)) {}

  progress send(std::span<const bytes_view> entries, bool acknowledged = true) {
    out_.clear();
    exchange_.take_frames_sent();
    exchange_.set({"t", "c", entries, acknowledged});
    return exchange_.start(out_);
  }
  progress send(std::size_t count, bool acknowledged = true) {
    entries_.assign(count, one_);
    return send(entries_, acknowledged);
  }
  progress answer(const char* json) {
    return exchange_.on_frame(tests::msg_frame(9, tests::id_of(tests::flatten(out_)), tests::bson(json)),
                              out_);
  }

  /// Nothing was sent, because of that limit of the server.
  void expect_too_long(const char* limit) {
    EXPECT_EQ(exchange_.why().cause.code, errc::local_message_too_long);
    EXPECT_STREQ(exchange_.why().cause.field, limit);
    EXPECT_EQ(out_.size(), 0u);
    EXPECT_EQ(exchange_.take_frames_sent(), 0u);
  }

  /// The five checks for the request of one statement; `body` is JSON, `check` is given the statement as it is read.
  template <typename Statement, typename Check>
  void check_request(const bytes_view frame, const Statement& what, const char* identifier, const char* body,
                     Check check) {
    document statement;
    tests::check_codec(tests::msg_codec(
                           [&](send_buffer& out) {
                             ids_ = {};
                             build(statement, what);
                             const auto view = statement.view();
                             exchange_.set({"t", "c", {&view, 1}, true});
                             return exchange_.start(out) == progress::more ? fault{} : exchange_.why().cause;
                           },
                           [&](const op_msg& message) {
                             EXPECT_EQ(tests::to_json(message.body), body);
                             Statement read;
                             const fault bad = decode(message.sequence(identifier), read);
                             check(read);
                             return bad;
                           }),
                       frame);
  }

  /// A statement that servers refuse, and the field that is wrong.
  template <typename Statement>
  static void expect_bad(const char* json, const char* field) {
    Statement read;
    const fault found = decode(tests::bson(json), read);
    EXPECT_EQ(found.code, errc::remote_bad_value) << json;
    EXPECT_STREQ(found.field, field) << json;
  }

  const tests::bytes one_;
  std::vector<bytes_view> entries_;
  limits limits_;
  request_ids ids_;
  Exchange exchange_{ids_, limits_};
  wire::gather_buffer out_;
};

}  // namespace codecs::mongo
