#pragma once
// What bare sockets do on this machine, under no protocol at all.

#include <cstddef>

#include "absl/status/statusor.h"

namespace tools {

constexpr std::size_t echo_reply_bytes = 64;

/// Time of one round trip over TCP with a bare echo that answers so many bytes with `echo_reply_bytes`, both sides on `cpu`: the
/// median of rounds.
absl::StatusOr<double> echo_round_trip_ns(std::size_t request_bytes, int cpu);

}  // namespace tools
