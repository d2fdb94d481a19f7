#pragma once
// The keys under which a result file holds latencies and the figures of tight loops: a part of result_fields.hpp, which says
// what an archive is.

#include "bench/load/figures.hpp"

#include <concepts>
#include <type_traits>

namespace bench {

/// `Given` is `Struct`, const for writing.
template <typename Given, typename Struct>
concept either = std::same_as<std::remove_const_t<Given>, Struct>;

template <typename Archive, either<reported_percentile> Given>
void fields(Archive&& archive, Given& of) {
  archive("percent", of.percent);
  archive("ns", of.ns);
  archive("at_least", of.at_least);
  archive.both("lo_ns", of.lo_ns, "hi_ns", of.hi_ns);
  archive("ops_missing", of.ops_missing);
  archive.require(of.ns || of.ops_missing > 0, "ns", "is null, but no ops are missing");
}

template <typename Archive, either<latency_summary> Given>
void fields(Archive&& archive, Given& of) {
  archive("ops", of.ops);
  archive("overflow", of.overflow);
  archive("negative", of.negative);
  archive("mean_ns", of.mean_ns);
  archive("stddev_ns", of.stddev_ns);
  archive("min_ns", of.min_ns);
  archive("max_ns", of.max_ns);
  archive("percentiles", of.percentiles);
  archive("histogram_v2", of.histogram_v2);
}

template <typename Archive, either<load::spread> Given>
void fields(Archive&& archive, Given& of) {
  archive("min", of.min);
  archive("median", of.median);
  archive("max", of.max);
}

template <typename Archive, either<load::op_latency> Given>
void fields(Archive&& archive, Given& of) {
  archive("op", of.op);
  archive("weight", of.weight);
  archive("latency", of.latency);
}

template <typename Archive, either<load::error_kind> Given>
void fields(Archive&& archive, Given& of) {
  archive("kind", of.kind);
  archive("count", of.count);
  archive("first", of.first);
}

template <typename Archive, either<load::schedule_figures> Given>
void fields(Archive&& archive, Given& of) {
  archive("rate", of.rate);
  archive("arrivals", of.arrivals);
  archive("kept", of.kept);
  archive("response", of.response);
  archive("lag_mean_ns", of.lag_mean_ns);
  archive("lag_max_ns", of.lag_max_ns);
  archive("backlog", of.backlog);
  archive("never_sent", of.never_sent);
}

template <typename Archive, either<load::figures> Given>
void fields(Archive&& archive, Given& of) {
  archive("sql", of.sql);
  archive.may_lack("parameters", of.parameters);
  archive("io", of.io);
  archive("connections", of.connections);
  archive("threads", of.threads);
  archive("pipeline", of.pipeline);
  archive("seed", of.seed);
  archive("max_tries", of.max_tries);
  archive("reconnect_every", of.reconnect_every);
  archive("warm_up_s", of.warm_up_s);
  archive("ended_by", of.ended_by);
  archive("failure", of.failure);
  archive("ops", of.ops);
  archive("elapsed_s", of.elapsed_s);
  archive("ops_per_s", of.ops_per_s);
  archive("bytes_out_per_s", of.bytes_out_per_s);
  archive("bytes_in_per_s", of.bytes_in_per_s);
  archive("by_op", of.by_op);
  archive("schedule", of.schedule);
  archive.both("above_limit", of.above_limit, "latency_limit_ms", of.latency_limit_ms);
  archive("voluntary_switches", of.voluntary_switches);
  archive("involuntary_switches", of.involuntary_switches);
  archive("client_cpus", of.client_cpus);
  archive("server_cpus", of.server_cpus);
  archive("errors", of.errors);
  archive("failed_ops", of.failed_ops);
  archive("retried_ops", of.retried_ops);
  archive("retries", of.retries);
  archive("connect_ns", of.connect_ns);
  archive("connects", of.connects);
  archive("given_up", of.given_up);
  archive("ops_of_connection", of.ops_of_connection);
  archive("delayed_ack_share", of.delayed_ack_share);
  archive("record_ns", of.record_ns);
  archive("closed_loop_share", of.closed_loop_share);
}

}  // namespace bench
