#include "bench/result_reader.hpp"

#include "bench/report_json.hpp"

#include "tests/bench/full_result.hpp"
#include "tests/bench/made_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bench {
namespace {

using nlohmann::ordered_json;

/// The complaint about a text that cannot be read; empty when it can.
std::string complaint_of(const std::string& text) {
  const auto read = read_result(text);
  if (read.ok()) return {};
  EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss);
  return std::string(read.status().message());
}

/// made_result() with few rows, so that it can be cut at every byte.
result small_result() {
  auto made = made_result();
  for (auto& one : made.cells) one.rounds.resize(2);
  return made;
}

/// The complaint after `change` to a sound document.
template <typename Change>
std::string complaint_after(const Change& change) {
  auto json = ordered_json::parse(report_json(small_result()));
  change(json);
  return complaint_of(json.dump());
}

TEST(ResultReader, GivesBackEveryByte) {
  for (const auto& made : {made_result(), small_result(), result()}) {
    const auto text = report_json(made);
    const auto read = read_result(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(report_json(*read), text);
  }
}

TEST(ResultReader, GivesBackWhatDisturbedARound) {
  auto made = small_result();
  auto& timed = made.cells[2].rounds[1];
  timed.pressure_us = 612;
  timed.migrations = 0;
  timed.flags = {.pressure = true, .migrated = true};
  made.warnings[0].flag = "--cpu N";
  const auto read = read_result(report_json(made));
  ASSERT_TRUE(read.ok()) << read.status();
  const auto& back = read->cells[2].rounds[1];
  EXPECT_EQ(back.pressure_us, 612);
  EXPECT_EQ(back.migrations, 0);
  EXPECT_EQ(back.flags, timed.flags);
  EXPECT_EQ(read->cells[2].rounds[0].flags, round_flags{});
  EXPECT_EQ(read->warnings[0].flag, "--cpu N");
}

/// Paths of values that say nothing: null, 0, false, "" and empty lists and objects.
void find_empty(const ordered_json& in, const std::string& path, std::vector<std::string>& found) {
  const bool says_nothing =
      in.is_structured() ? in.empty() : in == nullptr || in == 0 || in == false || in == "";
  if (says_nothing) found.push_back(path);
  if (!in.is_structured()) return;
  for (const auto& [key, value] : in.items()) find_empty(value, path + "/" + key, found);
}

/// A key that the reader forgets comes back empty, and a full result has no empty ones.
TEST(ResultReader, GivesBackEveryKey) {
  const auto text = report_json(full_result());
  std::vector<std::string> empty;
  find_empty(ordered_json::parse(text), "", empty);
  EXPECT_EQ(empty, std::vector<std::string>{}) << "to be filled in full_result()";
  const auto read = read_result(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(report_json(*read), text);
}

TEST(ResultReader, KnowsResultsWithoutAttributions) {
  EXPECT_EQ(complaint_after([](auto& json) {
              json.erase("closure");
              for (auto& cell : json["cells"]) {
                cell.erase("stamps");
                cell.erase("service_time_ns");
                for (auto& timed : cell["rounds"]) {
                  for (const auto* key : {"stages", "delayed_ns", "delayed_requests", "server_told_ns"})
                    timed.erase(key);
                }
              }
            }),
            "");
}

TEST(ResultReader, GivesBackTheModel) {
  const auto read = read_result(report_json(made_result()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->context[1].second, "0.1.0");
  EXPECT_EQ(read->plan.ops[0].reason, ended_by::budget);
  EXPECT_EQ(read->cells[4].what.client, "libmongoc");
  EXPECT_EQ(read->cells[4].rounds[199].row, 199U);
  EXPECT_EQ(read->cells[4].rounds[199].moved->bytes_out, 940U);
  EXPECT_FALSE(read->cells[4].rounds[199].syscalls);
  EXPECT_EQ(read->cells[4].per_op.median_ns, 14'000.0);
  EXPECT_EQ(read->comparisons.back().asks, question::overhead);
  EXPECT_EQ(read->comparisons.back().says, verdict::slower);
  EXPECT_EQ(read->warnings[1].op, "mongo.ping");
}

TEST(ResultReader, KeepsWhereAnIntervalComesFrom) {
  auto made = made_result();
  made.comparisons[0].by_connection_set = true;
  const auto read = read_result(report_json(made));
  EXPECT_TRUE(read->comparisons[0].by_connection_set);
  EXPECT_FALSE(read->comparisons[1].by_connection_set);
}

TEST(ResultReader, NamesWhereAFileCutShortEnds) {
  auto made = small_result();
  made.cells.resize(1);
  made.comparisons.clear();
  const auto text = report_json(made);
  EXPECT_EQ(complaint_of(""), "is empty");
  for (std::size_t size = 1; size + 1 < text.size(); size += 3) {
    ASSERT_EQ(complaint_of(text.substr(0, size)), "ends early, after byte " + std::to_string(size));
  }
  EXPECT_EQ(complaint_of(text.substr(0, text.size() - 2)),
            "ends early, after byte " + std::to_string(text.size() - 2));
  EXPECT_EQ(complaint_of(text.substr(0, text.size() - 1)), "");  // the newline is not missed
}

TEST(ResultReader, NamesWhereItIsNoJson) {
  EXPECT_EQ(complaint_of("HTTP/1.1 404"), "is not JSON (byte 1)");
  EXPECT_EQ(complaint_of(report_json(small_result()) + "x"),
            "is not JSON (byte " + std::to_string(report_json(small_result()).size() + 1) + ")");
  EXPECT_EQ(complaint_of(R"({"tool":NaN})"), "is not JSON (byte 9)");
  EXPECT_EQ(complaint_of(R"({"tool":1e999})"),
            "is not a wirebench result: a number in it has no finite value");
}

TEST(ResultReader, SaysWhatIsNoResult) {
  EXPECT_EQ(complaint_of("[]"), "is not a wirebench result: the document is a list, not an object");
  EXPECT_EQ(complaint_of("{}"), "is not a wirebench result: tool is missing");
  EXPECT_EQ(complaint_of(R"({"tool":"criterion"})"), "is not a wirebench result: tool is 'criterion'");
  EXPECT_EQ(complaint_of(R"({"tool":"wirebench"})"), "is not a wirebench result: schema_version is missing");
  EXPECT_EQ(complaint_of(R"({"tool":"wirebench","schema_version":0})"),
            "is not a wirebench result: schema_version is 0");
  EXPECT_EQ(complaint_of(R"({"tool":"wirebench","schema_version":1})"), "context is missing");
}

TEST(ResultReader, RefusesANewerSchema) {
  EXPECT_EQ(complaint_after([](auto& json) { json["schema_version"] = 3; }),
            "was written by a newer wirebench: schema 3, this one reads up to 1");
}

TEST(ResultReader, NamesAKeyByItsPath) {
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][2]["rounds"][1].erase("ops"); }),
            "cells[2].rounds[1].ops is missing");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][2]["rounds"][1]["ops"] = "ten"; }),
            "cells[2].rounds[1].ops is text, not a whole number");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][2]["rounds"][1]["ops"] = 1.5; }),
            "cells[2].rounds[1].ops is 1.5, not a whole number");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][2]["rounds"][1]["ops"] = -1; }),
            "cells[2].rounds[1].ops is -1, out of its range");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][2]["rounds"][1]["cpu_end"] = 5'000'000'000; }),
            "cells[2].rounds[1].cpu_end is 5000000000, out of its range");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][0]["rounds"] = 7; }),
            "cells[0].rounds is 7, not a list");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][0]["median_ns"] = ordered_json::array(); }),
            "cells[0].median_ns is a list, not a number");
  EXPECT_EQ(complaint_after([](auto& json) { json["plan"]["ops"][0]["balanced"] = 1; }),
            "plan.ops[0].balanced is 1, not true or false");
  EXPECT_EQ(complaint_after([](auto& json) { json["plan"]["ops"][0]["ended_by"] = "frob"; }),
            "plan.ops[0].ended_by is 'frob', none of budget, precision, rows, stop, failure");
  EXPECT_EQ(complaint_after([](auto& json) { json["context"]["kernel"] = 6; }),
            "context.kernel is 6, not text");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][0]["rounds"][0]["bytes_in"] = nullptr; }),
            "cells[0].rounds[0].bytes_in is null, not a whole number");
}

