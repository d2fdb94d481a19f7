#pragma once
// Writing a file into GridFS: its chunks, some per message, then the files document, so that nobody finds a file before all of it
// is there (specification gridfs).
//
//   insert fs.chunks: n = 0 .. k-1  -->          each chunk document  head | the source's payload, borrowed | 00
//                                   <-- n: k     the source may use the memory of these chunks again
//   insert fs.chunks: n = k ..      -->
//                                   ...
//   insert fs.files                 -->
//                                   <-- n: 1     done
//
// One message is in flight. An error ends the upload where it is: what was stored stays (the specification cleans nothing up),
// until somebody removes it.

#include "codecs/chunks.hpp"
#include "codecs/mongo/gridfs.hpp"
#include "codecs/mongo/write.hpp"

namespace codecs::mongo {

/// One file to be written; views, valid until the op is done.
struct gridfs_upload_command {
  std::string_view database;
  std::string_view bucket = "fs";
  id_value id;  ///< of the file
  std::string_view filename;
  bytes_view metadata;  ///< one document; empty: none
  std::int64_t chunk_bytes = default_chunk_bytes;
  std::size_t batch = 1;  ///< the most chunks per message; 0: as many as the server and the source take
};

class gridfs_upload final : public write_exchange {
 public:
  /// `chunk_ids` numbers the chunks; `now_ms` is asked for the time, in milliseconds since 1970, when the last chunk is stored.
  gridfs_upload(request_ids& ids, const limits& server, object_ids& chunk_ids, std::int64_t (*now_ms)())
      : write_exchange(ids, server), chunk_ids_(chunk_ids), now_ms_(now_ms) {}

  /// `source` lives until the op is done.
  void set(const gridfs_upload_command& command, chunk_source& source) {
    command_ = command;
    source_ = &source;
  }

  /// Fails before anything is sent when the file cannot be stored as wanted: see check_storable().
  progress start(send_buffer& out) override;

  /// The text of a failure begins with the chunk or the document that it is about. local_payload ("source"): the source has
  /// no more, or was changed meanwhile; then no files document is written.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Chunks that the server has acknowledged, of the current or last op.
  std::int64_t stored() const { return stored_; }

 private:
  message_parts chunk_message() const;
  std::size_t count_next(std::size_t& documents_bytes) const;
  progress send_chunks(send_buffer& out);
  progress take_acknowledgement();
  progress send_file(send_buffer& out);
  progress blame_chunks();
  progress blame(const std::string& what);
  progress source_failed(const std::string& what);

  object_ids& chunk_ids_;
  std::int64_t (*now_ms_)();
  gridfs_upload_command command_;
  chunk_source* source_ = nullptr;

  chunk_layout layout_;
  std::string files_;  // the two collections
  std::string chunks_;
  document chunks_body_;
  chunk_head head_;
  document file_;
  bytes_view file_entry_;
  std::int64_t stored_ = 0;
  std::size_t in_flight_ = 0;  // chunks; 0: the files document is
};

}  // namespace codecs::mongo
