#pragma once
// What insert, update and delete have in common: a body without the entries, the entries as one kind 1 section that is
// borrowed from its owner, and the limits of the connection.
//
//   {insert: C, ordered: true [, writeConcern: {w: 0}], $db: D}   "documents"   {_id, ...} ...
//   {update: C, ...}                                              "updates"     {q, u [, multi] [, upsert]} ...
//   {delete: C, ...}                                              "deletes"     {q, limit} ...

#include "codecs/mongo/hello.hpp"

namespace codecs::mongo {

/// The entries of one write; views, valid until the op is done.
struct write_entries {
  std::string_view database;
  const char* identifier;  ///< a literal: "documents", "updates" or "deletes"
  std::span<const bytes_view> entries;
  std::size_t entry_limit;  ///< bytes that the server takes per entry
  bool acknowledged;
};

/// Builds the body of `command` ("insert") without `$db` and without the entries. Every driver sends `ordered`.
void build_write(document& body, const char* command, std::string_view collection, bool acknowledged);

class write_exchange : public request_exchange {
 protected:
  /// `server` tells the limits of the connection and outlives the exchange.
  write_exchange(request_ids& ids, const limits& server) : request_exchange(ids), limits_(server) {}

  /// Encodes one message. Nothing is encoded when the entries are more than one message may hold:
  /// local_message_too_long names the limit (maxWriteBatchSize, maxBsonObjectSize, maxMessageSizeBytes). `done` when
  /// unacknowledged, because nobody will answer (case C05).
  progress write(bytes_view body, const write_entries& what, send_buffer& out);

  const limits& server() const { return limits_; }

 private:
  fault check_limits(const write_entries& what, std::size_t message_bytes) const;

  const limits& limits_;
};

/// Bytes of the document of a user that a statement may hold, and of what stands around it: mongod takes entries of
/// maxBsonObjectSize and 16 KiB (its BSONObjMaxInternalSize).
inline constexpr std::size_t statement_allowance_bytes = 16 * 1024;

/// Entries that an ordered write of `sent` entries did not come to: all after an ok:0 reply, else those behind the
/// first error.
std::int64_t count_unattempted(const command_reply& reply, std::size_t sent);

}  // namespace codecs::mongo
