#include "codecs/pg/pipeline_exchange.hpp"

#include <algorithm>

namespace codecs::pg {

progress pipeline_exchange::start(send_buffer& out) {
  begin();
  const auto too_many = [](const pipeline_step& step) { return step.parameters.size() > max_list_size; };
  if (std::ranges::any_of(steps_, too_many)) {
    return fail(errc::local_too_many_parameters, "parameter count");
  }
  outcomes_.assign(steps_.size(), step_outcome::aborted);
  current_ = 0;
  begin_step();
  writer to(out);
  std::uint64_t frames = 1;
  for (const auto& step : steps_) {
    encode_step(to, step);
    frames += step.query ? 3 : 2;
  }
  encode_bare(to, request::sync);
  return sent(to, frames);
}

void pipeline_exchange::encode_step(writer& out, const pipeline_step& step) const {
  if (step.query) encode_parse(out, step.statement, *step.query);
  encode_bind(out, "", step.statement, step.parameters);
  encode(out, execute{});
}

void pipeline_exchange::begin_step() {
  if (current_ == steps_.size()) {
    expected_ = expected::ready;
    return;
  }
  const auto& step = steps_[current_];
  expected_ = step.query ? expected::parse_complete : expected::bind_complete;
  results_.begin(step.sink, result_reader::any_columns);
}

progress pipeline_exchange::on_frame(bytes_view frame, send_buffer&) {
  switch (frame[0]) {
    case reply::parse_complete:
      return advance(expected::parse_complete, expected::bind_complete, decode_bare(frame));
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::rows, decode_bare(frame));
    case reply::data_row:
      return expected_ == expected::rows ? settle(results_.on_row(frame)) : unexpected();
    case reply::command_complete:
      return expected_ == expected::rows ? end_step(results_.on_complete(frame)) : unexpected();
    case reply::empty_query_response:
      return expected_ == expected::rows ? end_step(results_.on_empty(frame)) : unexpected();
    case reply::error_response:
      return on_step_error(frame);
    default:
      return on_other(frame);
  }
}

progress pipeline_exchange::end_step(fault bad) {
  if (bad) return fail(bad);
  outcomes_[current_++] = step_outcome::done;
  begin_step();
  return progress::more;
}

// An error behind the last step belongs to the Sync itself (a deferred constraint): no step is marked.
progress pipeline_exchange::on_step_error(bytes_view frame) {
  if (expected_ != expected::ready) outcomes_[current_] = step_outcome::failed;
  return on_other(frame);
}

}  // namespace codecs::pg
