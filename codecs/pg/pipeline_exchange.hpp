#pragma once
// Many steps in one round trip, ended by one Sync:
//
//   { [P] B E } .. S   ->   { [1] 2 D.. (C | I) } .. Z
//
// Outside a transaction block all steps are one implicit transaction. After an error the server skips everything up to
// the Sync (ignore_till_sync): the step that failed is marked so, those behind it were not executed and have no latency
// (case C20).

#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/result.hpp"

namespace codecs::pg {

/// One execution, binary both ways. Everything lives until the op is over.
struct pipeline_step {
  std::string_view statement;             ///< name; empty: the unnamed one
  std::optional<std::string_view> query;  ///< set: it is parsed under that name first
  std::span<const value> parameters;
  result_sink* sink = nullptr;
};

enum class step_outcome : std::uint8_t { done, failed, aborted };

class pipeline_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  void set(std::span<const pipeline_step> steps) { steps_ = steps; }

  progress start(send_buffer& out) override;

  /// `failed` when a step failed; why() holds that step's error.
  progress on_frame(bytes_view frame, send_buffer& out) override;

  /// One per step; valid once the op is over.
  std::span<const step_outcome> outcomes() const { return outcomes_; }

 private:
  void encode_step(writer& out, const pipeline_step& step) const;
  void begin_step();
  progress end_step(fault bad);
  progress on_step_error(bytes_view frame);

  std::span<const pipeline_step> steps_;
  std::vector<step_outcome> outcomes_;
  std::size_t current_ = 0;
  result_reader results_;
};

}  // namespace codecs::pg
