#include "tools/peers.hpp"

#include "bench/ladder.hpp"
#include "bench/placement.hpp"
#include "bench/server_process.hpp"
#include "bench/waiting.hpp"

#include "fixtures/mongo_peers.hpp"
#include "fixtures/null_mongo.hpp"
#include "fixtures/null_pg.hpp"
#include "fixtures/null_server.hpp"
#include "fixtures/percent.hpp"
#include "fixtures/pg_cluster.hpp"
#include "fixtures/process.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

#include "absl/time/time.h"

namespace tools {
namespace {

class null_peer final : public bench::peer {
 public:
  null_peer(wire::protocol protocol, fixtures::mongo_profile profile, fixtures::process process,
            std::string name = "null", std::size_t found_bytes = fixtures::null_mongo::document_bytes)
      : protocol_(protocol),
        profile_(profile),
        process_(std::move(process)),
        name_(std::move(name)),
        found_bytes_(found_bytes) {}

  std::string name() const override { return name_; }

  std::optional<std::string> profile() const override {
    if (protocol_ != wire::protocol::mongo) return std::nullopt;
    return std::string(fixtures::name(profile_));
  }

  std::string tcp_uri() const override {
    auto uri = null_uri(protocol_, process_.tcp_port());
    if (protocol_ == wire::protocol::mongo) return uri;
    return fmt::format("{}?hostaddr=127.0.0.1&{}", uri, fixtures::no_pg_variables);
  }
  std::optional<std::string> unix_uri() const override {
    const std::filesystem::path socket = process_.unix_path();
    if (protocol_ == wire::protocol::mongo) return "mongodb://" + fixtures::percent_encoded(socket.string());
    return fmt::format("postgresql://wirebench@/wirebench?host={}&port=5432&hostaddr=&{}",
                       fixtures::percent_encoded(socket.parent_path().string()), fixtures::no_pg_variables);
  }
  std::optional<pid_t> pid() const override { return process_.pid(); }

  std::optional<bench::traffic> counted() const override {
    const auto& counters = process_.counters();
    return bench::traffic{.frames_out = counters.frames_in,
                          .frames_in = counters.frames_out,
                          .bytes_out = counters.bytes_in,
                          .bytes_in = counters.bytes_out};
  }

  bool set_service_time(std::chrono::nanoseconds duration, bench::delay_mode mode) const override {
    if (duration.count() < 0 || duration > fixtures::longest_service_time) return false;
    process_.counters().wanted = {
        static_cast<std::uint32_t>(duration.count()),
        mode == bench::delay_mode::spin ? fixtures::delay_mode::spin : fixtures::delay_mode::sleep};
    return true;
  }

  std::optional<bench::delay_tally> delayed() const override {
    const auto& counters = process_.counters();
    return bench::delay_tally{.requests = counters.delayed_requests, .ns = counters.delay_ns};
  }

  std::unique_ptr<codecs::conversation> converse() const override {
    if (protocol_ == wire::protocol::mongo)
      return std::make_unique<fixtures::null_mongo>(
          fixtures::null_mongo::setup{.profile = profile_,
                                      .address = fmt::format("127.0.0.1:{}", process_.tcp_port()),
                                      .found_bytes = found_bytes_});
    return std::make_unique<fixtures::null_pg>(::getpid());
  }

 private:
  wire::protocol protocol_;
  fixtures::mongo_profile profile_;
  fixtures::process process_;
  std::string name_;
  std::size_t found_bytes_;
};

/// What real servers have in common: they tell nothing and cannot be had in memory.
class real_peer : public bench::peer {
 public:
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<bench::traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }
};

template <typename Server>
class started final : public real_peer {
 public:
  explicit started(Server server) : server_(std::move(server)) {}

  std::string name() const override { return server_.name(); }
  std::string tcp_uri() const override { return server_.tcp_uri(); }
  std::optional<pid_t> pid() const override { return server_.pid(); }

 private:
  Server server_;
};

/// A server that the user has running, perhaps elsewhere. One on this machine may tell its process (MongoDB) or the process
/// of each connection (PostgreSQL's BackendKeyData).
class named_server final : public real_peer {
 public:
  named_server(std::string uri, const wire::endpoint& parsed, std::chrono::milliseconds timeout)
      : uri_(std::move(uri)),
        name_(parsed.display()),
        local_(parsed.is_unix() || parsed.host == "127.0.0.1" || parsed.host == "localhost" ||
               parsed.host == "::1") {
    const auto told = bench::identify_server(parsed, timeout);
    if (!told.product.empty()) name_ = fmt::format("{} at {}", told.product, name_);
    if (local_ && told.pid && bench::listens_on(*told.pid, parsed)) {
      pid_ = told.pid;
      affinity_.emplace(*pid_);
    }
  }

  std::string name() const override { return name_; }
  std::string tcp_uri() const override { return uri_; }
  std::optional<pid_t> pid() const override { return pid_; }
  bool local() const override { return local_; }

