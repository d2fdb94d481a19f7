#pragma once
// Whole files as rows of one bytea each, over one connection. Not thread-safe; what the arguments refer to lives until the op was run.
//
//   wire::pg::bytea_rows rows(client);
//   rows.create_table();                          // once per database
//   rows.prepare();                               // once per session
//   rows.put(key, source);
//   rows.get(key, sink);

#include "codecs/pg/bytea_get_exchange.hpp"
#include "codecs/pg/bytea_put_exchange.hpp"

#include "wire/pg/client.hpp"

namespace wire::pg {

class bytea_rows {
 public:
  using row_key = codecs::pg::bytea_row::key;

  /// `client` has logged in and outlives this.
  explicit bytea_rows(client& client) : client_(client) {}

  /// The table wirebench_bytea (id int8 PRIMARY KEY, data bytea), if it is not there.
  error_code create_table() { return client_.query(codecs::pg::bytea_row::create_table); }

  error_code prepare();

  // In a transaction block or outside. A file is one message, below 1 GiB, and the server holds it in memory more than once.

  /// A new row from `source`, in one round trip.
  error_code put(row_key key, codecs::chunk_source& source) {
    return client_.channel().run(put_op(key, source));
  }
  codecs::exchange& put_op(row_key key, codecs::chunk_source& source);

  /// A row of any size, in one round trip; `sink` gets it in one piece.
  error_code get(row_key key, codecs::chunk_sink& sink) { return client_.channel().run(get_op(key, sink)); }
  codecs::exchange& get_op(row_key key, codecs::chunk_sink& sink);

 private:
  client& client_;
  codecs::pg::bytea_put_exchange put_{client_.session()};
  codecs::pg::bytea_get_exchange get_{client_.session()};
};

}  // namespace wire::pg
