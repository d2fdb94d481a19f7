#pragma once
// Whole files as rows of chunks, over one connection. Not thread-safe; what the arguments refer to lives until the op was run.
//
//   wire::pg::chunk_rows rows(client);
//   rows.create_table();                          // once per database
//   rows.prepare();                               // once per session
//   rows.insert(file, source, {.chunk_bytes = 256 * 1024});
//   rows.select(file, sink, {file_bytes, 256 * 1024});

#include "codecs/pg/chunk_insert_exchange.hpp"
#include "codecs/pg/chunk_select_exchange.hpp"
#include "codecs/pg/copy_in_exchange.hpp"
#include "codecs/pg/copy_out_exchange.hpp"

#include "wire/pg/client.hpp"

namespace wire::pg {

class chunk_rows {
 public:
  using file_key = codecs::pg::chunk_table::file_key;

  /// `client` has logged in and outlives this.
  explicit chunk_rows(client& client) : client_(client) {}

  /// The table wirebench_chunks (file int8, n int4, data bytea), if it is not there.
  error_code create_table() { return client_.query(codecs::pg::chunk_table::create_table); }

  error_code prepare();

  // Each is one round trip, in a transaction block or in one implicit transaction of its own.

  struct upload_options {
    std::size_t chunk_bytes = 256 * 1024;
    std::size_t window_bytes = 4 * 1024 * 1024;  ///< in flight at most
  };

  /// A new file from `source`, one INSERT for each chunk.
  error_code insert(file_key file, codecs::chunk_source& source, const upload_options& how) {
    return client_.channel().run(insert_op(file, source, how));
  }
  codecs::exchange& insert_op(file_key file, codecs::chunk_source& source, const upload_options& how);

  /// The same by COPY FROM STDIN, one for each half of the window.
  error_code copy_in(file_key file, codecs::chunk_source& source, const upload_options& how) {
    return client_.channel().run(copy_in_op(file, source, how));
  }
  codecs::exchange& copy_in_op(file_key file, codecs::chunk_source& source, const upload_options& how);

  /// All of `file`, which has that layout, by one query.
  error_code select(file_key file, codecs::chunk_sink& sink, const codecs::chunk_layout& layout) {
    return client_.channel().run(select_op(file, sink, layout));
  }
  codecs::exchange& select_op(file_key file, codecs::chunk_sink& sink, const codecs::chunk_layout& layout);

  /// The same by COPY TO STDOUT.
  error_code copy_out(file_key file, codecs::chunk_sink& sink, const codecs::chunk_layout& layout) {
    return client_.channel().run(copy_out_op(file, sink, layout));
  }
  codecs::exchange& copy_out_op(file_key file, codecs::chunk_sink& sink, const codecs::chunk_layout& layout);

 private:
  client& client_;
  codecs::pg::chunk_insert_exchange insert_{client_.session()};
  codecs::pg::copy_in_exchange copy_in_{client_.session()};
  codecs::pg::copy_out_exchange copy_out_{client_.session()};
  codecs::pg::chunk_select_exchange select_{client_.session()};
};

}  // namespace wire::pg
