#include "bench/report_json.hpp"

#include "tests/bench/made_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace bench {
namespace {

using nlohmann::ordered_json;

ordered_json parsed(const result& made) {
  return ordered_json::parse(report_json(made));
}

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

using list = std::vector<std::string>;

TEST(JsonReport, HasTheKeysInOrder) {
  const auto json = parsed(made_result());
  EXPECT_EQ(keys(json), (list{"schema_version", "tool", "context", "plan", "clock", "cells", "comparisons",
                              "closure", "warnings"}));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(keys(json["context"]), (list{"kernel", "wirebench"}));
  EXPECT_EQ(keys(json["cells"][0]), (list{"id",
                                          "op",
                                          "rung",
                                          "client",
                                          "peer",
                                          "transport",
                                          "placement",
                                          "profile",
                                          "service_time_ns",
                                          "delay_mode",
                                          "stamps",
                                          "framing",
                                          "direction",
                                          "strategy",
                                          "chunk_bytes",
                                          "payload_bytes",
                                          "group",
                                          "median_ns",
                                          "lo_ns",
                                          "hi_ns",
                                          "client_cpu_ns",
                                          "server_cpu_ns",
                                          "frames_out",
                                          "frames_in",
                                          "bytes_out",
                                          "bytes_in",
                                          "syscalls",
                                          "copied_bytes",
                                          "round_trips",
                                          "latency",
                                          "load",
                                          "counts",
                                          "rounds"}));
  EXPECT_EQ(keys(json["comparisons"][0]), (list{"op",
                                                "question",
                                                "a",
                                                "b",
                                                "ratio",
                                                "lo",
                                                "hi",
                                                "level",
                                                "coverage",
                                                "difference_ns",
                                                "difference_lo_ns",
                                                "difference_hi_ns",
                                                "floor_units",
                                                "floor_units_lo",
                                                "floor_units_hi",
                                                "rows",
                                                "tied",
                                                "effective_rows",
                                                "method",
                                                "verdict"}));
  EXPECT_EQ(keys(json["warnings"][0]), (list{"code", "number", "cause", "remedy", "op", "flag"}));
}

TEST(JsonReport, CarriesTheFigures) {
  const auto json = parsed(made_result());
  const auto& driver = json["cells"][4];
  EXPECT_EQ(driver["client"], "libmongoc");
  EXPECT_EQ(driver["median_ns"], 14'000.0);
  EXPECT_EQ(driver["bytes_out"], 94);
  EXPECT_TRUE(driver["bytes_out"].is_number_integer());
  const auto& overhead = json["comparisons"].back();
  EXPECT_EQ(overhead["a"], "mongo.ping/tcp0/raw");
  EXPECT_EQ(overhead["b"], "mongo.ping/driver/libmongoc");
  EXPECT_NEAR(overhead["ratio"].get<double>(), 2.0, 0.01);
  EXPECT_EQ(overhead["verdict"], "slower");
  EXPECT_EQ(overhead["rows"], 200);
  EXPECT_EQ(json["plan"]["seed"], 42);
  EXPECT_EQ(json["plan"]["ops"][0]["ended_by"], "budget");
  EXPECT_EQ(json["warnings"][1]["op"], "mongo.ping");
}

TEST(JsonReport, AlwaysKeepsTheRounds) {
  const auto json = parsed(made_result());
  for (const auto& one : json["cells"]) {
    ASSERT_EQ(one["rounds"].size(), 200u);
    EXPECT_EQ(one["rounds"][7]["row"], 7);
    EXPECT_EQ(one["rounds"][7]["ops"], 10);
  }
  EXPECT_EQ(keys(json["cells"][0]["rounds"][0]), (list{"row",
                                                       "position",
                                                       "group",
                                                       "connection_set",
                                                       "process",
                                                       "ops",
                                                       "elapsed_ns",
                                                       "client_cpu_ns",
                                                       "server_cpu_ns",
                                                       "voluntary_switches",
                                                       "involuntary_switches",
                                                       "minor_faults",
                                                       "major_faults",
                                                       "steal_ticks",
                                                       "pressure_us",
                                                       "migrations",
                                                       "cpu_start",
                                                       "cpu_end",
                                                       "flags",
                                                       "frames_out",
                                                       "frames_in",
                                                       "bytes_out",
                                                       "bytes_in",
                                                       "syscalls",
                                                       "copied_bytes",
                                                       "round_trips",
                                                       "delayed_requests",
                                                       "delayed_ns",
                                                       "server_told_ns",
                                                       "stages"}));
}

TEST(JsonReport, HasWhatWasCounted) {
  auto made = made_result();
  made.cells[2].counts = {.instructions = 1'300.25,
                          .instructions_by = "callgrind",
                          .allocations = 0,
                          .syscalls_by_kind = {{{"recvfrom", 1}, {"sendmsg", 1}}},
                          .unknown = {{"memory", "no luck"}}};
  const auto json = parsed(made);
  EXPECT_TRUE(json["cells"][0]["counts"].is_null());
  const auto& counts = json["cells"][2]["counts"];
  EXPECT_EQ(keys(counts), (list{"instructions", "instructions_by", "allocations", "allocated_bytes",
                                "live_heap_peak_bytes", "heap_growth_bytes", "payload_copies_bytes",
                                "syscalls_by_kind", "rss_peak_bytes", "unknown"}));
  EXPECT_EQ(counts["instructions"], 1'300.25);
  EXPECT_EQ(counts["allocations"], 0);
  EXPECT_TRUE(counts["rss_peak_bytes"].is_null());
  EXPECT_EQ(counts["syscalls_by_kind"]["sendmsg"], 1);
  EXPECT_EQ(counts["unknown"]["memory"], "no luck");
}

TEST(JsonReport, NamesTheFlagsOfARound) {
  auto made = made_result();
  made.cells[0].rounds[1].flags = {.steal = true, .taken = true, .migrated = true};
  made.cells[0].rounds[2].flags = {.pressure = true, .switches = true, .faults = true};
  const auto rounds = parsed(made)["cells"][0]["rounds"];
  EXPECT_EQ(rounds[0]["flags"], (list{}));
  EXPECT_EQ(rounds[1]["flags"], (list{"steal", "taken", "migrated"}));
  EXPECT_EQ(rounds[2]["flags"], (list{"pressure", "switches", "faults"}));
}

TEST(JsonReport, WritesNullForWhatIsNotKnown) {
  const auto json = parsed(made_result());
  EXPECT_TRUE(json["cells"][1]["server_cpu_ns"].is_null());  // mem: the server is this thread
  EXPECT_TRUE(json["cells"][4]["syscalls"].is_null());       // a driver's
  EXPECT_TRUE(json["cells"][4]["rounds"][0]["syscalls"].is_null());
  EXPECT_TRUE(json["cells"][4]["rounds"][0]["pressure_us"].is_null());
  EXPECT_TRUE(json["warnings"][0]["op"].is_null());
  EXPECT_TRUE(json["warnings"][0]["flag"].is_null());
  EXPECT_TRUE(json["plan"]["ops"][0]["failure"].is_null());
}

// Case C34: a result without a single op is still strict JSON, with null and not NaN.
TEST(JsonReport, OfNothingMeasuredIsStrictJson) {
  const auto json = parsed(unmeasured_result());
  EXPECT_TRUE(json["cells"][0]["median_ns"].is_null());
  EXPECT_TRUE(json["cells"][0]["rounds"].is_array());
  EXPECT_TRUE(json["comparisons"][0]["ratio"].is_null());
  const auto empty = parsed({});
  EXPECT_TRUE(empty["cells"].is_array());
  EXPECT_TRUE(empty["comparisons"].is_array());
  EXPECT_TRUE(empty["warnings"].is_array());
  EXPECT_TRUE(empty["context"].is_object());
}

TEST(JsonReport, NeverHoldsWhatJsonCannot) {
  auto made = made_result();
  made.cells[0].per_op.median_ns = std::numeric_limits<double>::quiet_NaN();
  made.cells[0].per_op.hi_ns = std::numeric_limits<double>::infinity();
  made.cells[0].per_op.bytes_out = std::numeric_limits<double>::quiet_NaN();
  made.warnings[0].cause = "server said \xff\xfe\"\n";
  const auto json = parsed(made);
  EXPECT_TRUE(json["cells"][0]["median_ns"].is_null());
  EXPECT_TRUE(json["cells"][0]["hi_ns"].is_null());
  EXPECT_TRUE(json["cells"][0]["bytes_out"].is_null());
}

}  // namespace
}  // namespace bench
