// `wirebench run` on its null servers, as a user or a script runs it.

#include "bench/placement.hpp"

#include "tests/integration/command.hpp"
#include "tests/integration/fake_server.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sched.h>

#include <chrono>
#include <csignal>
#include <regex>
#include <thread>

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using tests::run_wirebench;
using tests::scratch;
using tests::words;

/// What a run of `arguments` with --json prints, and that it ends well.
json cell_of(words arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--warm-up", "0.05", "--json"});
  const auto run = run_wirebench(arguments);
  EXPECT_EQ(run.code, 0) << run.err;
  const auto printed = json::parse(run.out, nullptr, false);
  EXPECT_FALSE(printed.is_discarded()) << run.out.substr(0, 200);
  return printed.is_discarded() ? json() : printed["cells"][0];
}

TEST(run, a_count_is_exact_and_so_are_calls_and_bytes) {
  const auto cell = cell_of({"select1", "--count", "2000"});
  EXPECT_EQ(cell["rung"], "run");
  EXPECT_EQ(cell["placement"], "same-cpu");
  EXPECT_EQ(cell["load"]["ops"], 2000);
  EXPECT_EQ(cell["load"]["ended_by"], "count");
  EXPECT_EQ(cell["load"]["errors"], json::array());
  EXPECT_EQ(cell["latency"]["ops"], 2000);
  EXPECT_EQ(cell["syscalls"], 2);
  EXPECT_EQ(cell["bytes_out"], 14);  // Q, its length, "SELECT 1" and a zero
  EXPECT_LE(cell["load"]["closed_loop_share"], 1);
  EXPECT_GT(cell["load"]["record_ns"], 0);
}

/// 2000 ops: ten lie above 99 % and above 99.5 %, but only two above 99.9 %, for which 8000 are missing.
TEST(run, percentiles_of_too_few_ops_are_refused_with_what_is_missing) {
  const auto cell = cell_of({"ping", "--count", "2000"});
  for (const auto& each : cell["latency"]["percentiles"]) {
    const bool refused = each["percent"] > 99.5;
    EXPECT_EQ(each["ns"].is_null(), refused) << each;
    if (each["percent"] == 99.9) {
      EXPECT_EQ(each["ops_missing"], 8000);
    }
    if (!refused) {
      EXPECT_LE(each["lo_ns"], each["ns"]);
    }
  }
}

TEST(run, every_client_runs) {
  for (const words& arguments :
       {words{"ping", "--client", "libmongoc"},
        {"insert_one", "--client", "raw"},
        {"select_param", "--client", "libpq"},
        {"lowrite_256k", "--client", "libpq"},
        {"select1", "--client", "floor"},
        {"--sql", "SELECT $1::int4", "--param", "int4:-2147483648..2147483647", "--client", "libpq"},
        {"--sql", "SELECT $1::int4", "--param", "int4:1..9", "--mode", "extended"}}) {
    auto counted = arguments;
    counted.insert(counted.end(), {"--count", "100"});
    EXPECT_EQ(cell_of(counted)["load"]["ops"], 100) << arguments.back();
  }
}

TEST(run, a_statement_of_ones_own_is_in_the_result) {
  const auto load = cell_of({"--sql", "SELECT $1::int4", "--param", "int4:1..9", "--count", "100"})["load"];
  EXPECT_EQ(load["sql"], "SELECT $1::int4");
  EXPECT_EQ(load["parameters"], json::array({"int4:1..9"}));
  EXPECT_TRUE(cell_of({"select1", "--count", "100"})["load"]["sql"].is_null());
}

TEST(run, a_mix_shares_a_connection) {
  const auto cell = cell_of({"select_param@3", "insert_row@1", "select1@1", "--count", "1000"});
  EXPECT_EQ(cell["op"], "select_param@3,insert_row@1,select1@1");
  EXPECT_EQ(cell["load"]["connects"], 1);
  EXPECT_EQ(cell["load"]["by_op"].size(), 3U);
  EXPECT_GT(cell["load"]["by_op"][0]["latency"]["ops"], cell["load"]["by_op"][1]["latency"]["ops"]);
}

TEST(run, many_connections_share_a_thread) {
  const auto load = cell_of({"select1", "--connections", "50", "--io", "epoll", "--count", "5000"})["load"];
  EXPECT_EQ(load["io"], "epoll");
  EXPECT_EQ(load["threads"], 1);
  EXPECT_EQ(load["connects"], 50);
  EXPECT_EQ(load["ops"], 5000);
  EXPECT_GT(load["ops_of_connection"]["min"], 0);
}

