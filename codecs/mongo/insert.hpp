#pragma once
// insert: the command, its reply, and the exchange of both. By the sizes of BSON a message has
// 74 + len(collection) + len(database) bytes beside its documents, and 26 more with {w:0}.

#include "codecs/mongo/write.hpp"

namespace codecs::mongo {

/// What one insert writes; views, valid until the op is done.
struct insert_command {
  std::string_view database;
  std::string_view collection;
  std::span<const bytes_view> documents;  ///< one document per view, at least one
  bool acknowledged = true;               ///< false: w:0 with moreToCome, nobody answers (case C05)
};

/// What became of the documents. An insert with anything but `written` is not a success, whatever its `ok`
/// (case C09).
struct insert_result : write_losses {
  std::int64_t written = 0;
};

class insert_exchange final : public write_exchange {
 public:
  insert_exchange(request_ids& ids, const limits& server) : write_exchange(ids, server) {}

  void set(const insert_command& command) { command_ = command; }

  progress start(send_buffer& out) override;

  /// Fails with remote_server_error on an error in any of the three places, and with remote_bad_value ("n")
  /// on an acknowledgement of fewer or more documents than were sent. result() tells what was written either
  /// way.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Of the last reply.
  const insert_result& result() const { return result_; }

 private:
  insert_command command_;
  insert_result result_;
};

}  // namespace codecs::mongo
