#include "bench/workloads/mongo_op_set.hpp"

#include "fixtures/datasets.hpp"

#include <memory>

namespace bench::workloads {
namespace {

void build(codecs::mongo::document& into, const bson_oid_t& id, const fixtures::document& values) {
  into.clear();
  bson_append_oid(into.get(), "_id", 3, &id);
  bson_append_int32(into.get(), "n", 1, values.n);
  bson_append_binary(into.get(), "data", 4, BSON_SUBTYPE_BINARY, values.data.data(),
                     static_cast<std::uint32_t>(values.data.size()));
}

/// One value for the reader and the writer of the document.
const fixtures::document& found() {
  static const auto values = fixtures::make_document(2, found_bytes);
  return values;
}

bson_oid_t found_id() {
  bson_oid_t id;
  bson_oid_init_from_data(&id, found().id.data());
  return id;
}

/// libbson's default context asks the kernel for the pid with every id, which would be a third system call of the op.
bson_context_t* id_source() {
  static const std::unique_ptr<bson_context_t, decltype(&bson_context_destroy)> remembers_pid(
      bson_context_new(BSON_CONTEXT_NONE), bson_context_destroy);
  return remembers_pid.get();
}

}  // namespace

void build_inserted(codecs::mongo::document& into) {
  static const auto values = fixtures::make_document(1, inserted_bytes);
  bson_oid_t id;
  bson_oid_init(&id, id_source());
  build(into, id, values);
}

void build_filter(codecs::mongo::document& into) {
  static const auto id = found_id();
  into.clear();
  bson_append_oid(into.get(), "_id", 3, &id);
}

void build_found(codecs::mongo::document& into) {
  build(into, found_id(), found());
}

}  // namespace bench::workloads
