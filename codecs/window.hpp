#pragma once
// Many ops in flight on one connection, as one exchange: a channel runs it like any other, blocking or not.
//
//   next() -> A, B, C   --- requests of A, B, C --->
//   completed(A)        <--- replies of A ----------   next() -> D --- request of D --->  ...  until next() -> null
//
// For protocols whose server answers in order. Each op is an exchange of its own with its own end (in PostgreSQL a Sync), so
// that one that the server refuses fails alone and those behind it are executed (case C20; for the other way, many steps
// under one Sync, see pg/pipeline_exchange.hpp). Ops that become due by one read are sent by one write.

#include "codecs/exchange.hpp"

#include <vector>

namespace codecs {

/// Where the ops come from, and who hears of their end.
class window_source {
 public:
  virtual ~window_source() = default;

  /// The op to be sent now, which is not in flight and lives until completed(). Null: no more; the window ends when those
  /// in flight are over, and may then be run again.
  virtual exchange* next() = 0;

  /// That op is over; in the order of next(), but for ops that have no reply and are over once encoded. `failed`: op.why()
  /// says why. If it is not the server's own refusal (a broken stream, an op that cannot be encoded), the window fails with
  /// it, and those behind it are never heard of.
  virtual void completed(exchange& op, progress how) = 0;
};

class window final : public exchange {
 public:
  /// At most `depth` (from 1) ops are in flight. `source` outlives the window.
  window(std::size_t depth, window_source& source) : source_(source), ops_(depth) {}

  progress start(send_buffer& out) override;
  scan_result scan(bytes_view unread) const override { return ops_[first_]->scan(unread); }
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  progress refill(send_buffer& out);
  progress give_up(const exchange& op);
  void push(exchange& op);
  void pop();

  window_source& source_;
  std::vector<exchange*> ops_;  // a ring: the oldest one at first_
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace codecs
