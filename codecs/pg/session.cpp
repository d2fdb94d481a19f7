#include "codecs/pg/session.hpp"

#include "codecs/pg/notice.hpp"

#include <algorithm>

namespace codecs::pg {
namespace {

constexpr std::size_t max_parameters = 256;

template <typename Message>
fault check(bytes_view frame) {
  Message ignored;
  return decode(frame, ignored);
}

}  // namespace

std::string_view session::parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &reported::name);
  return found == parameters_.end() ? std::string_view() : found->value;
}

void session::report(const parameter_status& what) {
  const auto found = std::ranges::find(parameters_, what.name, &reported::name);
  if (found != parameters_.end()) {
    found->value = what.value;
  } else if (parameters_.size() < max_parameters) {
    parameters_.push_back({std::string(what.name), std::string(what.value)});
  }
}

progress session_exchange::on_any_time(bytes_view frame) {
  fault bad;
  switch (frame[0]) {
    case reply::error_response:
      return on_error(frame);
    case reply::parameter_status:
      return on_parameter(frame);
    case reply::notice_response:
      bad = check<notice>(frame);
      break;
    case reply::notification_response:
      bad = check<notification>(frame);
      break;
    default:
      return unexpected();
  }
  return settle(bad);
}

progress session_exchange::on_error(bytes_view frame) {
  notice error;
  if (const auto bad = decode(frame, error)) return fail(bad);
  session_.sqlstate = error.code;
  // No Z follows: the server closes the connection (57P01 of an administrator's shutdown, for one).
  if (error.fatal()) return fail(errc::remote_hang_up, "session", error.text());
  fail(errc::remote_server_error, "", error.text());
  refused_ = true;
  return progress::more;
}

progress session_exchange::on_parameter(bytes_view frame) {
  parameter_status reported;
  if (const auto bad = decode(frame, reported)) return fail(bad);
  session_.report(reported);
  return progress::more;
}

fault session_exchange::take_status(bytes_view frame) {
  ready_for_query ready;
  if (const auto bad = decode(frame, ready)) return bad;
  session_.status = ready.status;
  return {};
}

progress session_exchange::on_ready(bytes_view frame) {
  if (const auto bad = take_status(frame)) return fail(bad);
  return refused_ ? progress::failed : progress::done;
}

}  // namespace codecs::pg
