#include "wire/mongo/gridfs.hpp"

#include <chrono>
#include <random>

namespace wire::mongo {
namespace {

using namespace codecs::mongo;

std::int64_t now_ms() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

object_id first_id() {
  std::random_device chance;
  object_id id;
  codecs::store_be(&id[0], static_cast<std::uint32_t>(now_ms() / 1000));
  codecs::store_be(&id[4], static_cast<std::uint32_t>(chance()));
  codecs::store_be(&id[8], static_cast<std::uint32_t>(chance()));
  return id;
}

}  // namespace

gridfs::gridfs(client& client, std::string database, std::string bucket)
    : client_(client),
      database_(std::move(database)),
      bucket_(std::move(bucket)),
      ids_(first_id()),
      indexes_(client.ids()),
      upload_(client.ids(), client.server().limits, ids_, now_ms),
      download_(client.ids()) {}

error_code gridfs::run(codecs::exchange& op) {
  const auto error = client_.channel().run(op);
  why_ = error ? client_.why() : std::string();
  return error;
}

error_code gridfs::make_indexes() {
  indexes_.set(database_, bucket_);
  return run(indexes_);
}

codecs::exchange& gridfs::upload_op(gridfs_upload_command command, codecs::chunk_source& source) {
  command.database = database_;
  command.bucket = bucket_;
  upload_.set(command, source);
  return upload_;
}

codecs::exchange& gridfs::download_op(gridfs_download_command command, codecs::chunk_sink& sink) {
  command.database = database_;
  command.bucket = bucket_;
  download_.set(command, sink);
  return download_;
}

error_code gridfs::remove(const id_value& id) {
  if (const auto error = remove_from(bucket_ + ".files", "_id", id, false)) return error;
  const bool found = client_.removed().removed != 0;
  if (const auto error = remove_chunks(id)) return error;
  if (found) return {};
  why_ = codecs::failure{{codecs::errc::remote_bad_file, "files document"}, "there is none with this _id"}
             .sentence();
  return make_error_code(codecs::errc::remote_bad_file);
}

error_code gridfs::remove_chunks(const id_value& id) {
  return remove_from(bucket_ + ".chunks", "files_id", id, true);
}

error_code gridfs::remove_from(const std::string& collection, const char* key, const id_value& id,
                               bool many) {
  document filter;
  append_value(filter.get(), key, id);
  document statement;
  build(statement, remove_statement{.filter = filter.view(), .many = many});
  const codecs::bytes_view statements[] = {statement.view()};
  return run(client_.remove_op({.database = database_, .collection = collection, .statements = statements}));
}

}  // namespace wire::mongo
