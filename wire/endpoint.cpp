#include "wire/endpoint.hpp"

#include <fmt/format.h>
#include <mongoc/mongoc.h>
#include <sys/mman.h>

#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <memory>

namespace wire {
namespace {

/// libmongoc, when it is loaded, makes the file /dev/shm/mongoc-<pid> for its counters. A program that is killed would leave it
/// there, and libmongoc would print a warning in the next program with that pid. Mapped as it is, it needs no name.
[[gnu::constructor]] void take_the_name_off_libmongocs_counters() {
  ::shm_unlink(fmt::format("/mongoc-{}", ::getpid()).c_str());
}

endpoint_or_problem problem(std::string sentence) {
  return {std::nullopt, std::move(sentence)};
}

/// The URI without what stands before "@" and without its options, where passwords are, so that a message can quote
/// it. Text without "://" may be libpq's other form, "host=... password=...".
std::string without_credentials(std::string uri) {
  const auto scheme = uri.find("://");
  const auto start = scheme == std::string::npos ? 0 : scheme + 3;
  if (const auto at = uri.rfind('@'); at != std::string::npos && at > start) {
    uri.replace(start, at - start, "***");
  }
  const auto options = uri.find_first_of(scheme == std::string::npos ? "?=" : "?", start);
  if (options != std::string::npos) uri.replace(options + 1, std::string::npos, "***");
  return uri;
}

/// Keywords come percent-encoded (libpq) and in any case (libmongoc).
bool may_hold_password(std::string uri) {
  if (uri.find('@') != std::string::npos) return true;
  const auto options = std::min(uri.find('?'), uri.size());
  uri.erase(0, options);
  std::transform(uri.begin(), uri.end(), uri.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return uri.find("password") != std::string::npos || uri.find('%') != std::string::npos;
}

/// Both libraries quote what they stumble over, which may be the password: where the URI may hold one, quoted text
/// is left out.
std::string without_quotes(std::string why, const std::string& uri) {
  if (!may_hold_password(uri)) return why;
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

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string the_option(std::string_view name) {
  return fmt::format("the option '{}'", name);
}

/// An option that only the driver would obey, so that raw and driver did unequal work; or nothing.
std::string mongo_option_unsupported(const mongoc_uri_t* uri) {
  constexpr std::array<std::string_view, 6> harmless = {
      MONGOC_URI_DIRECTCONNECTION, MONGOC_URI_APPNAME,          MONGOC_URI_TLS,  // TLS has a name of its own
      MONGOC_URI_SOCKETTIMEOUTMS,  MONGOC_URI_CONNECTTIMEOUTMS, MONGOC_URI_SERVERSELECTIONTIMEOUTMS,
  };
  // libmongoc keeps these apart from the other options.
  if (mongoc_read_concern_get_level(mongoc_uri_get_read_concern(uri)) != nullptr)
    return the_option(MONGOC_URI_READCONCERNLEVEL);
  if (!bson_empty0(mongoc_uri_get_compressors(uri))) return the_option(MONGOC_URI_COMPRESSORS);
  bson_iter_t credentials;
  bson_iter_init(&credentials, mongoc_uri_get_credentials(uri));
  while (bson_iter_next(&credentials)) {
    const std::string_view key = bson_iter_key(&credentials);
    if (key != MONGOC_URI_AUTHSOURCE) return the_option(key);
  }
  bson_iter_t options;
  bson_iter_init(&options, mongoc_uri_get_options(uri));
  while (bson_iter_next(&options)) {
    if (!is_among(harmless, bson_iter_key(&options))) return the_option(bson_iter_key(&options));
  }
  return {};
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
  result.unsupported = mongo_option_unsupported(parsed.get());
  if (mongoc_uri_get_tls(parsed.get())) result.unsupported = "TLS";
  if (!result.user.empty()) result.unsupported = "SCRAM authentication";
  return {std::move(result), {}};
}

const char* text_of(const char* value) {
  return value == nullptr ? "" : value;
}

/// What libpq would take: a value that the URI gives, also an empty one, before one of the environment.
std::string_view effective(const PQconninfoOption& given, const PQconninfoOption* defaults) {
  if (given.val != nullptr) return given.val;
  for (const auto* option = defaults; option != nullptr && option->keyword != nullptr; ++option) {
    if (std::string_view(option->keyword) == given.keyword) return text_of(option->val);
  }
  return {};
}

/// Whether raw, which does not know the option, does the same work as libpq, which obeys it.
bool is_harmless(const PQconninfoOption& given, std::string_view value, std::string_view sslmode) {
  constexpr std::array<std::string_view, 14> harmless = {
      "host",
      "hostaddr",
      "port",
      "user",
      "password",
      "dbname",
      "passfile",
      "connect_timeout",
      "krbsrvname",
      "application_name",
      "sslsni",
      "fallback_application_name",
      "client_encoding",
      "sslcompression",
  };
  const std::string_view key = given.keyword;
  if (value.empty() || value == text_of(given.compiled) || is_among(harmless, key)) return true;
  if (key == "sslmode") return value == "disable" || value == "allow";
  if (key == "gssencmode" || key == "channel_binding") return value == "disable";
  if (key == "service") return given.val == nullptr;  // PQconndefaults() has read what PGSERVICE names
  return key == "ssl_min_protocol_version" || (key.starts_with("ssl") && sslmode == "disable");
}

/// Keys and meaning are libpq's.
void take_conninfo(const PQconninfoOption* given, const PQconninfoOption* defaults, endpoint& result) {
  std::string_view sslmode;
  for (const auto* option = given; option->keyword != nullptr; ++option) {
    if (std::string_view(option->keyword) == "sslmode") sslmode = effective(*option, defaults);
  }
  for (const auto* option = given; option->keyword != nullptr; ++option) {
    const std::string_view value = effective(*option, defaults);
    if (value.empty()) continue;
    const std::string_view key = option->keyword;
    if (key == "host" && result.host.empty()) result.host = value;
    if (key == "hostaddr") result.host = value;
    if (key == "port") result.port = parse_port(value).value_or(0);
    if (key == "user") result.user = value;
    if (key == "password") result.password = value;
    if (key == "dbname") result.database = value;
    if (result.unsupported.empty() && !is_harmless(*option, value, sslmode)) {
      result.unsupported = the_option(key);
    }
  }
  if (sslmode == "require" || sslmode.starts_with("verify")) result.unsupported = "TLS";
}

/// Where libpq goes when nobody names a host: the directory of UNIX sockets that it was built with, or a host name. It tells
/// only on a connection, so one is begun that fails before it is tried, for its port.
std::string default_host() {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> none(PQconnectStart("host='' hostaddr='' port=0"),
                                                          PQfinish);
  return text_of(PQhost(none.get()));
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
  // An empty port is libpq's own.
  result.port = 5432;
  const options_ptr defaults(PQconndefaults(), PQconninfoFree);  // PG* variables, service file
  take_conninfo(given.get(), defaults.get(), result);
  if (result.host.empty()) result.host = default_host();
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
    return problem(
        fmt::format("'{}' is not tcp:host:port with a port of 1 to 65535", without_credentials(uri)));
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
