#include "wire/pg/bytea_rows.hpp"

#include "wire/pg/prepare.hpp"

namespace wire::pg {

error_code bytea_rows::prepare() {
  return pg::prepare(client_, {codecs::pg::bytea_row::statement::put, codecs::pg::bytea_row::statement::get});
}

codecs::exchange& bytea_rows::put_op(row_key key, codecs::chunk_source& source) {
  put_.set(key, source);
  return put_;
}

codecs::exchange& bytea_rows::get_op(row_key key, codecs::chunk_sink& sink) {
  get_.set(key, sink);
  return get_;
}

}  // namespace wire::pg
