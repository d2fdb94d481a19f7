#pragma once
// A hand-made result of one op, as the reports would get it.

#include "bench/compare.hpp"
#include "bench/result.hpp"

#include "tests/bench/made_cells.hpp"

namespace bench {

inline void count_as(cell& one, traffic per_op, std::optional<std::uint64_t> syscalls, std::int64_t client_ns,
                     std::optional<std::int64_t> server_ns) {
  for (auto& timed : one.rounds) {
    timed.moved = traffic{per_op.frames_out * timed.ops, per_op.frames_in * timed.ops,
                          per_op.bytes_out * timed.ops, per_op.bytes_in * timed.ops};
    if (syscalls) timed.syscalls = *syscalls * timed.ops;
    timed.client_cpu_ns = client_ns * static_cast<std::int64_t>(timed.ops);
    if (server_ns) timed.server_cpu_ns = *server_ns * static_cast<std::int64_t>(timed.ops);
  }
  summarize(one);
}

/// 200 rows x 10 ops of ping: floor 6.6 us, raw 7 us, libmongoc 14 us and 36 bytes more per op than raw.
inline result made_result() {
  auto floor = made_cell("mongo.ping/floor", "floor", "floor", wandering(6'600, 200, 0.010));
  auto mem = made_cell("mongo.ping/mem", "mem", "raw", wandering(700, 200, 0.010));
  auto raw = made_cell("mongo.ping/tcp0/raw", "tcp0", "raw", wandering(7'000, 200, 0.012));
  auto again = made_cell("mongo.ping/tcp0/raw2", "tcp0", "raw", wandering(7'000, 200, 0.008));
  auto driver =
      made_cell("mongo.ping/driver/libmongoc", "driver", "libmongoc", wandering(14'000, 200, 0.009));
  count_as(floor, {1, 1, 58, 45}, 2, 3'000, 3'400);
  count_as(mem, {1, 1, 58, 45}, 0, 690, std::nullopt);
  count_as(raw, {1, 1, 58, 45}, 2, 3'300, 3'400);
  count_as(again, {1, 1, 58, 45}, 2, 3'300, 3'400);
  count_as(driver, {1, 1, 94, 45}, std::nullopt, 10'000, 3'500);

  result made;
  made.context = {{"kernel", "Linux 6.1.0 x86_64"}, {"wirebench", "0.1.0"}};
  made.clock = {.source = "tsc",
                .resolution_ns = 10,
                .read_cost_p50_ns = 20,
                .read_cost_p99_ns = 30,
                .cpus_checked = 2};
  made.plan = {.seed = 42, .cpu = 1, .delta = 0.02, .ops = {}};
  made.plan.ops.push_back({.op = "mongo.ping",
                           .groups = {{{"mongo.ping/floor"}, 10}},
                           .rows = 200,
                           .budget_s = 10,
                           .elapsed_s = 9.75});
  made.cells = {floor, mem, raw, again, driver};
  made.comparisons = compare(made.cells, made.plan.delta);
  made.warnings = {
      {"W-LOAD", "load 3.10 on 2 cpus", "other programs run", "stop them", ""},
      {"W-STEAL", "3.1 % of the time", "the hypervisor took the cpu", "raise --budget", "mongo.ping"}};
  return made;
}

/// The same cells without a single op (case C34).
inline result unmeasured_result() {
  auto made = made_result();
  for (auto& one : made.cells) {
    one.rounds.clear();
    summarize(one);
  }
  made.comparisons = compare(made.cells, made.plan.delta);
  return made;
}

}  // namespace bench
