#include "codecs/pg/trace.hpp"

#include "codecs/exchange.hpp"
#include "codecs/pg/auth.hpp"
#include "codecs/pg/extended.hpp"
#include "codecs/pg/function_call.hpp"
#include "codecs/pg/notice.hpp"
#include "codecs/pg/query.hpp"
#include "codecs/pg/startup.hpp"

#include <fmt/format.h>

#include <iterator>

namespace codecs::pg {
namespace {

using text_out = std::back_insert_iterator<std::string>;

constexpr std::size_t shown_items = 16;

// Decodes a message and lets `show` write its fields.
template <typename Message, typename Show>
void add(text_out to, bytes_view frame, Show show) {
  Message message;
  if (const auto bad = decode(frame, message)) {
    fmt::format_to(to, " undecodable: {}", failure{bad, {}}.sentence());
  } else {
    show(message);
  }
}

void add_bare(text_out to, bytes_view frame) {
  if (const auto bad = decode_bare(frame)) {
    fmt::format_to(to, " undecodable: {}", failure{bad, {}}.sentence());
  }
}

// Sizes alone: values may be large, and private.
void add_values(text_out to, const char* name, const value_list& values) {
  fmt::format_to(to, " {}={}", name, values.size());
  std::size_t shown = 0;
  for (const auto each : values) {
    fmt::format_to(to, "{}", shown == 0 ? ": " : " ");
    if (shown++ == shown_items) {
      fmt::format_to(to, "...");
      return;
    }
    each ? fmt::format_to(to, "{}B", each->size()) : fmt::format_to(to, "NULL");
  }
}

void add_oids(text_out to, const oid_list& types) {
  fmt::format_to(to, " types={}", types.size());
  for (std::size_t i = 0; i < types.size() && i < shown_items; ++i) {
    fmt::format_to(to, "{}{}", i == 0 ? ": " : " ", types[i]);
  }
}

void add_target(text_out to, target what, std::string_view name) {
  fmt::format_to(to, " {} \"{}\"", what == target::statement ? "statement" : "portal", printable(name));
}

void add_notice(text_out to, bytes_view frame) {
  add<notice>(to, frame, [&](const notice& m) { fmt::format_to(to, " {}", printable(m.text())); });
}

// --- to the server ---

void add_startup(text_out to, bytes_view frame) {
  switch (startup_code(frame)) {
    case ssl_request_code:
      fmt::format_to(to, "SSLRequest {}B", frame.size());
      return;
    case gssenc_request_code:
      fmt::format_to(to, "GSSENCRequest {}B", frame.size());
      return;
    case cancel_request_code:
      fmt::format_to(to, "CancelRequest {}B", frame.size());
      add<cancel_request>(to, frame, [&](const cancel_request& m) {
        fmt::format_to(to, " pid={} key={}B", m.pid, m.key.size());
      });
      return;
    default:
      fmt::format_to(to, "StartupMessage {}B", frame.size());
      add<startup_message>(to, frame, [&](const startup_message& m) {
        fmt::format_to(to, " {}.{}", m.version >> 16, m.version & 0xffff);
        for (const auto& [name, text] : m.parameters) {
          fmt::format_to(to, " {}={}", printable(name), printable(text));
        }
      });
  }
}

const char* request_name(std::uint8_t type) {
  switch (type) {
    case request::password:
      return "PasswordMessage";
    case request::query:
      return "Query";
    case request::parse:
      return "Parse";
    case request::bind:
      return "Bind";
    case request::describe:
      return "Describe";
    case request::execute:
      return "Execute";
    case request::close:
      return "Close";
    case request::flush:
      return "Flush";
    case request::sync:
      return "Sync";
    case request::function_call:
      return "FunctionCall";
    case request::copy_data:
      return "CopyData";
    case request::copy_done:
      return "CopyDone";
    case request::copy_fail:
      return "CopyFail";
    case request::terminate:
      return "Terminate";
    default:
      return "unknown";
  }
}

void add_bind(text_out to, bytes_view frame) {
  add<bind>(to, frame, [&](const bind& m) {
    fmt::format_to(to, " portal \"{}\" statement \"{}\"", printable(m.portal), printable(m.statement));
    add_values(to, "parameters", m.parameters);
  });
}

void add_function_call(text_out to, bytes_view frame) {
  add<function_call>(to, frame, [&](const function_call& m) {
    fmt::format_to(to, " function={}", m.function);
    add_values(to, "arguments", m.arguments);
  });
}

void add_request(text_out to, bytes_view frame) {
  switch (frame[0]) {
    case request::password:
      fmt::format_to(to, " ****");
      return;
    case request::query:
      return add<query>(to, frame, [&](const query& m) { fmt::format_to(to, " \"{}\"", printable(m.text)); });
    case request::parse:
      return add<parse>(to, frame, [&](const parse& m) {
        fmt::format_to(to, " statement \"{}\" \"{}\"", printable(m.statement), printable(m.query));
        add_oids(to, m.parameter_types);
      });
    case request::bind:
      return add_bind(to, frame);
    case request::describe:
      return add<describe>(to, frame, [&](const describe& m) { add_target(to, m.what, m.name); });
    case request::close:
      return add<close>(to, frame, [&](const close& m) { add_target(to, m.what, m.name); });
    case request::execute:
      return add<execute>(to, frame, [&](const execute& m) {
        fmt::format_to(to, " portal \"{}\" max_rows={}", printable(m.portal), m.max_rows);
      });
    case request::function_call:
      return add_function_call(to, frame);
    case request::flush:
    case request::sync:
    case request::terminate:
      return add_bare(to, frame);
    default:
      return;
  }
}

// --- to the client ---

const char* reply_name(std::uint8_t type) {
  switch (type) {
    case reply::authentication:
      return "Authentication";
    case reply::negotiate_protocol_version:
      return "NegotiateProtocolVersion";
    case reply::backend_key_data:
      return "BackendKeyData";
    case reply::parameter_status:
      return "ParameterStatus";
    case reply::ready_for_query:
      return "ReadyForQuery";
    case reply::error_response:
      return "ErrorResponse";
    case reply::notice_response:
      return "NoticeResponse";
    case reply::notification_response:
      return "NotificationResponse";
    case reply::parse_complete:
      return "ParseComplete";
    case reply::bind_complete:
      return "BindComplete";
    case reply::close_complete:
      return "CloseComplete";
    case reply::parameter_description:
      return "ParameterDescription";
    case reply::no_data:
      return "NoData";
    case reply::row_description:
      return "RowDescription";
    case reply::data_row:
      return "DataRow";
    case reply::command_complete:
      return "CommandComplete";
    case reply::empty_query_response:
      return "EmptyQueryResponse";
    case reply::portal_suspended:
      return "PortalSuspended";
    case reply::function_call_response:
      return "FunctionCallResponse";
    case reply::copy_in_response:
      return "CopyInResponse";
    case reply::copy_out_response:
      return "CopyOutResponse";
    case reply::copy_both_response:
      return "CopyBothResponse";
    case reply::copy_data:
      return "CopyData";
    case reply::copy_done:
      return "CopyDone";
    default:
      return "unknown";
  }
}

void add_columns(text_out to, bytes_view frame) {
  add<row_description>(to, frame, [&](const row_description& m) {
    fmt::format_to(to, " columns={}", m.size());
    for (const auto& each : m) fmt::format_to(to, " {}:{}", printable(each.name), each.type);
  });
}

void add_session_reply(text_out to, bytes_view frame) {
  switch (frame[0]) {
    case reply::authentication:
      return add<authentication>(
          to, frame, [&](const authentication& m) { fmt::format_to(to, " {}", name_of(m.method)); });
    case reply::negotiate_protocol_version:
      return add<negotiate_protocol_version>(to, frame, [&](const negotiate_protocol_version& m) {
        fmt::format_to(to, " {}.{} options={}", m.version >> 16, m.version & 0xffff, m.options);
      });
    case reply::backend_key_data:
      return add<backend_key_data>(to, frame, [&](const backend_key_data& m) {
        fmt::format_to(to, " pid={} key={}B", m.pid, m.key.size());
      });
    case reply::parameter_status:
      return add<parameter_status>(to, frame, [&](const parameter_status& m) {
        fmt::format_to(to, " {}={}", printable(m.name), printable(m.value));
      });
    case reply::ready_for_query:
      return add<ready_for_query>(to, frame, [&](const ready_for_query& m) {
        fmt::format_to(to, " {}", static_cast<char>(m.status));
      });
    case reply::notification_response:
      return add<notification>(to, frame, [&](const notification& m) {
        fmt::format_to(to, " pid={} {} \"{}\"", m.pid, printable(m.channel), printable(m.payload));
      });
    default:
      return;
  }
}

void add_reply(text_out to, bytes_view frame) {
  switch (frame[0]) {
    case reply::error_response:
    case reply::notice_response:
      return add_notice(to, frame);
    case reply::row_description:
      return add_columns(to, frame);
    case reply::data_row:
      return add<data_row>(to, frame, [&](const data_row& m) { add_values(to, "columns", m.values); });
    case reply::command_complete:
      return add<command_complete>(
          to, frame, [&](const command_complete& m) { fmt::format_to(to, " {}", printable(m.tag)); });
    case reply::parameter_description:
      return add<parameter_description>(to, frame,
                                        [&](const parameter_description& m) { add_oids(to, m.types); });
    case reply::function_call_response:
      return add<function_call_response>(to, frame, [&](const function_call_response& m) {
        m.result ? fmt::format_to(to, " {}B", m.result->size()) : fmt::format_to(to, " NULL");
      });
    case reply::parse_complete:
    case reply::bind_complete:
    case reply::close_complete:
    case reply::no_data:
    case reply::empty_query_response:
    case reply::portal_suspended:
      return add_bare(to, frame);
    default:
      return add_session_reply(to, frame);
  }
}

}  // namespace

std::string trace(bytes_view frame, direction towards) {
  std::string line = arrow(towards);
  line += ' ';
  const text_out to(line);
  const bool to_server = towards == direction::to_server;
  if (frame.size() == 1 && !to_server) {
    fmt::format_to(to, "encryption answer {}", printable(as_text(frame)));
  } else if (to_server && frame.size() >= 8 && frame[0] == 0) {  // below 10,000 bytes a length begins with 0
    add_startup(to, frame);
  } else if (frame.size() < head_bytes) {
    fmt::format_to(to, "{}B that are no frame", frame.size());
  } else {
    fmt::format_to(to, "{} {}B", to_server ? request_name(frame[0]) : reply_name(frame[0]), frame.size());
    to_server ? add_request(to, frame) : add_reply(to, frame);
  }
  return line;
}

}  // namespace codecs::pg
