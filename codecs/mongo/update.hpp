#pragma once
// update: statements, the command, its reply, and the exchange of both.
//
//   statement   {q: filter, u: change [, multi: true] [, upsert: true]}
//   reply       {n, nModified [, upserted: [{index, _id} ...]] [, writeErrors] [, writeConcernError], ok}
//
// A change is a document of operators ({$set: ...}), a whole document, or a pipeline (an array).

#include "codecs/mongo/write.hpp"

namespace codecs::mongo {

/// One entry of the sequence "updates"; views of the document that it was decoded from.
struct update_statement {
  bytes_view filter;
  bytes_view change;      ///< empty documents are legal in both places
  bool pipeline = false;  ///< `change` is an array of stages
  bool multi = false;     ///< every document that matches, not the first one
  bool upsert = false;
};

/// Builds one statement. `multi` and `upsert` are left out where they are false, which is what a server then assumes.
void build(document& into, const update_statement& statement);

/// Reads one statement from a document that validate() has accepted. The fault names the field: "q" or "u".
fault decode(bytes_view document, update_statement& statement);

/// What one update changes; views, valid until the op is done.
struct update_command {
  std::string_view database;
  std::string_view collection;
  std::span<const bytes_view> statements;  ///< one document per view, at least one
  bool acknowledged = true;                ///< false: w:0 with moreToCome, nobody answers (case C05)
};

/// The fields of a reply that belong to update alone.
struct update_reply {
  std::int32_t n = 0;         ///< documents that matched, or were upserted
  std::int32_t modified = 0;  ///< documents that are different now; old servers leave it out
  bytes_view upserted;        ///< an array of {index, _id}; empty when absent
};

/// Builds {n, nModified [, upserted], ok: 1.0}.
void build(document& into, const update_reply& reply);

/// Reads a reply whose ok is 1; numbers may be of any numeric type. The fault names the field: "n" (absent, or no int32),
/// "nModified", "upserted".
fault decode(bytes_view body, update_reply& reply);

/// What became of the statements. Anything but success in all of them is none (case C09).
struct update_result : write_losses {
  std::int64_t matched = 0;
  std::int64_t modified = 0;
  std::int64_t upserted = 0;
};

class update_exchange final : public write_exchange {
 public:
  update_exchange(request_ids& ids, const limits& server) : write_exchange(ids, server) {}

  void set(const update_command& command) { command_ = command; }

  progress start(send_buffer& out) override;

  /// Fails with remote_server_error on an error in any of the three places, and with remote_bad_value when the reply
  /// lacks its counts. How many documents should have matched, the caller knows: result() tells how many did.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Of the last reply.
  const update_result& result() const { return result_; }

 private:
  update_command command_;
  update_result result_;
};

}  // namespace codecs::mongo
