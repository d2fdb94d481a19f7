#include "wire/endpoint.hpp"

#include <fmt/format.h>
#include <mongoc/mongoc.h>

#include <libpq-fe.h>

#include <charconv>
#include <memory>

namespace wire {
namespace {

endpoint_or_problem problem(std::string sentence) {
  return {std::nullopt, std::move(sentence)};
}

/// The URI without what stands between "://" and "@", and without options among which is a password, so that a
/// message can quote it.
std::string without_credentials(std::string uri) {
  const auto options = uri.find('?');
  if (options != std::string::npos && uri.find("password", options) != std::string::npos)
    uri.replace(options + 1, std::string::npos, "***");
  const auto scheme = uri.find("://");
  const auto at = uri.rfind('@');
  if (scheme == std::string::npos || at == std::string::npos || at < scheme) return uri;
  return uri.substr(0, scheme + 3) + "***" + uri.substr(at);
}

/// Both libraries quote what they stumble over, which may be the password: where the URI may hold one, quoted text
/// is left out.
std::string without_quotes(std::string why, const std::string& uri) {
  if (uri.find('@') == std::string::npos && uri.find("password") == std::string::npos) return why;
  const auto first = why.find('"');
  const auto last = why.rfind('"');
  if (first != last) why.replace(first, last - first + 1, "***");
  return why;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

endpoint_or_problem parse_mongo(const std::string& uri) {
  mongoc_log_set_handler(nullptr, nullptr);  // it would print a line of its own beside ours
  bson_error_t error;
  const std::unique_ptr<mongoc_uri_t, decltype(&mongoc_uri_destroy)> parsed(
      mongoc_uri_new_with_error(uri.c_str(), &error), mongoc_uri_destroy);
  if (!parsed)
    return problem(fmt::format("'{}' is no MongoDB URI: {}", without_credentials(uri),
                               without_quotes(error.message, uri)));
  const auto* host = mongoc_uri_get_hosts(parsed.get());
  if (host == nullptr) return problem(fmt::format("'{}' names no host", without_credentials(uri)));
  if (host->next != nullptr) {
    return problem(
        fmt::format("'{}' names several hosts; name the one to measure", without_credentials(uri)));
  }
  const auto text = [](const char* value) { return std::string(value == nullptr ? "" : value); };
  endpoint result;
  result.protocol = protocol::mongo;
  result.user = text(mongoc_uri_get_username(parsed.get()));
  result.password = text(mongoc_uri_get_password(parsed.get()));
  result.database = text(mongoc_uri_get_database(parsed.get()));
  const std::string name = host->host;
  if (name.ends_with(".sock")) {
    result.path = name;
  } else {
    result.host = name;
    result.port = host->port;
  }
  if (mongoc_uri_get_tls(parsed.get())) result.unsupported = "TLS";
  if (!result.user.empty()) result.unsupported = "SCRAM authentication";
  return {std::move(result), {}};
}

/// Lays `options` over `result`; keys and meaning are libpq's.
void take_conninfo(const PQconninfoOption* options, endpoint& result) {
  for (const auto* option = options; option->keyword != nullptr; ++option) {
    if (option->val == nullptr || *option->val == '\0') continue;
    const std::string_view key = option->keyword;
    const std::string value = option->val;
    if (key == "host") result.host = value;
    if (key == "hostaddr") result.host = value;
    if (key == "port") result.port = parse_port(value).value_or(0);
    if (key == "user") result.user = value;
    if (key == "password") result.password = value;
    if (key == "dbname") result.database = value;
    if (key == "sslmode") result.unsupported = value == "require" || value.starts_with("verify") ? "TLS" : "";
  }
}

endpoint_or_problem parse_pg(const std::string& uri) {
  using options_ptr = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;
  char* message = nullptr;
  const options_ptr given(PQconninfoParse(uri.c_str(), &message), PQconninfoFree);
  if (!given) {
    const std::string why = message == nullptr ? "out of memory" : message;
    PQfreemem(message);
    return problem(fmt::format("'{}' is no PostgreSQL URI: {}", without_credentials(uri),
                               without_quotes(why.substr(0, why.find_last_not_of('\n') + 1), uri)));
  }
  endpoint result;
  result.protocol = protocol::pg;
  const options_ptr defaults(PQconndefaults(), PQconninfoFree);  // PG* variables, service file
  if (defaults) take_conninfo(defaults.get(), result);
  take_conninfo(given.get(), result);
  if (result.host.empty()) result.host = "127.0.0.1";
  if (result.host.find(',') != std::string::npos) {
    return problem(
        fmt::format("'{}' names several hosts; name the one to measure", without_credentials(uri)));
  }
  if (result.port == 0) return problem(fmt::format("'{}' has no valid port", without_credentials(uri)));
  if (result.database.empty()) result.database = result.user;
  if (result.host.starts_with('/')) {
    result.path = fmt::format("{}/.s.PGSQL.{}", result.host, result.port);
    result.host.clear();
  }
  return {std::move(result), {}};
}

endpoint_or_problem parse_tcp(const std::string& uri, protocol raw_protocol) {
  const auto colon = uri.rfind(':');
  const auto port = parse_port(std::string_view(uri).substr(colon + 1));
  if (colon <= 4 || !port)
    return problem(fmt::format("'{}' is not tcp:host:port with a port of 1 to 65535", uri));
  endpoint result;
  result.protocol = raw_protocol;
  result.host = uri.substr(4, colon - 4);
  result.port = *port;
  return {std::move(result), {}};
}

}  // namespace

std::string endpoint::display() const {
  return is_unix() ? fmt::format("unix:{}", path) : fmt::format("{}:{}", host, port);
}

endpoint_or_problem parse_endpoint(const std::string& uri, std::optional<protocol> raw_protocol) {
  if (uri.starts_with("mongodb://")) return parse_mongo(uri);
  if (uri.starts_with("postgresql://") || uri.starts_with("postgres://")) return parse_pg(uri);
  if (raw_protocol && uri.starts_with("tcp:")) return parse_tcp(uri, *raw_protocol);
  if (raw_protocol && uri.starts_with("unix:/")) {
    endpoint result;
    result.protocol = *raw_protocol;
    result.path = uri.substr(5);
    return {std::move(result), {}};
  }
  return problem(fmt::format("'{}' has no known scheme; use mongodb://host:port or postgresql://host:port",
                             without_credentials(uri)));
}

}  // namespace wire
