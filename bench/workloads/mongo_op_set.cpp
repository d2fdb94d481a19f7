#include "bench/workloads/mongo_op_set.hpp"

#include "fixtures/datasets.hpp"

#include <array>

namespace bench::workloads {
namespace {

// _id 17 bytes, "n" int32 7, "data" binary 11 and its payload, document head and end 5: the shape that
// drivers.md measured, at the sizes that the ops promise.
constexpr std::size_t envelope_bytes = 5 + 17 + 7 + 11;

void build(codecs::mongo::document& into, const bson_oid_t& id, std::size_t document_bytes) {
  static const auto payload = fixtures::random_bytes(found_bytes, 1);
  into.clear();
  bson_append_oid(into.get(), "_id", 3, &id);
  bson_append_int32(into.get(), "n", 1, 1);
  bson_append_binary(into.get(), "data", 4, BSON_SUBTYPE_BINARY, payload.data(),
                     static_cast<std::uint32_t>(document_bytes - envelope_bytes));
}

bson_oid_t found_id() {
  bson_oid_t id;
  bson_oid_init_from_string(&id, "5f1c8a2b3d4e5f6071829304");
  return id;
}

}  // namespace

void build_inserted(codecs::mongo::document& into) {
  bson_oid_t id;
  bson_oid_init(&id, nullptr);
  build(into, id, inserted_bytes);
}

void build_filter(codecs::mongo::document& into) {
  static const auto id = found_id();
  into.clear();
  bson_append_oid(into.get(), "_id", 3, &id);
}

void build_found(codecs::mongo::document& into) {
  build(into, found_id(), found_bytes);
}

void build_ping(codecs::mongo::document& into) {
  into.clear();
  bson_append_int32(into.get(), "ping", 4, 1);
}

}  // namespace bench::workloads
