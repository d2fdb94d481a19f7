#pragma once
// The duties of a server that do not depend on what it stores: both opcodes of the handshake, pairing by
// responseTo, silence after moreToCome, checksums, and one answer to each kind of bad input:
//
//   well-framed, bad document       an error reply (InvalidBSON); the connection goes on, the stream is in step
//   OP_QUERY to no `.$cmd`          an error reply; the connection goes on
//   bad sections or checksum        an error reply that names the field, then close
//   other opcodes                   close: nothing was agreed on in which to answer

#include "codecs/exchange.hpp"
#include "codecs/mongo/command.hpp"
#include "codecs/mongo/op_query.hpp"
#include "codecs/mongo/skim.hpp"

namespace codecs::mongo {

/// One command as it arrived; views into the frame.
struct request {
  std::string_view name;  ///< the first key of the body, wherever the body stands, as the client spells it
  std::string_view database;
  bytes_view body;  ///< each element accepted by validate()
  std::span<const document_sequence> sequences;
  bool skimmed = false;  ///< payload (skim.hpp) may not be there
};

/// Gives `visit` what a write command carries under `identifier` ("documents", "updates", "deletes"), entry by entry: the
/// documents of the kind 1 section of that name, each of which is validated, or the entries of the array in the body. Ends
/// with the first fault that it or `visit` finds.
template <typename Visit>
fault visit_entries(const request& request, const char* identifier, Visit visit) {
  for (const auto& sequence : request.sequences) {
    if (sequence.identifier != identifier) continue;
    document_cursor documents(sequence.documents);
    for (bytes_view document; documents.next(document);) {
      const bool there = !request.skimmed || !is_payload(sequence.identifier, document.size());
      if (const fault bad = there ? validate(document) : fault{}) return bad;
      if (const fault bad = visit(document)) return bad;
    }
    return {};
  }
  const auto array = lookup(request.body, identifier);
  if (!array || !BSON_ITER_HOLDS_ARRAY(&*array)) return {errc::remote_bad_value, identifier};
  for (bson_iter_t at = elements(embedded(*array)); bson_iter_next(&at);) {
    if (!BSON_ITER_HOLDS_DOCUMENT(&at)) return {errc::remote_bad_value, identifier};
    if (const fault bad = visit(embedded(at))) return bad;
  }
  return {};
}

/// Counts those entries.
fault count_entries(const request& request, const char* identifier, std::int32_t& entries);

/// Builds {ok: 0, errmsg, code, codeName}.
void build_error(document& reply, std::int32_t code, const char* name, std::string_view message);

class conversation : public codecs::conversation {
 public:
  scan_result scan(bytes_view unread) const final { return mongo::scan(unread); }
  appetite skim(bytes_view unread) const final { return skims_ ? mongo::skim(unread) : appetite{}; }
  answer on_frame(bytes_view frame, send_buffer& out) final;

 protected:
  /// With `skims`, large documents of inserts are counted and not looked at.
  explicit conversation(bool skims = false) : skims_(skims) {}

  /// Answers one command. Returns `reply`, built (it comes empty), or a document of the server's own that
  /// stays as it is until the next call. Called for requests with moreToCome as well.
  virtual bytes_view answer_command(const request& request, document& reply) = 0;

  /// For answer_command(): what it returns is but the beginning of its reply. So many bytes follow, which write_rest() is asked for
  /// while the message is encoded, so that payload can be borrowed; the lengths in the beginning count them already.
  void continue_reply(std::size_t bytes) { rest_bytes_ = bytes; }
  virtual void write_rest(writer& /*to*/) {}

 private:
  answer on_msg(bytes_view frame, send_buffer& out);
  answer on_query(bytes_view frame, send_buffer& out);
  bytes_view respond(request& request);
  bytes_view refuse(std::int32_t code, const char* name, const fault& why);
  fault encode_reply(const message_parts& reply, send_buffer& out);

  const bool skims_;
  std::size_t rest_bytes_ = 0;
  request_ids ids_;
  document reply_;
};

}  // namespace codecs::mongo
