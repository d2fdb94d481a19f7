#pragma once
// What bench knows of a peer. The program that owns the peers (tools/peers.cpp) implements it with fixtures, so that
// bench can be read, built and tested without them.

#include "codecs/exchange.hpp"

#include "bench/workload.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace bench {

/// How a null server lets a service time pass: busy on its CPU, or asleep.
enum class delay_mode { spin, sleep };

/// Service time that a null server has let pass; `requests` are those that were made to wait.
struct delay_tally {
  std::uint64_t requests = 0;
  std::uint64_t ns = 0;  ///< all of them together, as achieved

  delay_tally operator-(const delay_tally& earlier) const {
    return {requests - earlier.requests, ns - earlier.ns};
  }
  bool operator==(const delay_tally&) const = default;
};

class peer {
 public:
  virtual ~peer() = default;

  /// "null", or the name and version of a real server ("PostgreSQL 15.20").
  virtual std::string name() const = 0;

  /// The MongoDB profile that a null server shows ("standalone"); empty for every other server.
  virtual std::optional<std::string> profile() const { return std::nullopt; }

  /// mongodb:// or postgresql:// URI over TCP; never printed with its password.
  virtual std::string tcp_uri() const = 0;

  /// The same over a UNIX socket; empty when the peer has none.
  virtual std::optional<std::string> unix_uri() const = 0;

  /// The process that does the work; empty when it is not known.
  virtual std::optional<pid_t> pid() const = 0;

  /// Whether it runs on this machine, so that a pid that it tells means something here.
  virtual bool local() const { return pid().has_value(); }

  /// What the peer has counted so far; empty for servers that do not tell.
  virtual std::optional<traffic> counted() const = 0;

  /// Lets the peer take `duration` (0 to 4 s) for each request from now on, on top of its own work. A null server alone
  /// can; false if this one cannot. It is the process that changes, not this handle, which cells share.
  virtual bool set_service_time(std::chrono::nanoseconds /*duration*/, delay_mode /*mode*/) const {
    return false;
  }

  /// The service time achieved so far; empty for servers that cannot be programmed.
  virtual std::optional<delay_tally> delayed() const { return std::nullopt; }

  /// A conversation of this peer to be had in memory; null for a real server.
  virtual std::unique_ptr<codecs::conversation> converse() const = 0;
};

}  // namespace bench
