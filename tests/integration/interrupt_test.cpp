// Ctrl-C: what was measured is printed and saved, and nothing stays behind.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <regex>
#include <thread>

namespace {

using namespace std::chrono_literals;

bool is_gone(pid_t pid) {
  for (int i = 0; i < 250; ++i) {
    if (::kill(pid, 0) != 0) return true;
    std::this_thread::sleep_for(20ms);
  }
  return false;
}

tests::words endless_ladder() {
  return {tests::wirebench(), "ladder", "--op", "ping", "--budget", "60", "--json"};
}

void expect_partial_result(int number) {
  const tests::scratch place;
  tests::command ladder(endless_ladder(), place);
  const auto peers = ladder.await_children();
  ASSERT_FALSE(peers.empty());
  EXPECT_FALSE(std::filesystem::is_empty(place.path("/tmp")));  // the peers' sockets
  std::this_thread::sleep_for(4s);                              // warm-up takes 1.2 s
  ladder.signal(number);
  const auto run = ladder.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  const auto printed = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded());
  EXPECT_FALSE(printed["cells"][0]["rounds"].empty());
  ASSERT_EQ(place.results().size(), 1U);
  EXPECT_TRUE(tests::whole_file(place.results().front()) == run.out)
      << "the file does not hold what was printed";
  EXPECT_EQ(tests::without_warnings(run.err), "saved as " + place.results().front() + "\n");
  for (const auto peer : peers) EXPECT_TRUE(is_gone(peer)) << peer;
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp")));
}

TEST(interrupt, sigint_keeps_what_was_measured) {
  expect_partial_result(SIGINT);
}

TEST(interrupt, sigterm_keeps_what_was_measured) {
  expect_partial_result(SIGTERM);
}

TEST(interrupt, before_anything_was_measured) {
  const tests::scratch place;
  tests::command ladder(endless_ladder(), place);
  const auto peers = ladder.await_children();
  ASSERT_FALSE(peers.empty());
  ladder.signal(SIGINT);
  const auto run = ladder.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(place.results().empty());
  for (const auto peer : peers) EXPECT_TRUE(is_gone(peer)) << peer;
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp")));
}

/// What doctor has printed when it is told to stop soon after its start. timeout(1) tells it twice.
tests::ended stopped_doctor(tests::words more, int number, const tests::scratch& place) {
  more.insert(more.begin(), {tests::wirebench(), "doctor", "--aa", "1000"});
  tests::command doctor(more, place);
  EXPECT_FALSE(doctor.await_children().empty());
  doctor.signal(number);
  std::this_thread::sleep_for(50ms);
  doctor.signal(number);
  return doctor.wait();
}

TEST(interrupt, doctor_tells_what_it_has_examined) {
  const auto run = stopped_doctor({}, SIGINT, {});
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_NE(run.out.find("\nclock "), std::string::npos) << run.out;
  EXPECT_TRUE(std::regex_search(run.out, std::regex(R"(\nraw against raw +(none|\d+) of 1000 )"))) << run.out;
  EXPECT_NE(run.out.find("\nstopped: "), std::string::npos) << run.out;
}

TEST(interrupt, doctor_saves_what_it_has_examined) {
  const tests::scratch place;
  const auto file = place.path("/findings.json");
  const auto run = stopped_doctor({"--json", "-o", file}, SIGTERM, place);
  EXPECT_EQ(run.code, 130) << run.err;
  const auto printed = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded()) << run.out;
  EXPECT_TRUE(printed["fit"].is_null());
  EXPECT_TRUE(printed["clock"]["resolution_ns"].is_number());
  EXPECT_EQ(printed["aa"]["asked_for"], 1000);
  EXPECT_LT(printed["aa"]["repetitions"], 1000);
  EXPECT_EQ(tests::whole_file(file), run.out);
}

/// The program cannot clean up after itself here: its peers must notice.
TEST(interrupt, peers_go_with_a_program_that_is_killed) {
  const tests::scratch place;
  tests::command ladder(endless_ladder(), place);
  const auto peers = ladder.await_children();
  ASSERT_FALSE(peers.empty());
  ladder.signal(SIGKILL);
  EXPECT_EQ(ladder.wait().code, 128 + SIGKILL);
  for (const auto peer : peers) EXPECT_TRUE(is_gone(peer)) << peer;
  EXPECT_TRUE(std::filesystem::is_empty(place.path("/tmp")));
}

/// A name left behind would make libmongoc print a warning in a later program with the same pid.
TEST(interrupt, a_killed_program_leaves_no_name_in_shared_memory) {
  const tests::scratch place;
  tests::command ladder(endless_ladder(), place);
  const auto name = "/dev/shm/mongoc-" + std::to_string(ladder.pid());
  ASSERT_FALSE(ladder.await_children().empty());
  ladder.signal(SIGKILL);
  ladder.wait();
  EXPECT_FALSE(std::filesystem::exists(name));
}

}  // namespace
