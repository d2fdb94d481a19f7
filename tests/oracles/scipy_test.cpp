// The statistics against SciPy's.

#include "bench/mann_whitney.hpp"
#include "bench/ministat.hpp"
#include "bench/percentiles.hpp"
#include "bench/statistics.hpp"
#include "bench/steadiness.hpp"

#include "tests/oracles/questions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tests {
namespace {

nlohmann::json ask_scipy(const nlohmann::json& questions) {
  auto answers = ask("scipy_answers.py", {"scipy==1.13.1", "numpy==1.26.4"}, questions);
  EXPECT_EQ(answers.size(), questions.size());
  return answers.size() == questions.size() ? answers : nlohmann::json();
}

TEST(Scipy, AgreesOnMannWhitney) {
  fixtures::random_source random(11);
  std::vector<bench::mann_whitney> ours;
  auto questions = nlohmann::json::array();
  int exact = 0, corrected = 0;
  for (std::size_t n1 = 4; n1 <= 40; n1 += 3) {
    for (std::size_t n2 = 4; n2 <= 40; n2 += 4) {
      for (const double steps : {0.0, 4.0}) {
        const auto a = skewed(random, n1, 0, steps), b = skewed(random, n2, 60, steps);
        ours.push_back(bench::mann_whitney_test(a, b));
        (ours.back().exact ? exact : corrected) += 1;
        questions.push_back({{"of", "mann_whitney"}, {"a", a}, {"b", b}, {"exact", ours.back().exact}});
      }
    }
  }
  EXPECT_GT(exact, 20);
  EXPECT_GT(corrected, 100);
  const auto answers = ask_scipy(questions);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(ours[i].u, answers[i][0].get<double>()) << questions[i];
    const auto p = answers[i][1].get<double>();
    EXPECT_NEAR(ours[i].p, p, 1e-9 * p) << questions[i];
  }
}

TEST(Scipy, AgreesOnTheSignInterval) {
  auto questions = nlohmann::json::array();
  std::vector<std::optional<std::size_t>> ours;
  for (const std::size_t m : {1, 5, 20}) {
    for (std::size_t n = 2; n < 400; n += n < 30 ? 1 : 37) {
      ours.push_back(bench::sign_rank(n, m));
      questions.push_back({{"of", "quantile_ranks"},
                           {"n", n},
                           {"p", 0.5},
                           {"level", 1 - bench::alpha / static_cast<double>(m)}});
    }
  }
  const auto answers = ask_scipy(questions);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto n = questions[i]["n"].get<std::size_t>();
    if (ours[i]) {
      EXPECT_EQ(answers[i], nlohmann::json({*ours[i], n - *ours[i] + 1})) << questions[i];
    } else {
      EXPECT_TRUE(answers[i][0].is_null()) << questions[i];
    }
  }
}

TEST(Scipy, AgreesOnTheRanksOfPercentiles) {
  auto questions = nlohmann::json::array();
  std::vector<std::optional<bench::rank_range>> ours;
  for (const std::uint32_t p_ppm : {10'000, 500'000, 900'000, 990'000, 999'000}) {
    for (const std::uint64_t n : {3, 20, 100, 367, 368, 1'000, 10'000, 50'001}) {
      ours.push_back(bench::percentile_ranks(n, p_ppm));
      questions.push_back(
          {{"of", "quantile_ranks"}, {"n", n}, {"p", p_ppm / 1e6}, {"level", 1 - bench::alpha}});
    }
  }
  const auto answers = ask_scipy(questions);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (ours[i]) {
      EXPECT_EQ(answers[i], nlohmann::json({ours[i]->lower, ours[i]->upper})) << questions[i];
    } else {
      EXPECT_TRUE(answers[i][0].is_null() || answers[i][1].is_null()) << questions[i];
    }
  }
}

TEST(Scipy, AgreesOnSpearmanAndTheHalfWidthOfStudent) {
  fixtures::random_source random(12);
  auto questions = nlohmann::json::array();
  std::vector<double> ours;
  for (const std::size_t n : {3, 5, 12, 60, 300}) {
    for (const double steps : {0.0, 2.0}) {
      const auto a = skewed(random, n, 0, steps), b = skewed(random, n, 50, steps);
      ours.push_back(bench::spearman(a, b));
      questions.push_back({{"of", "spearman"}, {"a", a}, {"b", b}});
      ours.push_back(bench::compare_as_ministat(a, b)->plus_minus);
      questions.push_back({{"of", "half_width"}, {"a", a}, {"b", b}});
    }
  }
  const auto answers = ask_scipy(questions);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_NEAR(ours[i], answers[i].get<double>(), 1e-9 * std::abs(ours[i]) + 1e-12) << questions[i];
  }
}

}  // namespace
}  // namespace tests
