#pragma once
// One execution of a prepared statement, binary both ways: B E S -> 2 D.. (C | I | s) Z. No Describe: the statement was
// described when it was prepared, and leaving it out halves the bytes of a small result.

#include "codecs/pg/prepare_exchange.hpp"
#include "codecs/pg/result.hpp"

namespace codecs::pg {

class execute_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  /// `what` and `sink` (which may be null) live until the op is over. So do the parameters' bytes, which may be
  /// borrowed. `max_rows` 0: all rows.
  void set(const statement& what, std::span<const value> parameters, result_sink* sink = nullptr,
           std::int32_t max_rows = 0) {
    statement_ = &what;
    parameters_ = parameters;
    sink_ = sink;
    max_rows_ = max_rows;
  }

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// The op ended at `max_rows`; there may be more rows, or none. Valid once the op is over.
  bool suspended() const { return suspended_; }

 private:
  progress on_end(bytes_view frame);

  const statement* statement_ = nullptr;
  std::span<const value> parameters_;
  result_sink* sink_ = nullptr;
  std::int32_t max_rows_ = 0;
  result_reader results_;
  bool suspended_ = false;
};

}  // namespace codecs::pg
