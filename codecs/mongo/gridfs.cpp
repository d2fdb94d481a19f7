#include "codecs/mongo/gridfs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::mongo {
namespace {

// Where the fields of a chunk document stand; those behind files_id stand so much further as its value has bytes.
constexpr std::size_t id_at = 9;
constexpr std::size_t files_id_at = id_at + 12 + 10;
constexpr std::size_t n_at = files_id_at + 3;
constexpr std::size_t data_length_at = n_at + 4 + 6;
constexpr std::size_t head_bytes = data_length_at + 4 + 1;

failure bad_file(const char* field, std::string text) {
  return {{errc::remote_bad_file, field}, std::move(text)};
}

failure unfit(const char* field, std::string text) {
  return {{errc::local_bad_value, field}, std::move(text)};
}

// The payload of a binary value as it stands on the wire: length, subtype, bytes. libbson has checked the lengths, the inner
// one of subtype 2 as well.
bytes_view payload_of(bytes_view binary) {
  const bool has_inner_length = binary[4] == BSON_SUBTYPE_BINARY_DEPRECATED;
  return binary.subspan(has_inner_length ? 9 : 5);
}

}  // namespace

failure check_storable(const chunk_layout& layout, const id_value& files_id, const limits& server) {
  const auto most = server.document_bytes - static_cast<std::int64_t>(chunk_envelope_bytes(files_id));
  if (layout.chunk_bytes < 1 || layout.chunk_bytes > most) {
    return unfit("chunkSize",
                 fmt::format("{} bytes where the server takes 1 to {}", layout.chunk_bytes, most));
  }
  if (layout.file_bytes < 0) return unfit("length", fmt::format("{} bytes", layout.file_bytes));
  if (layout.count() > most_chunks) {
    return unfit("chunkSize",
                 fmt::format("{} bytes in chunks of {} are {} chunks where GridFS can number {}",
                             layout.file_bytes, layout.chunk_bytes, layout.count(), most_chunks));
  }
  return {};
}

void chunk_head::set(const id_value& files_id) {
  const auto more = files_id.bytes.size();
  bytes_.assign(head_bytes + more, 0);
  const auto put = [this](std::size_t at, auto bytes) {
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(id_at - 5, std::string_view("\x07_id"));
  bytes_[files_id_at - 10] = static_cast<std::uint8_t>(files_id.type);
  put(files_id_at - 9, std::string_view("files_id"));
  put(files_id_at, files_id.bytes);
  put(n_at - 3 + more, std::string_view("\x10n"));
  put(data_length_at - 6 + more, std::string_view("\x05"
                                                  "data"));
}

bytes_view chunk_head::of(const object_id& id, std::int32_t n, std::size_t payload_bytes) {
  const auto files_id_bytes = bytes_.size() - head_bytes;
  store_le(bytes_.data(), static_cast<std::int32_t>(bytes_.size() + payload_bytes + 1));
  std::ranges::copy(id, bytes_.begin() + id_at);
  store_le(bytes_.data() + n_at + files_id_bytes, n);
  store_le(bytes_.data() + data_length_at + files_id_bytes, static_cast<std::int32_t>(payload_bytes));
  return bytes_;
}

failure decode(bytes_view document, chunk& chunk) {
  chunk = {};
  const auto n = lookup(document, "n");
  const auto number = n ? integer(*n) : std::nullopt;
  if (!number) return bad_file("n", n ? "no integer" : "missing");
  chunk.n = *number;
  const auto data = lookup(document, "data");
  if (!data) return bad_file("data", "missing");
  if (!BSON_ITER_HOLDS_BINARY(&*data)) {
    return bad_file(
        "data", fmt::format("BSON type {} where binary, type {}, was expected",
                            static_cast<int>(bson_iter_type(&*data)), static_cast<int>(BSON_TYPE_BINARY)));
  }
  chunk.data = payload_of(raw_value(*data));
  return {};
}

void build(document& into, const file_document& file) {
  into.clear();
  append_value(into.get(), "_id", file.id);
  BSON_APPEND_INT64(into.get(), "length", file.layout.file_bytes);
  BSON_APPEND_INT32(into.get(), "chunkSize", static_cast<std::int32_t>(file.layout.chunk_bytes));
  BSON_APPEND_DATE_TIME(into.get(), "uploadDate", file.uploaded_ms);
  append_text(into.get(), "filename", file.filename);
  if (!file.metadata.empty()) append_document(into.get(), "metadata", file.metadata);
}

failure decode(bytes_view document, file_document& file) {
  file = {};
  std::optional<std::int64_t> length;
  std::optional<std::int64_t> chunk_bytes;
  for (bson_iter_t at = elements(document); bson_iter_next(&at);) {
    const auto key = key_of(at);
    if (key == "_id") {
      file.id = id_value::of(at);
    } else if (key == "length") {
      length = integer(at);
    } else if (key == "chunkSize") {
      chunk_bytes = integer(at);
    } else if (key == "uploadDate" && BSON_ITER_HOLDS_DATE_TIME(&at)) {
      file.uploaded_ms = bson_iter_date_time(&at);
    } else if (key == "filename") {
      file.filename = text(at);
    } else if (key == "metadata") {
      file.metadata = embedded(at);
    }
  }
  if (!length) return bad_file("length", "the files document has no integer of that name");
  if (*length < 0) return bad_file("length", fmt::format("{} bytes", *length));
  if (!chunk_bytes) return bad_file("chunkSize", "the files document has no integer of that name");
  if (*chunk_bytes < 1) return bad_file("chunkSize", fmt::format("{} bytes", *chunk_bytes));
  file.layout = {*length, *chunk_bytes};
  if (file.layout.count() > most_chunks) {
    return bad_file("length", fmt::format("{} bytes in chunks of {} are more than GridFS can number", *length,
                                          *chunk_bytes));
  }
  return {};
}

}  // namespace codecs::mongo
