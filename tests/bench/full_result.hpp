#pragma once
// A result in which everything is told that a result can tell, so that no key of it is null, empty or zero.

#include "bench/result.hpp"

namespace bench {

inline round full_round() {
  return {.row = 1,
          .position = 2,
          .group = 3,
          .connection_set = 4,
          .ops = 5,
          .elapsed_ns = 6,
          .client_cpu_ns = 7,
          .server_cpu_ns = 8,
          .voluntary_switches = 9,
          .involuntary_switches = 10,
          .minor_faults = 11,
          .major_faults = 12,
          .steal_ticks = 13,
          .pressure_us = 14,
          .migrations = 15,
          .cpu_start = 16,
          .cpu_end = 17,
          .flags = {.steal = true,
                    .pressure = true,
                    .taken = true,
                    .switches = true,
                    .faults = true,
                    .migrated = true},
          .moved = traffic{18, 19, 20, 21},
          .syscalls = 22,
          .delayed = delay_tally{23, 24},
          .stages = stage_times{{25, 26, 27, 28, 29}, {30, 31, 32, 33, 34}, 35, 36},
          .server_told_ns = 37};
}

inline cell full_cell(const std::string& id) {
  return {.what = {.id = id,
                   .op = "ping",
                   .rung = "driver",
                   .client = "libmongoc",
                   .peer = "null",
                   .transport = "tcp",
                   .placement = "same-cpu",
                   .profile = "standalone",
                   .service_ns = 11,
                   .stamps = "wall"},
          .group = 1,
          .rounds = {full_round()},
          .per_op = {.median_ns = 1.5,
                     .lo_ns = 2.5,
                     .hi_ns = 3.5,
                     .client_cpu_ns = 4.5,
                     .server_cpu_ns = 5.5,
                     .frames_out = 6.5,
                     .frames_in = 7,
                     .bytes_out = 8,
                     .bytes_in = 9,
                     .syscalls = 10}};
}

inline comparison full_comparison() {
  return {.asks = question::server,
          .op = "ping",
          .a = "a",
          .b = "b",
          .ratio = 1.5,
          .lo = 2.5,
          .hi = 3.5,
          .level = 0.99,
          .coverage = 0.995,
          .difference_ns = 4.5,
          .difference_lo_ns = 5.5,
          .difference_hi_ns = 6.5,
          .floor_units = 7.5,
          .floor_units_lo = 8.5,
          .floor_units_hi = 9.5,
          .rows = 10,
          .tied = 11,
          .by_connection_set = true,
          .says = verdict::faster};
}

inline attribution full_attribution() {
  const estimate some{1.5, interval{2.5, 3.5, 0.95}};
  return {.op = "ping",
          .cell = "a",
          .total_ns = some,
          .calibrated = calibration{.client_ns = some,
                                    .points = {{4.5, 5.5, 6.5}},
                                    .slope = some,
                                    .service_ns = some,
                                    .server_ns = some,
                                    .waiting_ns = some,
                                    .trouble = "too few rows"},
          .server_lo_ns = some,
          .server_hi_ns = some,
          .told_by = "log_duration",
          .stages_ns = stage_figures{7.5, 8.5, 9.5, 10.5, 11.5},
          .stages_cpu_ns = stage_figures{12.5, 13.5, 14.5, 15.5, 16.5},
          .residual_ns = some,
          .client_cpu_ns = 17.5,
          .judged = {.closed = true,
                     .unexplained_ns = 18.5,
                     .unexplained_share = 0.042,
                     .reasons = {"one"},
                     .unchecked = {"another"}},
          .biases = {"loopback"}};
}

inline result full_result() {
  return {.context = {{"kernel", "Linux"}},
          .clock = {.source = "tsc",
                    .resolution_ns = 1,
                    .read_cost_p50_ns = 2,
                    .read_cost_p99_ns = 3,
                    .cpus_checked = 4,
                    .backward_steps = 5},
          .plan = {.seed = 1,
                   .cpu = 2,
                   .delta = 0.03,
                   .ops = {{.op = "ping",
                            .groups = {{.cells = {"a", "b"}, .ops_per_round = 4}},
                            .rows = 5,
                            .balanced = true,
                            .budget_s = 6.5,
                            .elapsed_s = 7.5,
                            .reason = ended_by::failure,
                            .failure = "no answer"}}},
          .cells = {full_cell("a"), full_cell("b")},
          .comparisons = {full_comparison()},
          .attributions = {full_attribution()},
          .warnings = {{.code = "W-STEAL",
                        .number = "3 %",
                        .cause = "others",
                        .remedy = "wait",
                        .op = "ping",
                        .flag = "--budget 40"}}};
}

}  // namespace bench
