#include "bench/workloads/docs_data.hpp"

#include "fixtures/datasets.hpp"

#include <cassert>
#include <unordered_map>

namespace bench::workloads {

using codecs::mongo::document;

namespace {

/// The first `wanted` numbers of a shuffle of 0 to `count` - 1 (Fisher and Yates), of which only what was moved is kept.
std::vector<std::int64_t> draw(std::uint64_t wanted, std::uint64_t count, std::uint64_t seed) {
  fixtures::random_source random(seed);
  std::unordered_map<std::uint64_t, std::uint64_t> moved;
  const auto at = [&](std::uint64_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<std::int64_t> drawn;
  drawn.reserve(wanted);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const auto other = i + random.next() % (count - i);
    drawn.push_back(static_cast<std::int64_t>(at(other)));
    moved[other] = at(i);
  }
  return drawn;
}

void append_id(bson_t* to, std::int64_t id) {
  bson_append_int64(to, "_id", 3, id);
}

}  // namespace

const char* name(docs_test test) {
  switch (test) {
    case docs_test::insert:
      return "insert";
    case docs_test::update_double:
      return "update_double";
    case docs_test::update_int64:
      return "update_int64";
    case docs_test::find_in:
      return "find_in";
    case docs_test::find_equal:
      return "find_equal";
    case docs_test::find_range:
      return "find_range";
  }
  return "";
}

docs_data::docs_data(const docs_shape& shape)
    : shape_(shape), random_ids_(draw(shape.found, shape.count, shape.seed)) {
  assert(shape.document_bytes >= smallest_document && shape.document_bytes <= largest_document);
  fill_ = fixtures::make_blob(shape.seed, shape.document_bytes - smallest_document);
}

std::uint64_t docs_data::documents_of(docs_test test) const {
  const bool finds =
      test == docs_test::find_in || test == docs_test::find_equal || test == docs_test::find_range;
  return finds ? shape_.found : shape_.count;
}

void docs_data::build_document(document& into, std::int64_t id) const {
  into.clear();
  append_id(into.get(), id);
  bson_append_double(into.get(), "number", 6, static_cast<double>(id));
  bson_append_binary(into.get(), "data", 4, BSON_SUBTYPE_BINARY, fill_.data(),
                     static_cast<std::uint32_t>(fill_.size()));
}

void build_equal(document& into, std::int64_t id) {
  into.clear();
  append_id(into.get(), id);
}

void build_range(document& into, std::int64_t first, std::int64_t end) {
  into.clear();
  bson_t bounds;
  bson_append_document_begin(into.get(), "_id", 3, &bounds);
  bson_append_int64(&bounds, "$gte", 4, first);
  bson_append_int64(&bounds, "$lt", 3, end);
  bson_append_document_end(into.get(), &bounds);
}

void build_in(document& into, const docs_data& data, std::uint64_t begin, std::uint64_t end) {
  into.clear();
  bson_t condition;
  bson_t ids;
  bson_append_document_begin(into.get(), "_id", 3, &condition);
  bson_append_array_begin(&condition, "$in", 3, &ids);
  for (auto place = begin; place < end; ++place) {
    char text[16];
    const char* key = nullptr;
    const auto size =
        bson_uint32_to_string(static_cast<std::uint32_t>(place - begin), &key, text, sizeof text);
    bson_append_int64(&ids, key, static_cast<int>(size), data.random_id(place));
  }
  bson_append_array_end(&condition, &ids);
  bson_append_document_end(into.get(), &condition);
}

void build_change(document& into, docs_test test, std::int64_t id, std::uint64_t pass) {
  into.clear();
  bson_t set;
  bson_append_document_begin(into.get(), "$set", 4, &set);
  if (test == docs_test::update_int64) {
    bson_append_int64(&set, "number", 6, id + static_cast<std::int64_t>(pass));
  } else {
    bson_append_double(&set, "number", 6, static_cast<double>(id) + 0.5 + static_cast<double>(pass));
  }
  bson_append_document_end(into.get(), &set);
}

}  // namespace bench::workloads
