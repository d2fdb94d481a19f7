#pragma once
// Reading a file from GridFS: the files document, which tells length and chunk size, then the chunks in the order of `n`, as many
// per reply as wanted (specification gridfs).
//
//   find fs.files {_id}                                -->  length, chunkSize        length 0: done, no chunk is asked for
//   find fs.chunks {files_id} sort {n} limit chunks+1  -->  n = 0 ..                 each checked, then given to the sink
//   getMore                                            -->  ...
//
// A chunk is given away when it is the one that comes next and has the size that it must have: the sink gets no byte of a bad
// chunk and none past the file's end. After a bad one, or when the sink takes no more, the cursor is closed and nothing else
// is asked for. One chunk more than there are is asked for, to see that there is none.

#include "codecs/chunks.hpp"
#include "codecs/mongo/chunk_finder.hpp"
#include "codecs/mongo/cursor.hpp"
#include "codecs/mongo/gridfs.hpp"

namespace codecs::mongo {

/// One file to be read; views, valid until the op is done.
struct gridfs_download_command {
  std::string_view database;
  std::string_view bucket = "fs";
  id_value id;             ///< of the file
  std::int32_t batch = 0;  ///< chunks per reply; 0: as many as 16 MiB hold
};

class gridfs_download final : public exchange, private document_sink {
 public:
  explicit gridfs_download(request_ids& ids) : find_(ids) {}

  /// `sink` lives until the op is done.
  void set(const gridfs_download_command& command, chunk_sink& sink) {
    command_ = command;
    sink_ = &sink;
  }

  progress start(send_buffer& out) override;
  scan_result scan(bytes_view unread) const override { return find_.scan(unread); }

  /// Fails with remote_bad_file when there is no such file or it is damaged, with local_payload ("sink") when the sink takes
  /// no more; the connection goes on after both. The text says which chunk and what was expected.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// With a chunk size of 4 KiB and more, payload lands where the sink keeps it.
  landing land(bytes_view unread) override;

  /// As the files document tells, once it was read.
  const chunk_layout& layout() const { return layout_; }

  /// Chunks that the sink has taken.
  std::int64_t delivered() const { return next_; }

  std::uint64_t get_mores() const { return find_.get_mores(); }

  /// The server's own code after remote_server_error, else 0.
  std::int64_t server_code() const { return find_.server_code(); }

 private:
  enum class phase { file, chunks };

  /// A chunk's payload that is arriving, or was the last to arrive: where in the frame, and where it is kept.
  struct landing_chunk {
    std::size_t at = 0;
    bytes_span place;
    std::size_t end() const { return at + place.size(); }
  };

  bool take(bytes_view document) override;
  failure take_file(bytes_view document);
  failure take_chunk(bytes_view document);
  std::string misplaced(std::int64_t n) const;
  progress find(const char* key, const find_command& what, send_buffer& out);
  progress find_chunks(send_buffer& out);
  progress pass(progress reached);
  bool find_place(const chunk_finder::found& payload, bytes_view unread);
  void end_landing();

  find_exchange find_;
  gridfs_download_command command_;
  chunk_sink* sink_ = nullptr;

  phase phase_ = phase::file;
  bool found_ = false;
  chunk_layout layout_;
  std::int64_t next_ = 0;  // `n` of the chunk that comes next
  failure trouble_;        // that made take() refuse
  std::string collection_;
  document filter_;
  document sort_;

  // Of the frame that is arriving.
  chunk_finder finder_;
  landing_chunk landing_;
  std::int64_t landed_ = 0;       // chunks whose payload is not in the frame
  std::size_t landed_bytes_ = 0;  // theirs
  std::size_t between_bytes_ =
      0;  // from the end of a payload to the next, as last seen; grows with the array's keys
};

}  // namespace codecs::mongo
