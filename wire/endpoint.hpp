#pragma once
// Where a peer is and what it takes to log in. URIs are parsed by the drivers' own libraries (libmongoc,
// libpq), so that defaults, percent-encoding and PG* variables mean what their users expect.

#include "codecs/errc.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wire {

enum class protocol { mongo, pg };

struct endpoint {
  wire::protocol protocol = wire::protocol::mongo;
  std::string host;        ///< TCP: host name or address
  std::uint16_t port = 0;  ///< TCP
  std::string path;        ///< UNIX socket, if not empty; then host and port are unused
  std::string user;        ///< empty for MongoDB without authentication
  std::string password;    ///< never printed
  std::string database;    ///< may be empty
  /// PostgreSQL: run-time parameters that the raw client asks for as it logs in; no URI sets them.
  std::vector<std::pair<std::string, std::string>> parameters;
  /// What the URI, or a PG* variable, asks for that wirebench does not do yet: "TLS", "the option 'w'"; or empty.
  std::string unsupported;

  bool is_unix() const { return !path.empty(); }

  /// "127.0.0.1:27017" or "unix:/path", for messages: never a user or a password.
  std::string display() const;
};

struct endpoint_or_problem {
  std::optional<endpoint> value;
  std::string problem;  ///< a whole sentence that says how to mend the URI; never holds the password
};

/// Understands mongodb://, postgresql:// and postgres://; with `raw_protocol` also tcp:host:port and
/// unix:/path, which name no protocol themselves.
endpoint_or_problem parse_endpoint(const std::string& uri,
                                   std::optional<protocol> raw_protocol = std::nullopt);

}  // namespace wire
