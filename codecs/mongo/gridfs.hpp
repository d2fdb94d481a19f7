#pragma once
// GridFS, a file as documents (specification gridfs): its layout, its two kinds of documents, and what is wrong with them.
//
//   fs.chunks   {_id: ObjectId, files_id, n: int32, data: binary}                    head | payload | 00
//   fs.files    {_id, length: int64, chunkSize: int32, uploadDate, filename [, metadata]}
//
// Nobody but the head depends on the chunk, so that the payload stays where it is.

#include "codecs/chunk_layout.hpp"
#include "codecs/mongo/hello.hpp"
#include "codecs/mongo/object_ids.hpp"

#include <vector>

namespace codecs::mongo {

/// 255 KiB by the specification.
inline constexpr std::int64_t default_chunk_bytes = 255 * 1024;

/// Of one file: `n` is an int32 and begins at 0.
inline constexpr std::int64_t most_chunks = std::int64_t{1} << 31;

/// Bytes of a chunk document beside its payload: 62 where files_id is an ObjectId.
constexpr std::size_t chunk_envelope_bytes(const id_value& files_id) {
  return 50 + files_id.bytes.size();
}

/// Why a file of that layout cannot be stored on that server, with figures (local_bad_value); no cause: it can. The chunk
/// document's size is bounded, not the payload's, and `n` may not pass 2,147,483,647 (case C18).
failure check_storable(const chunk_layout& layout, const id_value& files_id, const limits& server);

/// All of a chunk document before its payload; behind the payload comes one NUL. Made once per file: from one chunk to the next
/// only `_id`, `n` and, for the last, two lengths change.
class chunk_head {
 public:
  void set(const id_value& files_id);

  /// Valid until the next call.
  bytes_view of(const object_id& id, std::int32_t n, std::size_t payload_bytes);

 private:
  std::vector<std::uint8_t> bytes_;
};

/// A chunk document as it is read; a view of it.
struct chunk {
  std::int64_t n = 0;
  bytes_view data;
};

/// Reads `n`, of any numeric type, and `data`, binary of any subtype; the inner length of subtype 2 is unwrapped (case C14). The
/// failure is remote_bad_file and says what is wrong; no cause: all is well.
failure decode(bytes_view document, chunk& chunk);

/// A files document; views of it where it was read.
struct file_document {
  id_value id{BSON_TYPE_EOD, {}};
  chunk_layout layout;
  std::int64_t uploaded_ms = 0;  ///< uploadDate: when the last chunk was stored, since 1970
  std::string_view filename;
  bytes_view metadata;  ///< empty: none
};
void build(document& into, const file_document& file);

/// Reads `length`, from 0, and `chunkSize`, from 1, of any numeric type (cases C17, C18); what else is there may be anything. The
/// failure is remote_bad_file and says what is wrong; no cause: all is well.
failure decode(bytes_view document, file_document& file);

}  // namespace codecs::mongo
