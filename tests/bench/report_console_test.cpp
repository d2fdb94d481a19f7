#include "bench/report_console.hpp"

#include "tests/bench/made_result.hpp"
#include "tests/support/text.hpp"

#include <gtest/gtest.h>

#include <regex.h>

#include <algorithm>

namespace bench {
namespace {

using tests::split_lines;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// Position of the first match of an extended POSIX pattern; npos with a failure when there is none. (GCC 12
/// warns of std::regex itself under the address sanitizer.)
std::size_t find(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  EXPECT_EQ(regcomp(&compiled, replaced(pattern, "\\n", "\n").c_str(), REG_EXTENDED | REG_NEWLINE), 0)
      << pattern;
  regmatch_t match;
  const bool found = regexec(&compiled, text.c_str(), 1, &match, 0) == 0;
  regfree(&compiled);
  if (found) return static_cast<std::size_t>(match.rm_so);
  ADD_FAILURE() << "no match for " << pattern << " in\n" << text;
  return std::string::npos;
}

const char* const interval = R"(\[\S+, \S+\])";

TEST(ConsoleReport, KeepsTheOrderOfTheMethod) {
  const auto text = report_console(made_result(), false);
  const std::vector<std::size_t> order{
      find(text, "W-LOAD load 3.10 on 2 cpus: other programs run; stop them"),
      find(text, "mongo.ping against null"),
      find(text, R"(same-cpu on cpu 1, closed loop, 200 rows x 10 ops, ended by budget after 9\.[0-9] s)"),
      find(text, "W-STEAL 3.1 % of the time"),
      find(text, "rung +client +peer"),
      find(text, "single 95 % intervals"),
      find(text, "unequal work per op, bytes sent: 94 by libmongoc, 58 by raw\n"),
      find(text, "limited by client CPU:"),
      find(text, "libmongoc adds"),
  };
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(ConsoleReport, ShowsEveryCellWithBothCpusAndItsCounts) {
  const auto text = report_console(made_result(), false);
  find(text,
       std::string(R"(tcp0 +raw +null +tcp +7\.00 +)") + interval + R"( +3\.30 +3\.40 +1/1 +58/45 +2\n)");
  find(text, R"(mem +raw .* 0\.69 +- +1/1 +58/45 +0\n)");                // its server is this thread
  find(text, R"(driver +libmongoc .* 10\.00 +3\.50 +1/1 +94/45 +-\n)");  // whose system calls cannot be known
}

TEST(ConsoleReport, ShowsOverheadInThreeUnitsEachWithItsInterval) {
  const auto text = report_console(made_result(), false);
  const std::string with_interval = std::string(" ") + interval + " +";
  find(text, R"(libmongoc over raw +\+7\.00)" + with_interval + R"(2\.000)" + with_interval + R"(1\.06)" +
                 with_interval + "slower\n");
  find(text, R"(raw again over raw .* equivalent\n)");
  find(text, R"(raw over floor .* slower\n)");
}

TEST(ConsoleReport, EndsWithTheSentenceThatPeopleQuote) {
  const auto text =
      replaced(report_console(made_result(), false), "\n    ", " ");  // it may be broken anywhere
  find(text, R"(libmongoc adds 7\.00 us \[\S+, \S+\] to mongo\.ping, 2\.000 \[\S+, \S+\] times raw, )"
             R"(1\.06 \[\S+, \S+\] floor units; 200 rows x 10 ops, one layout, interleaved, same-cpu\n\n$)");
}

TEST(ConsoleReport, SaysWhenAnIntervalIsOverConnectionSets) {
  auto made = made_result();
  made.comparisons.back().by_connection_set = true;  // 200 rows: 12 sets of 16, and one of 8
  const auto text = replaced(report_console(made, false), "\n    ", " ");
  find(text, "; 200 rows x 10 ops, interval over 13 connection sets, one layout, interleaved, same-cpu\n");
}

TEST(ConsoleReport, TakesThePlacementFromTheCells) {
  auto made = made_result();
  made.cells.back().what.placement = "unpinned";
  auto text = replaced(report_console(made, false), "\n    ", " ");
  find(text, "  same-cpu and unpinned on cpu 1, ");
  find(text, "interleaved, same-cpu and unpinned\n");
  for (auto& one : made.cells) one.what.placement = "unpinned";
  text = replaced(report_console(made, false), "\n    ", " ");
  find(text, "  unpinned on cpu 1, ");
  find(text, "interleaved, unpinned\n");
}

TEST(ConsoleReport, CutsNoTitle) {
  auto made = made_result();
  for (auto& one : made.cells) {
    if (one.what.client == "libmongoc") one.what.rung = "real";
  }
  find(report_console(made, false), "libmongoc over raw, real +\\+7\\.00 ");
}

TEST(ConsoleReport, NamesTheLimiterWhereOneSideHasMostOfTheTime) {
  const auto text = report_console(made_result(), false);
  find(text, R"(limited by client CPU: mem raw \(99 %\), driver libmongoc \(71 %\)\n)");
  find(text, R"(limited by server CPU: floor floor \(52 %\)\n)");
}

TEST(ConsoleReport, DoesNotClaimWhatIsInconclusiveOrEquivalent) {
  auto made = made_result();
  made.comparisons.back().says = verdict::inconclusive;
  find(report_console(made, false), "  inconclusive: libmongoc adds");
  made.comparisons.back().says = verdict::equivalent;
  find(report_console(made, false), "  equivalent within 2 %: libmongoc adds");
}

TEST(ConsoleReport, SaysWhenTheClockIsTooCoarse) {
  auto made = made_result();
  made.comparisons.front().tied = 150;
  find(report_console(made, false), "raw again over raw: below clock resolution in 150 of 200 rows\n");
}

TEST(ConsoleReport, FitsIntoItsColumns) {
  auto made = made_result();
  made.warnings.push_back({"W-LONG", std::string(60, 'n'), std::string(70, 'c'), std::string(80, 'r'), ""});
  made.plan.ops[0].failure =
      "mongo.ping/driver/libmongoc: " + std::string(90, 'f') + " and that is why it failed";
  for (auto& one : made.cells) {
    one.what.peer = "PostgreSQL 15.20 (Debian 15.20-0+deb12u1)";
    one.per_op.median_ns = 123'456'789;
    one.per_op.lo_ns = 123'000'000;
    one.per_op.hi_ns = 124'000'000;
    one.per_op.bytes_out = one.per_op.bytes_in = 262'144;
  }
  for (const auto& line : split_lines(report_console(made, false))) EXPECT_LE(line.size(), 110u) << line;
}

// Case C34: no op completed, nothing is NaN, "inf" or a made-up zero.
TEST(ConsoleReport, ShowsDashesWhereNothingWasMeasured) {
  auto made = unmeasured_result();
  auto& op = made.plan.ops[0];
  op.rows = 0;
  op.groups.clear();
  op.reason = ended_by::failure;
  op.failure = "mongo.ping/tcp0/raw: no answer in 1 s";
  const auto text = report_console(made, false);
  find(text, "0 rows x 0 ops, ended by failure");
  find(text, "failed: mongo.ping/tcp0/raw: no answer in 1 s\n");
  find(text, R"(tcp0 +raw +null +tcp +-  \[-\] +- +- +-/- +-/- +-\n)");
  find(text, R"(libmongoc over raw +- +- +- +inconclusive\n)");
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("adds"), std::string::npos);
}

TEST(ConsoleReport, UsesColourOnlyWhenTold) {
  const auto made = made_result();
  EXPECT_EQ(report_console(made, false).find('\x1b'), std::string::npos);
  auto coloured = report_console(made, true);
  EXPECT_NE(coloured.find("\x1b[31mslower\x1b[0m"), std::string::npos);
  for (const char* code : {"\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m"})
    coloured = replaced(coloured, code, "");
  EXPECT_EQ(coloured, report_console(made, false));
}

TEST(ConsoleReport, SaysWhoseTimeItIsAndWhetherThatAddsUp) {
  auto made = made_result();
  const auto about = [](double ns) { return bench::estimate{ns, bench::interval{ns - 100, ns + 100, 0.95}}; };
  made.attributions.push_back({.op = "mongo.ping",
                               .cell = "mongo.ping/tcp0/raw",
                               .total_ns = about(67'400),
                               .calibrated = calibration{.client_ns = about(7'000),
                                                         .points = {},
                                                         .slope = about(1),
                                                         .service_ns = about(60'000),
                                                         .server_ns = about(60'000),
                                                         .waiting_ns = about(400),
                                                         .trouble = ""},
                               .server_lo_ns = about(54'000),
                               .server_hi_ns = about(66'600),
                               .told_by = "log_duration",
                               .stages_ns = stage_figures{300, 2'000, 64'600, 0, 500},
                               .stages_cpu_ns = stage_figures{300, 1'500, 1'200, 0, 500},
                               .residual_ns = about(0),
                               .client_cpu_ns = 3'500,
                               .judged = {.closed = true, .unexplained_ns = 10},
                               .biases = {"loopback: send also runs the receiver's TCP input"}});
  auto closed = report_console(made, false);
  for (auto at = closed.find("\n  "); at != std::string::npos; at = closed.find("\n  ", at)) {
    closed.replace(at, closed.find_first_not_of(' ', at + 1) - at, " ");  // paragraphs are broken anywhere
  }
  for (const auto* line :
       {"client and kernel 7.00 [6.90, 7.10], really waiting 0.40 [0.30, 0.50], server 60.00 [59.90, 60.10]",
        "the server tells 54.00 [53.90, 54.10] us at least (log_duration)", "the client waited 66.60",
        "stages, us: encode 0.30, send 2.00, wait 64.60, recv 0.00, decode 0.50", " attribution closed\n"}) {
    EXPECT_NE(closed.find(line), std::string::npos) << line << closed;
  }
  made.attributions[0].judged = {.closed = false,
                                 .unexplained_ns = 3'100,
                                 .unexplained_share = 0.042,
                                 .reasons = {"the op takes 3.1 us longer than its stages"}};
  const auto open = report_console(made, false);
  EXPECT_NE(open.find("open: the op takes 3.1 us longer than its stages"), std::string::npos) << open;
  EXPECT_NE(open.find("attribution NOT closed: 3.10 us (4.2 %) unexplained\n"), std::string::npos) << open;
}

}  // namespace
}  // namespace bench