TEST(ResultReader, RefusesWhatContradictsItself) {
  EXPECT_EQ(complaint_after([](auto& json) { json["comparisons"][1]["b"] = "nowhere"; }),
            "comparisons[1].b is 'nowhere', which is no cell");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][1]["id"] = json["cells"][0]["id"]; }),
            "cells[1].id is 'mongo.ping/floor' once more");
  EXPECT_EQ(complaint_after([](auto& json) { json["cells"][1]["rounds"][0]["ops"] = 0; }),
            "cells[1].rounds[0].ops is 0: a round without an op has no time per op");
}

/// The complaint after `change` to a document in which everything is told.
template <typename Change>
std::string full_complaint_after(const Change& change) {
  auto json = ordered_json::parse(report_json(full_result()));
  change(json);
  return complaint_of(json.dump());
}

TEST(ResultReader, RefusesHalfAnInterval) {
  EXPECT_EQ(full_complaint_after([](auto& json) { json["comparisons"][0]["hi"] = nullptr; }),
            "comparisons[0].hi is null, but lo is not");
  EXPECT_EQ(full_complaint_after([](auto& json) { json["comparisons"][0]["lo"] = nullptr; }),
            "comparisons[0].lo is null, but hi is not");
  EXPECT_EQ(full_complaint_after([](auto& json) { json["comparisons"][0].erase("difference_hi_ns"); }),
            "comparisons[0].difference_hi_ns is missing");
  EXPECT_EQ(full_complaint_after([](auto& json) { json["comparisons"][0]["floor_units_lo"] = nullptr; }),
            "comparisons[0].floor_units_lo is null, but floor_units_hi is not");
  EXPECT_EQ(full_complaint_after([](auto& json) { json["cells"][1]["lo_ns"] = nullptr; }),
            "cells[1].lo_ns is null, but hi_ns is not");
  EXPECT_EQ(full_complaint_after(
                [](auto& json) { json["cells"][1]["latency"]["percentiles"][0]["hi_ns"] = nullptr; }),
            "cells[1].latency.percentiles[0].hi_ns is null, but lo_ns is not");
  EXPECT_EQ(full_complaint_after([](auto& json) { json["cells"][0]["load"]["latency_limit_ms"] = nullptr; }),
            "cells[0].load.latency_limit_ms is null, but above_limit is not");
  EXPECT_EQ(full_complaint_after([](auto& json) {
              json["comparisons"][0]["lo"] = nullptr;
              json["comparisons"][0].erase("hi");
            }),
            "");
}

