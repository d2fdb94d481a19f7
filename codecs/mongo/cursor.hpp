#pragma once
// find and what follows it on the same cursor: getMore until its id is 0, killCursors when nobody wants the
// rest.
//
//   find -> firstBatch, id --+-- id is 0 --------------------------------------> done
//                            +-- sink or limit has enough: killCursors -> reply -> done
//                            +-- getMore -> nextBatch, id -- (as above)
//
// A server may keep the cursor although the batch has reached the limit (specification
// find_getmore_killcursors, case S04); ending it is one extra command, which is counted.

#include "codecs/mongo/command.hpp"

namespace codecs::mongo {

/// One query; views, valid until the op is done.
struct find_command {
  std::string_view database;
  std::string_view collection;
  bytes_view filter;             ///< empty: every document
  bytes_view sort;               ///< empty: in the server's order
  bytes_view projection;         ///< empty: whole documents
  std::int64_t limit = 0;        ///< 0: none
  std::int32_t batch_size = -1;  ///< -1: the server's choice; 0 is legal and gives an empty first batch
  bool single_batch = false;
};

void build_find(document& body, const find_command& command);

/// The peer's side: reads the fields of find_command from a request's body, which validate() has accepted and
/// whose first element names the command.
fault decode(bytes_view body, find_command& command);

void build_get_more(document& body, std::int64_t cursor, const find_command& command);
void build_kill_cursor(document& body, std::int64_t cursor, std::string_view collection);

/// The `cursor` of a reply.
struct cursor_batch {
  std::int64_t id = 0;   ///< of any numeric type on the wire; always sent as int64
  bytes_view documents;  ///< firstBatch or nextBatch: an array
};
fault decode(bytes_view cursor, cursor_batch& batch);

class document_sink {
 public:
  virtual ~document_sink() = default;

  /// Takes one document, valid during the call. Its length and end were checked, its elements were not.
  /// False: enough; the cursor is closed.
  virtual bool take(bytes_view document) = 0;
};

class find_exchange final : public request_exchange {
 public:
  explicit find_exchange(request_ids& ids) : request_exchange(ids) {}

  /// `sink` takes the documents and lives until the op is done.
  void set(const find_command& command, document_sink& sink) {
    command_ = command;
    sink_ = &sink;
  }

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Of the current or last op.
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t get_mores() const { return get_mores_; }
  bool killed() const { return phase_ == phase::killing; }

 private:
  enum class phase { walking, killing };

  fault deliver(bytes_view documents, bool& enough);
  progress get_more(std::int64_t cursor, send_buffer& out);
  progress kill(std::int64_t cursor, send_buffer& out);

  find_command command_;
  document_sink* sink_ = nullptr;
  phase phase_ = phase::walking;
  std::uint64_t delivered_ = 0;
  std::uint64_t get_mores_ = 0;
  document body_;
};

}  // namespace codecs::mongo
