#include "codecs/pg/conversation.hpp"

#include "codecs/pg/greeting.hpp"
#include "codecs/pg/sql.hpp"

#include <fmt/format.h>

namespace codecs::pg {
namespace {

constexpr std::size_t max_last_text = 1024;

constexpr std::size_t shown_statement_bytes = 120;

const plan& empty_plan() {
  static const plan made = plan::empty();
  return made;
}

// COMMIT of a failed block is answered so.
bytes_view rollback_reply() {
  static const plan made("ROLLBACK");
  return made.reply(format::text);
}

refusal unknown(std::string_view statement) {
  return {sqlstate::feature_not_supported,
          fmt::format("this server does not know: {}", statement.substr(0, shown_statement_bytes))};
}

refusal in_failed_block() {
  return {sqlstate::in_failed_sql_transaction, "this transaction has failed: nothing but its end is taken"};
}

refusal no_statement(std::string_view name) {
  return {sqlstate::invalid_sql_statement_name, fmt::format("there is no statement \"{}\"", name)};
}

refusal no_portal(std::string_view name) {
  return {sqlstate::invalid_cursor_name, fmt::format("there is no portal \"{}\"", name)};
}

}  // namespace

conversation::conversation(std::int32_t backend_pid) : backend_pid_(backend_pid), last_plan_(&empty_plan()) {}

scan_result conversation::scan(bytes_view unread) const {
  return started_ ? scan_typed(unread, direction::to_server) : scan_startup(unread);
}

appetite conversation::skim(bytes_view unread) const {
  if (!started_) return {};
  const bool data = copying_ != nullptr && !unread.empty() && unread[0] == request::copy_data;
  return data ? copying_->skim(unread) : pg::skim(unread);
}

answer conversation::on_frame(bytes_view frame, send_buffer& out) {
  writer to(out);
  const auto verdict = started_ ? on_message(frame, to) : on_startup(frame, to);
  return to.finish() ? answer::close : verdict;
}

answer conversation::go_on(send_buffer& out) {
  writer to(out);
  sent_frames(streaming_->write(to));
  if (streaming_->at_end()) streaming_ = nullptr;
  if (to.finish()) return answer::close;
  return streaming_ != nullptr ? answer::partly : answer::none;
}

// --- startup ---

answer conversation::on_startup(bytes_view frame, writer& out) {
  switch (startup_code(frame)) {
    case ssl_request_code:
    case gssenc_request_code:
      if (decode_encryption_request(frame)) return answer::close;
      out.u8(static_cast<std::uint8_t>(encryption_answer::refused));
      sent_frames(1);
      return answer::reply;
    case cancel_request_code:
      return answer::close;
    default:
      return on_startup_message(frame, out);
  }
}

answer conversation::on_startup_message(bytes_view frame, writer& out) {
  startup_message client;
  if (const auto bad = decode(frame, client)) return end_session(invalid_message(bad), out);
  if (const auto refused = refuse_client(client)) return end_session(*refused, out);
  sent_frames(encode_greeting(out, client, backend_pid_));
  ready(out);
  started_ = true;
  return answer::reply;
}

// --- the session ---

answer conversation::on_message(bytes_view frame, writer& out) {
  if (copying_ != nullptr) return on_copying(frame, out);
  switch (frame[0]) {
    case request::sync:
      skipping_ = false;
      if (status_ == transaction_status::idle) {
        prepared_.close_portals();
        on_transaction_end();
      }
      ready(out);
      return answer::reply;
    case request::terminate:
      return answer::close;
    case request::copy_data:  // what is left of a COPY that failed (manual, "COPY Operations")
    case request::copy_done:
    case request::copy_fail:
      return answer::none;
    case request::query:
      if (skipping_) return answer::none;
      on_query(frame, out);
      return answer::reply;
    case request::function_call:
      if (skipping_) return answer::none;
      on_function_call(frame, out);
      return answer::reply;
    case request::parse:
    case request::bind:
    case request::describe:
    case request::execute:
    case request::close:
      return skipping_ ? answer::none : on_extended(frame, out);
    case request::flush:
      return skipping_ ? answer::none : answer::reply;
    default:
      return end_session(
          {sqlstate::protocol_violation, fmt::format("no request begins with byte {}", frame[0])}, out);
  }
}

answer conversation::on_extended(bytes_view frame, writer& out) {
  const auto refused = respond(frame, out);
  if (streaming_ != nullptr) return answer::partly;
  if (copying_ != nullptr) return answer::reply;
  if (!refused) return answer::none;
  refuse(*refused, out);
  skipping_ = true;
  return answer::reply;
}

std::optional<refusal> conversation::respond(bytes_view frame, writer& out) {
  switch (frame[0]) {
    case request::parse:
      return on_parse(frame, out);
    case request::bind:
      return on_bind(frame, out);
    case request::describe:
      return on_describe(frame, out);
    case request::execute:
      return on_execute(frame, out);
    default:
      return on_close(frame, out);
  }
}

// --- simple query and function call ---

void conversation::on_query(bytes_view frame, writer& out) {
  prepared_.close_statement("");
  prepared_.close_portal("");
  if (const auto refused = answer_query(frame, out)) refuse(*refused, out);
  ready(out);
}

std::optional<refusal> conversation::answer_query(bytes_view frame, writer& out) {
  query asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  if (asked.text == last_text_) return run(*last_plan_, out);
  statement_cursor statements(asked.text);
  std::string_view statement;
  const plan* what = &empty_plan();
  std::size_t count = 0;
  for (; statements.next(statement); ++count) {
    what = recognise(statement);
    if (what == nullptr) return unknown(statement);
    if (parameter_count(statement) != 0)
      return refusal{sqlstate::undefined_parameter, "a simple query takes no parameters"};
    if (auto refused = run(*what, out)) return refused;
  }
  if (count == 0) return run(*what, out);
  if (count == 1 && asked.text.size() <= max_last_text) remember(asked.text, *what);
  return {};
}

// A measuring client sends the same text over and over.
void conversation::remember(std::string_view text, const plan& what) {
  last_text_ = text;
  last_plan_ = &what;
}

std::optional<refusal> conversation::run(const plan& what, writer& out) {
  if (auto refused = refuse_in_failed_block(what)) return refused;
  if (what.does() == effect::copy_in) {
    return refusal{sqlstate::feature_not_supported, "COPY FROM STDIN by a simple query"};
  }
  if (!what.columns().empty()) send(what.description(format::text), out);
  send(rolled_back(what) ? rollback_reply() : what.reply(format::text), out);
  take_effect(what);
  return {};
}

void conversation::on_function_call(bytes_view frame, writer& out) {
  if (const auto refused = call_function(frame, out)) refuse(*refused, out);
  if (status_ == transaction_status::idle) on_transaction_end();
  ready(out);
}

std::optional<refusal> conversation::call_function(bytes_view frame, writer& out) {
  function_call asked;
  if (const auto bad = decode(frame, asked)) return invalid_message(bad);
  if (status_ == transaction_status::failed) return in_failed_block();
  if (auto refused = call(asked, out)) return refused;
  sent_frames(1);
  return {};
}

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

// --- what they share ---

std::optional<refusal> conversation::recognise_one(std::string_view text, const plan*& found) const {
  statement_cursor statements(text);
  std::string_view statement;
  found = &empty_plan();
  if (!statements.next(statement)) return {};
  found = recognise(statement);
  if (found == nullptr) return unknown(statement);
  if (statements.next(statement)) {
    return refusal{sqlstate::syntax_error, "one statement at a time can be parsed"};
  }
  return {};
}

std::optional<refusal> conversation::refuse_in_failed_block(const plan& what) const {
  if (status_ != transaction_status::failed || &what == &empty_plan()) return {};
  if (what.does() == effect::commit || what.does() == effect::rollback) return {};
  return in_failed_block();
}

void conversation::take_effect(const plan& what) {
  switch (what.does()) {
    case effect::none:
    case effect::copy_in:
      break;
    case effect::begin:
      status_ = transaction_status::open;
      break;
    case effect::commit:
    case effect::rollback:
      end_transaction();
      break;
    case effect::forget:
      prepared_.close_statements();
      break;
  }
}

void conversation::end_transaction() {
  status_ = transaction_status::idle;
  on_transaction_end();
}

void conversation::refuse(const refusal& why, writer& out) {
  send_error("ERROR", why, out);
  if (status_ == transaction_status::open) status_ = transaction_status::failed;
}

answer conversation::end_session(const refusal& why, writer& out) {
  send_error("FATAL", why, out);
  return answer::close;
}

void conversation::send_error(std::string_view severity, const refusal& why, writer& out) {
  encode(out, severity, why);
  sent_frames(1);
}

void conversation::ready(writer& out) {
  encode(out, ready_for_query{status_});
  sent_frames(1);
}

void conversation::send(bytes_view messages, writer& out) {
  out.bytes(messages);
  for (std::size_t at = 0; at < messages.size(); at += first_size(messages.subspan(at))) sent_frames(1);
}

void conversation::send_bare(std::uint8_t type, writer& out) {
  encode_bare(out, type);
  sent_frames(1);
}

}  // namespace codecs::pg
