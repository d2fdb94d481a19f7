#pragma once
// The indexes of a GridFS bucket, made before the first write of a bucket object and never for reads (specification gridfs):
//
//   find one of fs.files  --+-- there is one: done
//                           +-- none: listIndexes fs.files,  createIndexes {filename: 1, uploadDate: 1} if missing
//                                     listIndexes fs.chunks, createIndexes {files_id: 1, n: 1}, unique, if missing

#include "codecs/mongo/command.hpp"
#include "codecs/mongo/cursor.hpp"

namespace codecs::mongo {

class gridfs_indexes final : public request_exchange {
 public:
  explicit gridfs_indexes(request_ids& ids) : request_exchange(ids) {}

  /// Views, valid until the op is done.
  void set(std::string_view database, std::string_view bucket) {
    database_ = database;
    bucket_ = bucket;
  }

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// Indexes that the current or last op has made.
  int created() const { return created_; }

 private:
  enum class step { look, list_files, create_files, list_chunks, create_chunks };

  progress begin(step next, send_buffer& out);
  progress follow(const cursor_batch& found, send_buffer& out);

  std::string_view database_;
  std::string_view bucket_;
  step step_ = step::look;
  int created_ = 0;
  std::string collection_;
  document body_;
};

/// The key of an index, compared as servers do: the same names in the same order, each with a 1 of any numeric type.
bool same_key(bytes_view key, std::span<const std::string_view> names);

}  // namespace codecs::mongo
