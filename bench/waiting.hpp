#pragma once
// An op against a null server that takes its time: rung tcpD.

#include "bench/peer.hpp"
#include "bench/workload.hpp"

#include <memory>
#include <string>

namespace bench {

/// `inner`, whose requests the peer keeps waiting for `duration` each, in rounds alone: connecting, before() and after() find
/// it as quick as ever, and so do the other cells that share it. `served_by` is a null server that outlives the workload.
std::unique_ptr<workload> make_waiting(std::unique_ptr<workload> inner, const peer& served_by,
                                       std::chrono::nanoseconds duration, delay_mode mode);

/// "200us", "12.5us", "1ms": a service time as cell ids and options have it.
std::string service_time_name(std::chrono::nanoseconds duration);

}  // namespace bench
