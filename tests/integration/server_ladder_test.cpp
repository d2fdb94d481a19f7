// `wirebench ladder --real`: whose time an op's time is. Bounds are wide: a busy machine shifts every time that is measured;
// what the null server's own stamps say it does not shift down.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace {

using nlohmann::json;
using tests::run_wirebench;
using tests::words;

/// One op, as JSON. A busy machine gets a second chance with a budget that its warm-up fits in.
json measured(const words& arguments) {
  const tests::scratch place;
  // PostgreSQL does not run as root, and its directory must be reached by whom it runs as.
  std::filesystem::permissions(place.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(place.path("/tmp"), std::filesystem::perms(0755));
  tests::ended run;
  for (const auto* budget : {"7", "40"}) {
    auto all = arguments;
    for (const auto* word : {"--json", "--budget", budget}) all.emplace_back(word);
    run = run_wirebench(all, place);
    if (run.code == 0) break;
  }
  EXPECT_EQ(run.code, 0) << run.err;
  const auto report = json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << run.err;
  return report;
}

std::vector<json> cells_on(const json& report, const std::string& rung) {
  std::vector<json> found;
  for (const auto& cell : report["cells"]) {
    if (cell["rung"] == rung) found.push_back(cell);
  }
  return found;
}

bool asks(const json& report, const std::string& question) {
  const auto& pairs = report["comparisons"];
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const json& pair) { return pair["question"] == question; });
}

TEST(ladder_with_server, finds_the_time_of_a_null_server_again) {
  const auto report = measured({"ladder", "--op", "ping", "--rung", "tcp0,driver,tcpD,real,reals",
                                "--service-time", "50us,100us", "--real", "null:70us"});
  ASSERT_EQ(report["closure"].size(), 1U);
  const auto& closure = report["closure"][0];
  EXPECT_EQ(closure["cell"], "ping/real/raw");
  EXPECT_EQ(closure["told_by"], "the null server's own stamps");
  EXPECT_GE(closure["server_lo_ns"]["value"], 70'000.0);  // it never takes less
  const auto& calibration = closure["calibration"];
  if (calibration["server_ns"].is_object()) {
    EXPECT_GE(calibration["server_ns"]["value"], 0.0);  // a busy machine hides 70 us
    EXPECT_LT(calibration["server_ns"]["value"], 4'000'000.0);
    EXPECT_TRUE(calibration["round_trips"].is_object());
  } else {  // or puts the real server beyond every point
    EXPECT_TRUE(calibration["trouble"].is_string());
    EXPECT_FALSE(closure["closed"]);
  }
  EXPECT_GE(closure["calibration"]["points"].size(), 3U);  // 0, two that were named, and near the target
  EXPECT_GE(closure["server_hi_ns"]["value"], 70'000.0);   // the client waited at least so long
  for (const auto* part : {"stages_ns", "stages_cpu_ns"}) {
    for (const auto* stage : {"encode", "send", "wait", "recv", "decode"})
      EXPECT_GE(closure[part][stage], 0.0) << part << stage;
  }
  EXPECT_TRUE(closure["closed"].is_boolean());
  EXPECT_EQ(closure["closed"].get<bool>(), closure["reasons"].empty());

  EXPECT_EQ(cells_on(report, "real")[0]["peer"], "null+70us");
  for (const auto& cell : cells_on(report, "tcpD")) {
    if (cell["client"] != "raw") continue;  // libmongoc asks the server how it is now and then
    EXPECT_EQ(cell["delay_mode"], "spin");
    const std::int64_t wanted = cell["service_time_ns"];
    for (const auto& round : cell["rounds"]) {
      EXPECT_EQ(round["delayed_requests"], round["ops"]) << cell["id"];  // in rounds alone, each request once
      EXPECT_GE(round["delayed_ns"], round["ops"].get<std::int64_t>() * wanted);
    }
  }
  for (const auto& cell : cells_on(report, "tcp0")) {
    for (const auto& round : cell["rounds"]) EXPECT_EQ(round["delayed_requests"], 0) << cell["id"];
  }
  for (const auto* question : {"server", "overhead", "interaction"})
    EXPECT_TRUE(asks(report, question)) << question;
}

TEST(ladder_with_server, treats_a_service_time_as_unknown_without_one) {
  const auto report = measured(
      {"ladder", "--op", "select1", "--rung", "tcp0,tcpDs,tcpD", "--service-time", "60us,80us,120us"});
  ASSERT_EQ(report["closure"].size(), 1U);
  EXPECT_EQ(report["closure"][0]["cell"], "select1/tcpD/80us/raw");
  EXPECT_GE(report["closure"][0]["server_lo_ns"]["value"], 80'000.0);
  for (const auto& cell : cells_on(report, "tcpDs")) {
    for (const auto& round : cell["rounds"]) {
      const auto& stages = round["stages"];
      EXPECT_EQ(stages["windows"], round["ops"]);
      EXPECT_EQ(stages["send"]["intervals"], round["ops"]);  // one write and one read each
      EXPECT_EQ(stages["recv"]["intervals"], 0);
    }
  }
}

TEST(ladder_with_server, asks_postgresql_for_its_own_time) {
  const auto report = measured({"ladder", "--op", "select_param", "--rung", "tcp0,tcpD,real,reals,realt",
                                "--service-time", "50us,100us", "--real", "pg"});
  ASSERT_EQ(report["closure"].size(), 1U);
  const auto& closure = report["closure"][0];
  EXPECT_EQ(closure["told_by"].get<std::string>().substr(0, 13), "log_duration:") << closure["told_by"];
  ASSERT_TRUE(closure["server_lo_ns"].is_object());
  EXPECT_LT(closure["server_lo_ns"]["value"], closure["total_ns"]["value"]);
  const auto told = cells_on(report, "realt");
  ASSERT_EQ(told.size(), 1U);
  for (const auto& round : told[0]["rounds"]) EXPECT_GT(round["server_told_ns"], 0);
}

TEST(ladder_with_server, strict_tells_by_its_exit_code) {
  // No service time is long enough for a slope, so nothing can be attributed.
  const words arguments{"ladder",         "--op",        "ping",     "--rung", "tcp0,tcpD",
                        "--service-time", "1us,2us,3us", "--budget", "3",      "--quiet"};
  auto strict = arguments;
  strict.emplace_back("--strict");
  const auto lenient = run_wirebench(arguments);
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_NE(lenient.out.find("attribution NOT closed"), std::string::npos) << lenient.out;
  EXPECT_EQ(run_wirebench(strict).code, 4);
}

TEST(ladder_with_server, refuses_what_makes_no_sense) {
  const auto refuses = [](const words& arguments, const std::string& because) {
    const auto run = run_wirebench(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
    EXPECT_NE(run.err.find(because), std::string::npos) << run.err;
  };
  refuses({"ladder", "--real", "null:fast"}, "null:200us");
  refuses({"ladder", "--real", "null:5s"}, "null:200us");
  refuses({"ladder", "--rung", "noop"}, "--real");
  refuses({"ladder", "--rung", "reals"}, "--real");
  refuses({"ladder", "--rung", "tcp0", "--real", "pg"}, "--rung");
  refuses({"ladder", "--service-time", "200"}, "200us");
  refuses({"ladder", "--service-time", "0us"}, "200us");
  refuses({"ladder", "--delay-mode", "doze"}, "spin");
}

}  // namespace
