// The part of a server's conversation that is the extended query protocol, with COPY FROM STDIN, which begins in it.

#include "codecs/pg/conversation.hpp"

#include <fmt/format.h>

namespace codecs::pg {
namespace {

refusal no_statement(std::string_view name) {
  return {sqlstate::invalid_sql_statement_name, fmt::format("there is no statement \"{}\"", name)};
}

refusal no_portal(std::string_view name) {
  return {sqlstate::invalid_cursor_name, fmt::format("there is no portal \"{}\"", name)};
}

}  // namespace

// --- extended query ---

std::optional<refusal> conversation::on_parse(bytes_view frame, writer& out) {
  parse asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  const plan* what = nullptr;
  if (auto refused = recognise_one(asked.query, what)) return refused;
  if (auto refused = refuse_in_failed_block(*what)) return refused;
  if (auto refused = prepared_.prepare(asked, *what)) return refused;
  send_bare(reply::parse_complete, out);
  return {};
}

std::optional<refusal> conversation::on_bind(bytes_view frame, writer& out) {
  bind asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  const auto* statement = prepared_.find_statement(asked.statement);
  if (statement == nullptr) return no_statement(asked.statement);
  if (auto refused = refuse_in_failed_block(*statement->what)) return refused;
  prepared::portal* made = nullptr;
  if (auto refused = prepared_.open(asked, *statement, made)) return refused;
  writer reply(made->reply);
  const bound execution{*made->what, statement->parameter_types, asked, made->results};
  if (auto refused = reply_to(execution, reply, made->stream)) {
    prepared_.close_portal(asked.portal);
    return refused;
  }
  reply.finish();
  send_bare(reply::bind_complete, out);
  return {};
}

std::optional<refusal> conversation::reply_to(const bound& execution, writer& out,
                                              std::unique_ptr<reply_stream>&) {
  out.bytes(execution.what.reply(execution.results));
  return {};
}

std::optional<refusal> conversation::on_describe(bytes_view frame, writer& out) {
  describe asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  if (asked.what == target::portal) {
    const auto* found = prepared_.find_portal(asked.name);
    if (found == nullptr) return no_portal(asked.name);
    send(found->what->description(found->results), out);
    return {};
  }
  const auto* found = prepared_.find_statement(asked.name);
  if (found == nullptr) return no_statement(asked.name);
  encode_parameter_description(out, found->parameter_types);
  sent_frames(1);
  send(found->what->description(format::text), out);
  return {};
}

std::optional<refusal> conversation::on_execute(bytes_view frame, writer& out) {
  execute asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  auto* found = prepared_.find_portal(asked.portal);
  if (found == nullptr) return no_portal(asked.portal);
  const auto& what = *found->what;
  if (auto refused = refuse_in_failed_block(what)) return refused;
  if (what.does() == effect::copy_in) return begin_copy(what, out);
  if (found->stream != nullptr && !found->stream->at_end()) return begin_stream(asked, *found->stream);
  if (found->rest().empty()) {
    return refusal{sqlstate::object_not_in_prerequisite_state,
                   fmt::format("portal \"{}\" is at its end", asked.portal)};
  }
  const auto rows = found->take(asked.max_rows);
  send(rolled_back(what) ? rollback_reply() : rows, out);
  if (!found->rest().empty()) send_bare(reply::portal_suspended, out);
  take_effect(what);
  return {};
}

std::optional<refusal> conversation::begin_stream(const execute& asked, reply_stream& stream) {
  if (asked.max_rows > 0) {
    return refusal{sqlstate::feature_not_supported, "a part of the rows of a long reply"};
  }
  streaming_ = &stream;
  return {};
}

std::optional<refusal> conversation::on_close(bytes_view frame, writer& out) {
  close asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  asked.what == target::statement ? prepared_.close_statement(asked.name)
                                  : prepared_.close_portal(asked.name);
  send_bare(reply::close_complete, out);
  return {};
}

// --- COPY FROM STDIN ---

std::optional<refusal> conversation::begin_copy(const plan& what, writer& out) {
  copying_ = receiver_of(what);
  copying_->begin();
  encode_copy_response(out, reply::copy_in_response, copying_->columns());
  sent_frames(1);
  return {};
}

answer conversation::on_copying(bytes_view frame, writer& out) {
  const auto type = frame[0];
  if (type == request::terminate) return answer::close;
  if (type == request::flush || type == request::sync) return answer::none;  // swallowed (CopyGetData)
  const auto refused = take_copy(frame, out);
  if (refused || type == request::copy_done) copying_ = nullptr;
  if (!refused) return answer::none;
  refuse(*refused, out);
  skipping_ = true;
  return answer::reply;
}

std::optional<refusal> conversation::take_copy(bytes_view frame, writer& out) {
  std::int64_t rows = 0;
  copy_fail failed;
  switch (frame[0]) {
    case request::copy_data:
      return copying_->take(body_of(frame));
    case request::copy_done:
      if (auto refused = copying_->finish(rows)) return refused;
      encode(out, command_complete{fmt::format("COPY {}", rows)});
      sent_frames(1);
      return {};
    case request::copy_fail:
      if (const auto bad = decode(frame, failed)) return invalid_message(bad);
      return refusal{sqlstate::query_canceled, fmt::format("COPY from stdin failed: {}", failed.text)};
    default:
      return refusal{sqlstate::protocol_violation,
                     fmt::format("message of type {} in the middle of a COPY", static_cast<char>(frame[0]))};
  }
}

}  // namespace codecs::pg
