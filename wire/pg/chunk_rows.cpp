#include "wire/pg/chunk_rows.hpp"

#include "wire/pg/prepare.hpp"

namespace wire::pg {

namespace statement_of = codecs::pg::chunk_table::statement;

error_code chunk_rows::prepare() {
  return pg::prepare(client_, {statement_of::insert, statement_of::copy_in, statement_of::select});
}

codecs::exchange& chunk_rows::insert_op(file_key file, codecs::chunk_source& source,
                                        const upload_options& how) {
  insert_.set(file, source, how.chunk_bytes, how.window_bytes);
  return insert_;
}

codecs::exchange& chunk_rows::copy_in_op(file_key file, codecs::chunk_source& source,
                                         const upload_options& how) {
  copy_in_.set(file, source, how.chunk_bytes, how.window_bytes);
  return copy_in_;
}

codecs::exchange& chunk_rows::copy_out_op(file_key file, codecs::chunk_sink& sink,
                                          const codecs::chunk_layout& layout) {
  copy_out_.set(file, sink, layout);
  return copy_out_;
}

codecs::exchange& chunk_rows::select_op(file_key file, codecs::chunk_sink& sink,
                                        const codecs::chunk_layout& layout) {
  select_.set(file, sink, layout);
  return select_;
}

}  // namespace wire::pg