 private:
  std::string uri_;
  std::string name_;
  bool local_;
  std::optional<pid_t> pid_;
  std::optional<bench::kept_affinity> affinity_;  // whoever measures pins it, and it lives on
};

absl::StatusOr<fixtures::process> start_null_process(wire::protocol protocol, std::optional<int> cpu,
                                                     fixtures::mongo_profile profile,
                                                     fixtures::receive_strategy receive) {
  const bool mongo = protocol == wire::protocol::mongo;
  return fixtures::process::start(
      cpu, mongo ? fixtures::serve_null_mongo(profile, receive) : fixtures::serve_null_pg(receive),
      mongo ? "null.sock" : ".s.PGSQL.5432");  // as libmongoc and libpq want them named
}

constexpr std::string_view null_prefix = "null:";

absl::StatusOr<std::chrono::nanoseconds> service_time_of(const std::string& what) {
  absl::Duration parsed;
  const auto most = absl::FromChrono(fixtures::longest_service_time);
  if (absl::ParseDuration(what.substr(null_prefix.size()), &parsed) && parsed >= absl::ZeroDuration() &&
      parsed <= most)
    return absl::ToChronoNanoseconds(parsed);
  return absl::InvalidArgumentError(
      fmt::format("'{}' is no null server with a service time between 0 and {}, such as null:200us", what,
                  absl::FormatDuration(most)));
}

/// A null server that always takes so long; its own stamps tell how long it really took.
started_peer start_waiting_null(wire::protocol protocol, std::optional<int> cpu,
                                fixtures::mongo_profile profile, std::chrono::nanoseconds duration) {
  auto process = start_null_process(protocol, cpu, profile, fixtures::receive_strategy::store);
  if (!process.ok()) return process.status();
  auto null = std::make_unique<null_peer>(protocol, profile, *std::move(process),
                                          fmt::format("null+{}", bench::service_time_name(duration)));
  null->set_service_time(duration, bench::delay_mode::spin);
  return null;
}

}  // namespace

std::string null_uri(wire::protocol protocol, int port) {
  if (protocol == wire::protocol::mongo) return fmt::format("mongodb://127.0.0.1:{}/", port);
  return fmt::format("postgresql://wirebench@127.0.0.1:{}/wirebench", port);
}

started_peer start_null(wire::protocol protocol, std::optional<int> cpu, fixtures::mongo_profile profile,
                        fixtures::receive_strategy receive) {
  auto process = start_null_process(protocol, cpu, profile, receive);
  if (!process.ok()) return process.status();
  return std::make_unique<null_peer>(protocol, profile, *std::move(process));
}

started_peer start_null_mongo(int cpu, std::size_t found_bytes) {
  constexpr auto profile = fixtures::mongo_profile::standalone;
  auto process = fixtures::process::start(
      cpu, fixtures::serve_null_mongo(profile, fixtures::receive_strategy::store, found_bytes), "null.sock");
  if (!process.ok()) return process.status();
  return std::make_unique<null_peer>(wire::protocol::mongo, profile, *std::move(process), "null",
                                     found_bytes);
}

started_peer start_null_of_files(wire::protocol protocol, std::int64_t file_bytes) {
  if (protocol == wire::protocol::mongo) return start_null(protocol, std::nullopt);
  auto process = fixtures::process::start(
      std::nullopt, fixtures::serve_null_pg(fixtures::receive_strategy::store, file_bytes), ".s.PGSQL.5432");
  if (!process.ok()) return process.status();
  return std::make_unique<null_peer>(protocol, fixtures::mongo_profile::standalone, *std::move(process));
}

started_peer start_real(const std::string& what, wire::protocol protocol, std::optional<int> cpu,
                        std::chrono::milliseconds timeout, fixtures::mongo_profile profile) {
  if (what.starts_with(null_prefix)) {
    const auto duration = service_time_of(what);
    if (!duration.ok()) return duration.status();
    return start_waiting_null(protocol, cpu, profile, *duration);
  }
  if (what == "pg") {
    auto cluster = fixtures::pg_cluster::start();
    if (!cluster.ok()) return cluster.status();
    return std::make_unique<started<fixtures::pg_cluster>>(*std::move(cluster));
  }
  if (what == "mongo") {
    auto server = fixtures::mongo_peer::start_secantusdb(cpu);
    if (!server.ok()) return server.status();
    return std::make_unique<started<fixtures::mongo_peer>>(*std::move(server));
  }
  const auto parsed = wire::parse_endpoint(what);
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  return std::make_unique<named_server>(what, *parsed.value, timeout);
}

absl::StatusOr<bool> speaks(const std::string& what, wire::protocol protocol) {
  if (what.starts_with(null_prefix)) {
    const auto duration = service_time_of(what);
    return duration.ok() ? absl::StatusOr<bool>(true) : duration.status();
  }
  if (what == "pg") return protocol == wire::protocol::pg;
  if (what == "mongo") return protocol == wire::protocol::mongo;
  const auto parsed = wire::parse_endpoint(what);
  if (!parsed.value) {
    return absl::InvalidArgumentError(parsed.problem +
                                      "; or `pg`, `mongo` or `null:200us` for a server of wirebench's own");
  }
  return parsed.value->protocol == protocol;
}

}  // namespace tools
