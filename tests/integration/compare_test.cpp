// `wirebench compare` as a user or a gate runs it.

#include "tests/integration/command.hpp"
#include "tests/integration/saved_results.hpp"

#include <gtest/gtest.h>

namespace {

using nlohmann::json;
using tests::ended;
using tests::run_wirebench;
using tests::words;

/// Results before and after a change that made libmongoc slower by a fifth.
class compare : public ::testing::Test {
 protected:
  std::string save(const std::string& name, const bench::result& made) const {
    return tests::file_in(place_.path(), name, bench::report_json(made));
  }

  static ended run(words arguments) {
    arguments.insert(arguments.begin(), "compare");
    return run_wirebench(arguments);
  }

  tests::scratch place_;
  const std::string before_ = save("before.json", bench::made_result());
  const std::string after_ = save("after.json", tests::with_driver_times(1.2));
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(compare, finds_nothing_between_equal_results) {
  const auto ended =
      run({before_, save("again.json", bench::made_result()), "--fail-if", "slower:5%", "--strict"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_TRUE(has(ended.out, "unpaired")) << ended.out;
  EXPECT_TRUE(has(ended.out, "equivalent")) << ended.out;
  EXPECT_FALSE(has(ended.out, "regression")) << ended.out;
}

TEST_F(compare, gate_ends_with_3_on_a_known_regression) {
  const auto ended = run({before_, after_, "--fail-if", "slower:5%"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_TRUE(has(ended.out, "  regression: mongo.ping/driver/libmongoc is 1.200 times what it was"))
      << ended.out;
  EXPECT_EQ(run({before_, after_, "--fail-if", "slower"}).code, 3);
  EXPECT_EQ(run({before_, after_, "--fail-if", "slower:0.05", "--strict"}).code, 3);
}

TEST_F(compare, gate_lets_pass_what_is_within_its_share_or_faster) {
  EXPECT_EQ(run({before_, after_}).code, 0);
  EXPECT_EQ(run({before_, after_, "--fail-if", "slower:25%"}).code, 0);
  EXPECT_EQ(run({after_, before_, "--fail-if", "slower:5%"}).code, 0);
}

TEST_F(compare, prints_and_saves_strict_json) {
  const auto path = place_.path("/deep/comparison.json");
  const auto ended = run({before_, after_, "--json", "-o", path});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto parsed = json::parse(ended.out, nullptr, false);
  ASSERT_FALSE(parsed.is_discarded()) << ended.out;
  EXPECT_EQ(parsed["comparisons"][0]["times_ns"][4]["verdict"], "slower");
  EXPECT_EQ(tests::whole_file(path), ended.out);
}

TEST_F(compare, is_quiet_when_told) {
  const auto ended = run({before_, after_, "--fail-if", "slower:5%", "--quiet"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.out + ended.err, "");
}

TEST_F(compare, sets_every_file_beside_the_first) {
  const auto ended = run({before_, before_, after_, "--fail-if", "slower:5%"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_TRUE(has(ended.out, "before.json (after) against")) << ended.out;
  EXPECT_TRUE(has(ended.out, "after.json (after) against")) << ended.out;
}

TEST_F(compare, refuses_another_placement_unless_forced) {
  auto made = bench::made_result();
  made.cells[2].what.placement = "unpinned";
  const auto elsewhere = save("elsewhere.json", made);
  const auto refused = run({before_, elsewhere});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(tests::lines_of(refused.err), 1U) << refused.err;
  for (const auto* part : {"mongo.ping/tcp0/raw: placement same-cpu -> unpinned", "before.json", "--force"})
    EXPECT_TRUE(has(refused.err, part)) << refused.err;
  const auto forced = run({before_, elsewhere, "--force", "--fail-if", "slower:5%"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_TRUE(has(forced.out, "different-environment")) << forced.out;
  EXPECT_EQ(run({before_, elsewhere, "--force", "--strict"}).code, 4);
}

TEST_F(compare, refuses_results_without_a_common_cell) {
  auto made = bench::made_result();
  for (auto& one : made.cells) one.what.id = "other/" + one.what.id;
  made.comparisons.clear();
  const auto ended = run({before_, save("other.json", made)});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(has(ended.err, "no cell in common")) << ended.err;
}

TEST_F(compare, is_inconclusive_where_a_cell_is_missing_and_strict) {
  auto made = bench::made_result();
  made.cells.erase(made.cells.begin());
  made.comparisons = bench::compare(made.cells, 0.02);
  const auto less = save("less.json", made);
  EXPECT_EQ(run({before_, less}).code, 0);
  EXPECT_EQ(run({before_, less, "--strict"}).code, 4);
}

TEST_F(compare, names_a_file_that_it_cannot_read) {
  const auto sound = bench::report_json(bench::made_result());
  const auto newer = "{\"schema_version\":3" + sound.substr(sound.find(','));
  for (const auto& [name, text, says] :
       {std::tuple<const char*, std::string, const char*>  //
        {"empty.json", "", "is empty"},
        {"cut.json", sound.substr(0, 4711), "ends early, after byte 4711"},
        {"page.json", "<html>", "is not JSON (byte 1)"},
        {"foreign.json", "{\"context\":{},\"benchmarks\":[]}", "tool is missing"},
        {"newer.json", newer, "newer wirebench: schema 3, this one reads up to 1"}}) {
    const auto ended = run({before_, tests::file_in(place_.path(), name, text)});
    EXPECT_EQ(ended.code, 5) << ended.err;
    EXPECT_EQ(tests::lines_of(ended.err), 1U) << ended.err;
    EXPECT_TRUE(has(ended.err, name) && has(ended.err, says)) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

TEST_F(compare, refuses_what_it_does_not_understand) {
  for (const auto& [arguments, says] : {std::pair<words, const char*>{{before_}, "2 required"},
                                        {{before_, place_.path("/none.json")}, "No such file"},
                                        {{before_, place_.path()}, "Is a directory"},
                                        {{before_, after_, "--fail-if", "slow:5%"}, "'slow:5%'"},
                                        {{before_, after_, "--fail-if", "slower:5x"}, "'slower:5x'"},
                                        {{before_, after_, "--delta", "2"}, "'2'"}}) {
    const auto ended = run(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_EQ(tests::lines_of(ended.err), 1U) << ended.err;
    EXPECT_TRUE(has(ended.err, says)) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
