#pragma once
// One simple Query: Q -> { [T D..] C | I } .. Z, with any number of results.

#include "codecs/pg/result.hpp"
#include "codecs/pg/session.hpp"

namespace codecs::pg {

class query_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  /// `text` lives until start() returns, `sink` (which may be null) until the op is over.
  void set(std::string_view text, result_sink* sink = nullptr) {
    text_ = text;
    sink_ = sink;
  }

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  progress on_end_of_result(fault bad);

  std::string_view text_;
  result_sink* sink_ = nullptr;
  result_reader results_;
  bool answered_ = false;  // a Query has at least one result before its Z
};

}  // namespace codecs::pg
