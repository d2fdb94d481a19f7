#pragma once
// Whole files as large objects over one connection. Not thread-safe; what the arguments refer to lives until the op was run.
//
//   wire::pg::large_objects objects(client);
//   objects.prepare();                            // once per session
//   objects.upload(source, {.chunk_bytes = 256 * 1024});
//   objects.download(objects.object(), sink, {file_bytes, 256 * 1024});

#include "codecs/pg/lo_get_exchange.hpp"
#include "codecs/pg/lo_put_exchange.hpp"
#include "codecs/pg/lo_upload_exchange.hpp"
#include "codecs/pg/loread_exchange.hpp"
#include "codecs/pg/lowrite_exchange.hpp"

#include "wire/pg/client.hpp"

namespace wire::pg {

class large_objects {
 public:
  /// `client` has logged in and outlives this.
  explicit large_objects(client& client) : client_(client) {}

  /// Prepares the statements of upload(), put(), measure() and download().
  error_code prepare();

  // Outside a transaction block.

  struct upload_options {
    std::size_t chunk_bytes = 256 * 1024;
    std::size_t window_bytes = 4 * 1024 * 1024;  ///< in flight at most
    codecs::pg::oid object = 0;                  ///< of the new object; 0: the server chooses
  };

  /// A new object from `source`, in one implicit transaction and one round trip.
  error_code upload(codecs::chunk_source& source, const upload_options& how) {
    return client_.channel().run(upload_op(source, how));
  }
  codecs::exchange& upload_op(codecs::chunk_source& source, const upload_options& how);

  /// The object that upload() has made.
  codecs::pg::oid object() const { return upload_.object(); }

  /// Writes `source` to `object`, which is there (lo_creat makes one), from `offset` on, by lo_put; `how.object` is of no meaning.
  /// In a transaction block, too.
  error_code put(codecs::pg::oid object, std::int64_t offset, codecs::chunk_source& source,
                 const upload_options& how) {
    return client_.channel().run(put_op(object, offset, source, how));
  }
  codecs::exchange& put_op(codecs::pg::oid object, std::int64_t offset, codecs::chunk_source& source,
                           const upload_options& how);

  /// The size of `object`, in one round trip.
  error_code measure(codecs::pg::oid object, std::int64_t& bytes);

  /// The first `layout.file_bytes` bytes of `object`, streamed by one query.
  error_code download(codecs::pg::oid object, codecs::chunk_sink& sink, const codecs::chunk_layout& layout) {
    return client_.channel().run(download_op(object, sink, layout));
  }
  codecs::exchange& download_op(codecs::pg::oid object, codecs::chunk_sink& sink,
                                const codecs::chunk_layout& layout);

  // In a transaction block, with a descriptor that lo_open() has returned in it, from its position on, as FunctionCalls of which
  // at most `depth` are in flight.

  error_code write(std::int32_t descriptor, codecs::chunk_source& source, std::size_t chunk_bytes,
                   std::size_t depth) {
    return client_.channel().run(write_op(descriptor, source, chunk_bytes, depth));
  }
  codecs::exchange& write_op(std::int32_t descriptor, codecs::chunk_source& source, std::size_t chunk_bytes,
                             std::size_t depth);

  error_code read(std::int32_t descriptor, codecs::chunk_sink& sink, const codecs::chunk_layout& layout,
                  std::size_t depth) {
    return client_.channel().run(read_op(descriptor, sink, layout, depth));
  }
  codecs::exchange& read_op(std::int32_t descriptor, codecs::chunk_sink& sink,
                            const codecs::chunk_layout& layout, std::size_t depth);

 private:
  client& client_;
  codecs::pg::statement size_;
  codecs::pg::lo_upload_exchange upload_{client_.session()};
  codecs::pg::lo_put_exchange put_{client_.session()};
  codecs::pg::lo_get_exchange download_{client_.session()};
  codecs::pg::lowrite_exchange write_{client_.session()};
  codecs::pg::loread_exchange read_{client_.session()};
};

}  // namespace wire::pg
