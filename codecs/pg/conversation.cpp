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

refusal unknown(std::string_view statement) {
  return {sqlstate::feature_not_supported,
          fmt::format("this server does not know: {}", statement.substr(0, shown_statement_bytes))};
}

refusal in_failed_block() {
  return {sqlstate::in_failed_sql_transaction, "this transaction has failed: nothing but its end is taken"};
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

// --- what they share ---

bytes_view conversation::rollback_reply() {
  static const plan made("ROLLBACK");
  return made.reply(format::text);
}

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
