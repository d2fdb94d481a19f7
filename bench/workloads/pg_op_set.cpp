#include "bench/workloads/pg_op_set.hpp"

#include "fixtures/datasets.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bench::workloads {
namespace {

/// A copy that starts on a page. On AMD processors `rep movs` is 2.5 times slower while its destination lies 1 to 15 bytes
/// ahead of its source, counted within a page. malloc gives large blocks 16 bytes behind the start of a page, and the kernel
/// puts the payload of a lowrite 27 bytes behind one when its page fragment is fresh: the raw client, which borrows the
/// payload, was then slower than libpq, which copies it first (66 us of client CPU per op instead of 25). The kernel's
/// fragments are not always fresh, so that connections still differ; their sets are what comparisons count.
class page_aligned {
 public:
  explicit page_aligned(const std::vector<std::uint8_t>& bytes)
      : bytes_(static_cast<std::uint8_t*>(std::aligned_alloc(page, (bytes.size() + page - 1) / page * page)),
               std::free),
        size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }

  codecs::bytes_view view() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t page = 4096;

  std::unique_ptr<std::uint8_t, decltype(&std::free)> bytes_;
  std::size_t size_;
};

}  // namespace

std::string statement_name(std::size_t number) {
  return number == 0 ? "p" : "p" + std::to_string(number);
}

codecs::bytes_view row_payload() {
  static const auto payload = fixtures::make_blob(2, 400);
  return payload;
}

codecs::bytes_view large_object_chunk() {
  static const page_aligned payload(fixtures::make_blob(3, 256 * 1024));
  return payload.view();
}

}  // namespace bench::workloads
