#pragma once
// One op of one client over one connection, ready to be run again and again:
//
//   open()  connect, authenticate, prepare            outside the timer   (setup; its end is the destructor: teardown)
//   before()                                          outside the timer, once per round
//   run(n)  n ops, one after the other                TIMED
//   after()                                           outside the timer, once per round

#include "bench/stage_times.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace bench {

/// Work that crossed the wire, as one side counted it; "out" is client to server.
struct traffic {
  std::uint64_t frames_out = 0;
  std::uint64_t frames_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t bytes_in = 0;

  traffic operator-(const traffic& earlier) const {
    return {frames_out - earlier.frames_out, frames_in - earlier.frames_in, bytes_out - earlier.bytes_out,
            bytes_in - earlier.bytes_in};
  }
  traffic operator+(const traffic& other) const {
    return {frames_out + other.frames_out, frames_in + other.frames_in, bytes_out + other.bytes_out,
            bytes_in + other.bytes_in};
  }
  bool operator==(const traffic&) const = default;
};

class workload {
 public:
  virtual ~workload() = default;

  virtual absl::Status before() { return absl::OkStatus(); }
  virtual absl::Status run(std::uint64_t ops) = 0;
  virtual absl::Status after() { return absl::OkStatus(); }

  /// Whether before() and after() do anything: whoever runs ops without end must end rounds now and then all the same.
  virtual bool works_in_rounds() const { return false; }

  /// System calls that this client's connection has made so far; empty where it cannot be known (drivers).
  virtual std::optional<std::uint64_t> syscalls() const { return std::nullopt; }

  /// What this client's connection has sent and received so far; empty where it cannot be known (drivers).
  virtual std::optional<traffic> counted() const { return std::nullopt; }

  /// What stamps have told so far; empty for workloads that take none, which is all that are timed.
  virtual std::optional<stage_times> stages() const { return std::nullopt; }

  /// What the server itself says its part of the last run() took, known after after(); empty where it was not asked or
  /// does not tell.
  virtual std::optional<std::int64_t> server_told_ns() const { return std::nullopt; }
  /// Payload bytes that this client has copied in user space so far; empty where it cannot be known (drivers).
  virtual std::optional<std::uint64_t> copied_bytes() const { return std::nullopt; }

  /// Times so far that this client had sent all that it had to say, and waited; empty where it cannot be known (drivers).
  virtual std::optional<std::uint64_t> round_trips() const { return std::nullopt; }

  /// The process that serves this very connection, where the server has one per connection (PostgreSQL's
  /// BackendKeyData); else the peer's pid serves.
  virtual std::optional<pid_t> server_pid() const { return std::nullopt; }
};

}  // namespace bench
