#include "codecs/mongo/gridfs_indexes.hpp"

#include <algorithm>

namespace codecs::mongo {
namespace {

constexpr std::string_view files_key[] = {"filename", "uploadDate"};
constexpr std::string_view chunks_key[] = {"files_id", "n"};

// All indexes of a collection, of which there are 64 at most, come in one batch.
bool has_index(bytes_view batch, std::span<const std::string_view> names) {
  if (batch.empty()) return false;
  for (bson_iter_t at = elements(batch); bson_iter_next(&at);) {
    const auto index = embedded(at);
    if (check_document(index)) continue;
    const auto key = lookup(index, "key");
    if (key && same_key(embedded(*key), names)) return true;
  }
  return false;
}

void build_look(document& body, std::string_view collection) {
  document id_only;
  BSON_APPEND_INT32(id_only.get(), "_id", 1);
  build_find(body,
             {.collection = collection, .projection = id_only.view(), .limit = 1, .single_batch = true});
}

void build_list(document& body, std::string_view collection) {
  body.clear();
  append_text(body.get(), "listIndexes", collection);
}

// Named as every driver names them: filename_1_uploadDate_1.
void build_create(document& body, std::string_view collection, std::span<const std::string_view> names,
                  bool unique) {
  body.clear();
  append_text(body.get(), "createIndexes", collection);
  bson_t indexes;
  bson_t index;
  bson_t key;
  std::string name;
  BSON_APPEND_ARRAY_BEGIN(body.get(), "indexes", &indexes);
  BSON_APPEND_DOCUMENT_BEGIN(&indexes, "0", &index);
  BSON_APPEND_DOCUMENT_BEGIN(&index, "key", &key);
  for (const auto field : names) {
    bson_append_int32(&key, field.data(), static_cast<int>(field.size()), 1);
    name.append(name.empty() ? "" : "_").append(field).append("_1");
  }
  bson_append_document_end(&index, &key);
  append_text(&index, "name", name);
  if (unique) BSON_APPEND_BOOL(&index, "unique", true);
  bson_append_document_end(&indexes, &index);
  bson_append_array_end(body.get(), &indexes);
}

}  // namespace

bool same_key(bytes_view key, std::span<const std::string_view> names) {
  if (check_document(key)) return false;
  bson_iter_t at = elements(key);
  for (const auto name : names) {
    if (!bson_iter_next(&at) || key_of(at) != name || integer(at) != 1) return false;
  }
  return at_end(at);
}

progress gridfs_indexes::start(send_buffer& out) {
  created_ = 0;
  return begin(step::look, out);
}

progress gridfs_indexes::begin(step next, send_buffer& out) {
  step_ = next;
  const bool of_chunks = next == step::list_chunks || next == step::create_chunks;
  collection_.assign(bucket_).append(of_chunks ? ".chunks" : ".files");
  switch (next) {
    case step::look:
      build_look(body_, collection_);
      break;
    case step::list_files:
    case step::list_chunks:
      build_list(body_, collection_);
      break;
    case step::create_files:
      build_create(body_, collection_, files_key, false);
      break;
    case step::create_chunks:
      build_create(body_, collection_, chunks_key, true);
      break;
  }
  return ask(body_.view(), database_, out);
}

progress gridfs_indexes::on_frame(bytes_view frame, send_buffer& out) {
  const auto answered = take(frame);
  const bool creates = step_ == step::create_files || step_ == step::create_chunks;
  const bool lists = step_ == step::list_files || step_ == step::list_chunks;
  cursor_batch batch;
  if (answered == progress::failed) {
    // A collection that does not exist has no index.
    if (!lists || server_code() != code::namespace_not_found) return answered;
  } else if (creates) {
    ++created_;
  } else {
    if (reply().cursor.empty()) return fail(errc::remote_bad_value, "cursor");
    if (const fault bad = decode(reply().cursor, batch)) return fail(bad);
  }
  return follow(batch, out);
}

progress gridfs_indexes::follow(const cursor_batch& found, send_buffer& out) {
  switch (step_) {
    case step::look:
      return count_elements(found.documents) > 0 ? progress::done : begin(step::list_files, out);
    case step::list_files:
      return begin(has_index(found.documents, files_key) ? step::list_chunks : step::create_files, out);
    case step::create_files:
      return begin(step::list_chunks, out);
    case step::list_chunks:
      return has_index(found.documents, chunks_key) ? progress::done : begin(step::create_chunks, out);
    case step::create_chunks:
      break;
  }
  return progress::done;
}

}  // namespace codecs::mongo
