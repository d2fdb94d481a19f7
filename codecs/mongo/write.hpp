#pragma once
// What insert, update and delete have in common: a body without the entries, the entries as one kind 1 section that is
// borrowed from its owner, and the limits of the connection.
//
//   {insert: C, ordered: true [, writeConcern: {w: 0}], $db: D}   "documents"   {_id, ...} ...
//   {update: C, ...}                                              "updates"     {q, u [, multi] [, upsert]} ...
//   {delete: C, ...}                                              "deletes"     {q, limit} ...

#include "codecs/mongo/hello.hpp"

namespace codecs::mongo {

/// One write; views, valid until the op is done.
struct write_entries {
  const char* command;     ///< a literal: "insert", "update" or "delete"
  const char* identifier;  ///< a literal: "documents", "updates" or "deletes"
  std::string_view database;
  std::string_view collection;
  std::span<const bytes_view> entries;
  std::size_t allowance_bytes;  ///< that an entry may have beyond maxBsonObjectSize
  bool acknowledged;
};

/// Builds the body, without `$db` and without the entries. Every driver sends `ordered`.
void build(document& body, const write_entries& what);

class write_exchange : public request_exchange {
 protected:
  /// `server` tells the limits of the connection and outlives the exchange.
  write_exchange(request_ids& ids, const limits& server) : request_exchange(ids), limits_(server) {}

  /// Encodes one message. Nothing is encoded when the entries are more than one message may hold:
  /// local_message_too_long names the limit (maxWriteBatchSize, maxBsonObjectSize, maxMessageSizeBytes). `done` when
  /// unacknowledged, because nobody will answer (case C05).
  progress write(const write_entries& what, send_buffer& out);

  /// Whether the reply that take() has judged tells what was written: any that could be read, errors too.
  bool tells(progress judged) const {
    return judged != progress::failed || why().cause.code == errc::remote_server_error;
  }

  const limits& server() const { return limits_; }

 private:
  fault check_limits(const write_entries& what, std::size_t message_bytes) const;

  const limits& limits_;
  document body_;
};

/// Bytes of the document of a user that a statement may hold, and of what stands around it: mongod takes entries of
/// maxBsonObjectSize and 16 KiB (its BSONObjMaxInternalSize).
inline constexpr std::size_t statement_allowance_bytes = 16 * 1024;

/// What the reply to an ordered write tells of the entries that came to nothing; base of the results.
struct write_losses {
  std::int64_t failed = 0;       ///< entries of writeErrors
  std::int64_t unattempted = 0;  ///< all after an ok:0 reply, else those behind the first error
  bool write_concern_failed = false;
};

/// The place among its entries of the first that a write could not do, if the reply says which.
std::optional<std::int64_t> first_failed(const command_reply& reply);

/// Reads them from the reply to a write of `sent` entries.
write_losses losses_of(const command_reply& reply, std::size_t sent);

}  // namespace codecs::mongo
