#pragma once
// A download from an open large object by FunctionCalls of loread. See call_series.hpp.

#include "codecs/chunk_layout.hpp"
#include "codecs/chunks.hpp"
#include "codecs/pg/call_series.hpp"
#include "codecs/pg/value_landing.hpp"

namespace codecs::pg {

class loread_exchange final : public call_series {
 public:
  explicit loread_exchange(session& session) : call_series(session, "loread") {}

  /// Reads `file_bytes` bytes from the position on that `descriptor` has, chunk by chunk into `sink`, which lives until the op is
  /// over. At most `depth` (from 1) calls are in flight. A chunk of the wrong length and a sink that takes no more end the
  /// download: the sink gets no byte of that chunk nor of one behind it.
  void set(std::int32_t descriptor, chunk_sink& sink, chunk_layout layout, std::size_t depth = 1) {
    descriptor_ = descriptor;
    sink_ = &sink;
    layout_ = layout;
    depth_ = depth;
  }

  progress start(send_buffer& out) override;

  /// A chunk of the size that was asked for, from 4 KiB on, lands where the sink keeps it.
  landing land(bytes_view unread) override;

 private:
  progress on_result(const value& result) override;
  void on_call_over() override;
  std::string place() const override { return layout_.name(received_); }
  progress go_on(send_buffer& out) override;

  std::int32_t descriptor_ = 0;
  chunk_sink* sink_ = nullptr;
  chunk_layout layout_;
  std::size_t depth_ = 1;

  std::int64_t asked_ = 0;     // bytes
  std::int64_t received_ = 0;  // bytes, of calls that are over
  std::size_t calls_ = 0;      // in flight
  value_landing landing_{reply::function_call_response};
};

}  // namespace codecs::pg
