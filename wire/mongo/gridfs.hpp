#pragma once
// A GridFS bucket over one connection: files are written and read, each by one exchange on the client's channel. Payload goes from
// the source to the socket and from the receive buffer to the sink.
//
//   wire::mongo::gridfs bucket(client, "wirebench");
//   bucket.make_indexes();
//   const auto id = bucket.new_id();
//   bucket.upload({.id = {BSON_TYPE_OID, id}, .filename = "a.bin"}, source);
//   bucket.download({.id = {BSON_TYPE_OID, id}}, sink);

#include "codecs/mongo/gridfs_download.hpp"
#include "codecs/mongo/gridfs_indexes.hpp"
#include "codecs/mongo/gridfs_upload.hpp"

#include "wire/mongo/client.hpp"

namespace wire::mongo {

class gridfs {
 public:
  /// `client` has said hello and outlives the bucket.
  gridfs(client& client, std::string database, std::string bucket = "fs");

  /// A new `_id` for a file; no other bucket object has it.
  codecs::mongo::object_id new_id() { return ids_.next(); }

  /// To be called before a bucket object's first write (specification gridfs): makes the two indexes of an empty bucket.
  error_code make_indexes();

  // Database and bucket of the commands are filled in here. Under the name with _op an op is only made ready, for
  // async_channel::async_run(); what the arguments refer to lives until it was run.

  /// Writes a file. After an error its chunks stay where they are, see remove_chunks().
  error_code upload(const codecs::mongo::gridfs_upload_command& command, codecs::chunk_source& source) {
    return run(upload_op(command, source));
  }
  codecs::exchange& upload_op(codecs::mongo::gridfs_upload_command command, codecs::chunk_source& source);

  /// Reads a file.
  error_code download(const codecs::mongo::gridfs_download_command& command, codecs::chunk_sink& sink) {
    return run(download_op(command, sink));
  }
  codecs::exchange& download_op(codecs::mongo::gridfs_download_command command, codecs::chunk_sink& sink);

  /// Removes a file: the files document, then the chunks. Without such a file it is errc::remote_bad_file, and chunks that were
  /// left over are removed all the same.
  error_code remove(const codecs::mongo::id_value& id);

  /// Removes the chunks of an upload that has failed.
  error_code remove_chunks(const codecs::mongo::id_value& id);

  /// Of the last upload, also after an error: chunks that are stored.
  std::int64_t stored() const { return upload_.stored(); }
  const codecs::mongo::gridfs_download& downloaded() const { return download_; }

  /// The last error as one clause for a person; valid until the next op.
  const std::string& why() const { return why_; }

 private:
  error_code run(codecs::exchange& op);
  error_code remove_from(const std::string& collection, const char* key, const codecs::mongo::id_value& id,
                         bool many);

  client& client_;
  std::string database_;
  std::string bucket_;
  codecs::mongo::object_ids ids_;  // of files and of chunks
  codecs::mongo::gridfs_indexes indexes_;
  codecs::mongo::gridfs_upload upload_;
  codecs::mongo::gridfs_download download_;
  std::string why_;
};

}  // namespace wire::mongo
