#pragma once
// What the document workloads are about, for every client alike (the mongo_bench of 2013 measured the same): documents
// {_id: int64, number: double, data: binary} with _id 0, 1, 2, ..., changes to `number`, and three ways to find documents
// again. The application builds all of it with libbson into memory that it uses again, whatever client then sends it.
//
// An update sets `number`, so that what it has to tell of a document is {number: x}: 21 bytes, as mongo_bench counted them.

#include "codecs/mongo/bson.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace bench::workloads {

/// In the order in which they run: each needs what the ones before have left.
enum class docs_test { insert, update_double, update_int64, find_in, find_equal, find_range };
inline constexpr std::array docs_tests{docs_test::insert,  docs_test::update_double, docs_test::update_int64,
                                       docs_test::find_in, docs_test::find_equal,    docs_test::find_range};

/// "insert", "update_double" (double to double), "update_int64" (double to int64), "find_in", "find_equal", "find_range".
const char* name(docs_test test);

struct docs_shape {
  std::uint64_t count = 0;         ///< documents that are inserted and updated
  std::uint64_t found = 0;         ///< documents that each find test brings; at most `count`
  std::size_t document_bytes = 0;  ///< from smallest_document to largest_document
  std::uint64_t seed = 0;
};

/// Length 4, _id 1 + 4 + 8, number 1 + 7 + 8, data 1 + 5 + 4 + 1, end 1.
inline constexpr std::size_t smallest_document = 45;
inline constexpr std::size_t largest_document = 16 * 1024 * 1024;

/// Bytes of {number: x}.
inline constexpr std::size_t changed_bytes = 21;

class docs_data {
 public:
  explicit docs_data(const docs_shape& shape);

  const docs_shape& shape() const { return shape_; }

  /// Documents that a test is about.
  std::uint64_t documents_of(docs_test test) const;

  /// The id that stands at a place of the random order in which find_in and find_equal ask; places end at `found`.
  std::int64_t random_id(std::uint64_t place) const { return random_ids_[place]; }

  void build_document(codecs::mongo::document& into, std::int64_t id) const;

 private:
  docs_shape shape_;
  std::vector<std::uint8_t> fill_;
  std::vector<std::int64_t>
      random_ids_;  // no id twice, so that a server finds as many documents as are asked for
};

/// {_id: id}.
void build_equal(codecs::mongo::document& into, std::int64_t id);

/// {_id: {$gte: first, $lt: end}}.
void build_range(codecs::mongo::document& into, std::int64_t first, std::int64_t end);

/// {_id: {$in: [...]}} of the random ids from place `begin` to below `end`.
void build_in(codecs::mongo::document& into, const docs_data& data, std::uint64_t begin, std::uint64_t end);

/// {$set: {number: x}}, x a double or an int64 by the test. Another value in each pass, so that no update finds its work
/// done.
void build_change(codecs::mongo::document& into, docs_test test, std::int64_t id, std::uint64_t pass);

}  // namespace bench::workloads
