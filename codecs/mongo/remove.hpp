#pragma once
// delete (a keyword of C++, hence the name of this file): statements, the command, its reply, and the exchange of both.
//
//   statement   {q: filter, limit: 0 | 1}         0: every document that matches
//   reply       {n [, writeErrors] [, writeConcernError], ok}

#include "codecs/mongo/write.hpp"

namespace codecs::mongo {

/// One entry of the sequence "deletes"; views of the document that it was decoded from.
struct remove_statement {
  bytes_view filter;
  bool many = false;  ///< every document that matches, not the first one
};

void build(document& into, const remove_statement& statement);

/// Reads one statement from a document that validate() has accepted. The fault names the field: "q", or "limit" when it is
/// neither 0 nor 1; servers want both.
fault decode(bytes_view document, remove_statement& statement);

/// What one delete takes away; views, valid until the op is done.
struct remove_command {
  std::string_view database;
  std::string_view collection;
  std::span<const bytes_view> statements;  ///< one document per view, at least one
  bool acknowledged = true;                ///< false: w:0 with moreToCome, nobody answers (case C05)
};

/// What became of the statements. Anything but success in all of them is none (case C09).
struct remove_result : write_losses {
  std::int64_t removed = 0;
};

class remove_exchange final : public write_exchange {
 public:
  remove_exchange(request_ids& ids, const limits& server) : write_exchange(ids, server) {}

  void set(const remove_command& command) { command_ = command; }

  progress start(send_buffer& out) override;

  /// Fails with remote_server_error on an error in any of the three places, and with remote_bad_value ("n") when the reply
  /// lacks its count. result() tells what was removed either way.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Of the last reply.
  const remove_result& result() const { return result_; }

 private:
  remove_command command_;
  remove_result result_;
};

}  // namespace codecs::mongo