TEST(ResultReader, RefusesAPercentileThatSaysNothing) {
  const auto with = [](const ordered_json& ns, int ops_missing) {
    return full_complaint_after([&](auto& json) {
      auto& one = json["cells"][0]["load"]["schedule"]["response"]["percentiles"][0];
      one["ns"] = ns;
      one["ops_missing"] = ops_missing;
    });
  };
  EXPECT_EQ(with(nullptr, 0),
            "cells[0].load.schedule.response.percentiles[0].ns is null, but no ops are missing");
  EXPECT_EQ(with(nullptr, 1), "");
  EXPECT_EQ(with(7, 0), "");
}

TEST(ResultReader, PassesOverKeysOfLaterVersions) {
  EXPECT_EQ(complaint_after([](auto& json) {
              json["more"] = 1;
              json["cells"][0]["more"] = ordered_json::object();
              json["cells"][0]["rounds"][0]["more"] = "x";
            }),
            "");
}

TEST(ResultReader, IsNotFilledByHostileDocuments) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(complaint_of(deep),
            "is not a wirebench result: it is nested too deeply or holds too many values");
  EXPECT_EQ(complaint_of(std::string(largest_result_bytes + 1, ' ')),
            "is larger than 256 MiB; save fewer ops in a file");
}

TEST(ResultReader, LetsNoFileSteerATerminal) {
  auto made = small_result();
  made.warnings[0].cause = "a\x1b[2Jb\n\x7f";
  const auto read = read_result(report_json(made));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->warnings[0].cause, "a [2Jb  ");
}

}  // namespace
}  // namespace bench
