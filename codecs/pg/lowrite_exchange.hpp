#pragma once
// A whole upload to an open large object by FunctionCalls of lowrite. See call_series.hpp.

#include "codecs/chunk_flight.hpp"
#include "codecs/pg/call_series.hpp"

namespace codecs::pg {

class lowrite_exchange final : public call_series {
 public:
  explicit lowrite_exchange(session& session) : call_series(session, "lowrite") {}

  /// Writes all of `source`, which lives until the op is over, from the position on that `descriptor` has. At most `depth`
  /// (from 1) calls are in flight.
  void set(std::int32_t descriptor, chunk_source& source, std::size_t chunk_bytes, std::size_t depth) {
    descriptor_ = descriptor;
    source_ = &source;
    chunk_bytes_ = chunk_bytes;
    depth_ = depth;
  }

  progress start(send_buffer& out) override;

 private:
  progress on_result(const value& result) override;
  void on_call_over() override { flight_.acknowledge(); }
  std::string place() const override { return flight_.layout().name(flight_.oldest()); }
  progress go_on(send_buffer& out) override;

  std::int32_t descriptor_ = 0;
  chunk_source* source_ = nullptr;
  std::size_t chunk_bytes_ = 0;
  std::size_t depth_ = 1;
  chunk_flight flight_;
};

}  // namespace codecs::pg