/// Sixteen ops in flight go out with one write and come back with one read, mostly.
TEST(run, pipelined_ops_share_system_calls) {
  for (const std::string io : {"blocking", "epoll"}) {
    const auto cell = cell_of({"select_param", "--pipeline", "16", "--io", io, "--count", "4000"});
    EXPECT_EQ(cell["load"]["ops"], 4000) << io;
    EXPECT_EQ(cell["load"]["pipeline"], 16) << io;
    if (io == "blocking") {
      EXPECT_LT(cell["syscalls"], 1);
    } else {
      EXPECT_TRUE(cell["syscalls"].is_null()) << cell["syscalls"];
    }
  }
}

TEST(run, connections_are_renewed_outside_of_the_ops) {
  const auto cell = cell_of({"ping", "--reconnect-every", "10", "--count", "100"});
  EXPECT_EQ(cell["load"]["ops"], 100);
  EXPECT_GE(cell["load"]["connects"], 10);
  EXPECT_EQ(cell["syscalls"], 2);  // of the ops alone: hello is no part of them
}

TEST(run, an_open_loop_tells_response_and_service_time) {
  const auto cell = cell_of({"ping", "--rate", "400", "--arrivals", "fixed", "--duration", "0.5"});
  const auto& schedule = cell["load"]["schedule"];
  EXPECT_EQ(schedule["response"]["ops"], cell["latency"]["ops"]);
  EXPECT_GE(schedule["response"]["mean_ns"], cell["latency"]["mean_ns"]);
  EXPECT_EQ(cell["load"]["ops"].get<int>() + schedule["never_sent"].get<int>(), 200);
}

/// Without TCP_NODELAY and in two writes, each request waits for a delayed ACK (case C38); with it none does.
TEST(run, the_forty_ms_of_a_delayed_ack_are_named) {
  const auto slow =
      run_wirebench({"run", "ping", "--nagle", "--duration", "1.5", "--warm-up", "0.3", "--json"});
  EXPECT_EQ(slow.code, 0);
  EXPECT_NE(slow.err.find("W-ACK"), std::string::npos) << slow.err;
  const auto quick = run_wirebench({"run", "ping", "--duration", "0.3", "--warm-up", "0.1", "--json"});
  EXPECT_EQ(quick.err.find("W-ACK"), std::string::npos) << quick.err;
}

TEST(run, progress_is_a_line_each_second) {
  const auto run = run_wirebench({"run", "ping", "--duration", "1.5", "--warm-up", "0", "--progress"});
  EXPECT_TRUE(std::regex_search(run.err, std::regex("progress: 1 s, [0-9]+ ops/s, p50 [0-9.-]+ us")))
      << run.err;
  const auto events =
      run_wirebench({"run", "ping", "--duration", "1.5", "--warm-up", "0", "--progress", "--json"});
  const auto event = json::parse(events.err.substr(0, events.err.find('\n')), nullptr, false);
  ASSERT_FALSE(event.is_discarded()) << events.err;
  EXPECT_EQ(event["event"], "progress");
}

TEST(run, progress_of_the_warm_up_has_no_rate) {
  const auto run =
      run_wirebench({"run", "ping", "--duration", "1.5", "--warm-up", "1.5", "--progress", "--json"});
  const auto event = json::parse(run.err.substr(0, run.err.find('\n')), nullptr, false);
  ASSERT_FALSE(event.is_discarded()) << run.err;
  EXPECT_EQ(event["warm_up"], true);
  EXPECT_TRUE(event["ops_per_s"].is_null()) << run.err;
}

TEST(run, a_saved_result_is_shown_again) {
  const scratch place;
  const auto path = place.path("/r.json");
  const auto run =
      run_wirebench({"run", "select1", "--count", "1000", "--warm-up", "0.05", "-o", path}, place);
  EXPECT_EQ(run.code, 0) << run.err;
  const auto again = run_wirebench({"report", path}, place);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out + "\n", run.out.substr(0, run.out.find("saved as")) + "\n");
}

/// A server that accepts and never answers (case C34).
TEST(run, no_op_is_no_result_and_says_so) {
  tests::fake_server silent([](const std::string&, int fd) { tests::wait_for_hang_up(fd); });
  const auto run = run_wirebench(
      {"run", "ping", "--real", silent.mongo_uri(), "--timeout", "0.3", "--duration", "1", "--json"});
  EXPECT_EQ(run.code, 1);
  const auto printed = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded()) << run.out;  // nlohmann-json refuses NaN
  const auto& cell = printed["cells"][0];
  EXPECT_EQ(cell["load"]["ops"], 0);
  EXPECT_EQ(cell["load"]["ops_per_s"], 0);
  EXPECT_TRUE(cell["latency"].is_null());
  EXPECT_TRUE(cell["median_ns"].is_null());
  ASSERT_EQ(cell["load"]["errors"].size(), 1U);
  EXPECT_EQ(cell["load"]["errors"][0]["kind"], "timeout");
}

