#include "bench/workloads/pg_op_set.hpp"

#include "fixtures/datasets.hpp"

namespace bench::workloads {

codecs::bytes_view row_payload() {
  static const auto payload = fixtures::make_blob(2, 400);
  return payload;
}

codecs::bytes_view large_object_chunk() {
  static const auto payload = fixtures::make_blob(3, 256 * 1024);
  return payload;
}

}  // namespace bench::workloads
