#include "wire/pg/large_object.hpp"

#include "wire/pg/prepare.hpp"

namespace wire::pg {

namespace statement_of = codecs::pg::large_object::statement;
using codecs::pg::value;

namespace {

/// Takes the one number of 8 bytes that a row has.
class number_sink final : public codecs::pg::result_sink {
 public:
  explicit number_sink(std::int64_t& number) : number_(number) {}

  void on_row(const codecs::pg::data_row& row) override {
    for (const auto each : row.values) {
      if (each && each->size() == sizeof number_) number_ = codecs::load_be<std::int64_t>(each->data());
    }
  }

 private:
  std::int64_t& number_;
};

}  // namespace

error_code large_objects::prepare() {
  size_.name = statement_of::size.name;
  if (const auto error = client_.prepare(statement_of::size.text, size_)) return error;
  return pg::prepare(client_, {statement_of::create, statement_of::write, statement_of::close,
                               statement_of::put, statement_of::get});
}

error_code large_objects::measure(codecs::pg::oid object, std::int64_t& bytes) {
  std::uint8_t number[sizeof object];
  codecs::store_be(number, object);
  const value parameter = codecs::bytes_view(number);
  number_sink sink(bytes);
  return client_.execute(size_, {&parameter, 1}, &sink);
}

codecs::exchange& large_objects::upload_op(codecs::chunk_source& source, const upload_options& how) {
  upload_.set(how.object, source, how.chunk_bytes, how.window_bytes);
  return upload_;
}

codecs::exchange& large_objects::put_op(codecs::pg::oid object, std::int64_t offset,
                                        codecs::chunk_source& source, const upload_options& how) {
  put_.set(object, offset, source, how.chunk_bytes, how.window_bytes);
  return put_;
}

codecs::exchange& large_objects::download_op(codecs::pg::oid object, codecs::chunk_sink& sink,
                                             const codecs::chunk_layout& layout) {
  download_.set(object, sink, layout);
  return download_;
}

codecs::exchange& large_objects::write_op(std::int32_t descriptor, codecs::chunk_source& source,
                                          std::size_t chunk_bytes, std::size_t depth) {
  write_.set(descriptor, source, chunk_bytes, depth);
  return write_;
}

codecs::exchange& large_objects::read_op(std::int32_t descriptor, codecs::chunk_sink& sink,
                                         const codecs::chunk_layout& layout, std::size_t depth) {
  read_.set(descriptor, sink, layout, depth);
  return read_;
}

}  // namespace wire::pg