TEST(run, ctrl_c_keeps_what_was_measured) {
  const scratch place;
  tests::command loop({tests::wirebench(), "run", "ping", "--duration", "60", "--warm-up", "0.1", "--json"},
                      place);
  std::this_thread::sleep_for(3s);
  loop.signal(SIGINT);
  const auto run = loop.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  const auto printed = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded());
  EXPECT_EQ(printed["cells"][0]["load"]["ended_by"], "stop");
  EXPECT_GT(printed["cells"][0]["load"]["ops"], 0);
  EXPECT_EQ(place.results().size(), 1U);
}

/// Several threads leave the choice of cpus to the kernel: on both sides, or the label would lie.
TEST(run, a_server_that_it_starts_is_pinned_with_its_client_alone) {
  const scratch place;
  tests::command loop({tests::wirebench(), "run", "ping", "--real", "null:1us", "--connections", "2",
                       "--duration", "60", "--warm-up", "0.1", "--json"},
                      place);
  const auto servers = loop.await_children();
  std::this_thread::sleep_for(1s);
  ASSERT_EQ(servers.size(), 1U);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  EXPECT_EQ(::sched_getaffinity(servers[0], sizeof allowed, &allowed), 0);
  EXPECT_EQ(static_cast<std::size_t>(CPU_COUNT(&allowed)), bench::allowed_cpus().size());
  loop.signal(SIGINT);
  const auto run = loop.wait();
  const auto printed = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded()) << run.err;
  EXPECT_EQ(printed["cells"][0]["placement"], "unpinned");
}

TEST(run, what_cannot_be_run_is_refused_with_one_line) {
  const std::vector<std::pair<words, std::string>> refused{
      {{}, "name an op"},
      {{"nosuch"}, "there is no op 'nosuch'"},
      {{"ping@0"}, "a weight is a whole number"},
      {{"ping", "select1"}, "a connection speaks one protocol"},
      {{"ping", "ping"}, "stands twice"},
      {{"select1", "lowrite_256k"}, "cannot be mixed"},
      {{"sql"}, "add --sql"},
      {{"--sql", "SELECT $1", "--param", "int4:9..1"}, "is no parameter"},
      {{"--sql", "SELECT $1", "--param", "int4:0..2147483648"}, "is no parameter"},
      {{"--sql", "SELECT $1", "--param", "int4:-2147483649..0"}, "is no parameter"},
      {{"select1", "--sql", "SELECT 2"},
       "the statement of --sql is the op 'sql', which is not among the ops"},
      {{"ping", "--max-tries", "3"}, "--max-tries is for PostgreSQL"},
      {{"ping", "--nagle", "--io", "uring"}, "--nagle"},
      {{"ping", "--duration", "1", "--warm-up", "5"}, "a run of 1 s is shorter than its warm-up of 5 s"},
      {{"ping", "--duration", "1", "--count", "5"}, "excludes"},
      {{"ping", "--connections", "4", "--threads", "2"}, "a thread of its own"},
      {{"ping", "--threads", "2", "--io", "epoll"}, "more threads than connections"},
      {{"ping", "--client", "libmongoc", "--io", "epoll"}, "blocks by itself"},
      {{"ping", "--client", "libpq"}, "libpq has no op 'ping'"},
      {{"ping", "--pipeline", "4"}, "--pipeline is for PostgreSQL"},
      {{"select1", "--pipeline", "4", "--rate", "10"}, "leave --rate"},
      {{"ping", "--arrivals", "fixed"}, "--rate"},
      {{"ping", "--real", "postgresql://127.0.0.1/test"}, "does not speak ping's protocol"},
  };
  for (const auto& [arguments, sentence] : refused) {
    words whole{"run"};
    whole.insert(whole.end(), arguments.begin(), arguments.end());
    const auto run = run_wirebench(whole);
    EXPECT_EQ(run.code, 2) << sentence;
    EXPECT_EQ(run.out, "") << sentence;
    EXPECT_EQ(tests::lines_of(run.err), 1U) << run.err;
    EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err;
  }
}

}  // namespace
