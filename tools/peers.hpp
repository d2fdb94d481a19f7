#pragma once
// The peers that a program measures against: bench::peer, implemented with fixtures.

#include "wire/endpoint.hpp"

#include "bench/peer.hpp"

#include "fixtures/mongo_profile.hpp"
#include "fixtures/null_server.hpp"

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace tools {

using started_peer = absl::StatusOr<std::unique_ptr<bench::peer>>;

/// The null server of a protocol, as a process on `cpu` (empty: on any), gone with the handle; the profile is MongoDB's alone.
started_peer start_null(wire::protocol protocol, std::optional<int> cpu,
                        fixtures::mongo_profile profile = fixtures::mongo_profile::standalone,
                        fixtures::receive_strategy receive = fixtures::receive_strategy::store);

/// The null MongoDB as a standalone whose finds return documents of `found_bytes`.
started_peer start_null_mongo(int cpu, std::size_t found_bytes);

/// A null server of a protocol on any cpu, whose large objects have so many bytes from the start.
started_peer start_null_of_files(wire::protocol protocol, std::int64_t file_bytes);

/// How a driver names a null server on that port of 127.0.0.1; short, for a person: PG* variables apply to it.
std::string null_uri(wire::protocol protocol, int port);

/// What stands for a real server:
///
///   pg           a temporary PostgreSQL
///   mongo        SecantusDB
///   null:200us   a null server that takes so long for each request: one whose time is known
///   URI          a server that the user has running; `timeout` bounds asking it for its name
///
/// What is started here is pinned to `cpu`, if any. A server of the user's may be pinned by a measurement: it gets its own
/// cpus back with the end of the handle.
started_peer start_real(const std::string& what, wire::protocol protocol, std::optional<int> cpu,
                        std::chrono::milliseconds timeout,
                        fixtures::mongo_profile profile = fixtures::mongo_profile::standalone);

/// Whether `what`, in the form that start_real() takes, speaks that protocol.
absl::StatusOr<bool> speaks(const std::string& what, wire::protocol protocol);

}  // namespace tools
