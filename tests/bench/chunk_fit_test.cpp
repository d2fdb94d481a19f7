#include "bench/chunk_fit.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

// 1,000 bytes at 2 ns each, and 10 ns for each chunk: 10 * 10 + 2,000, 5 * 10 + 2,000, 1 * 10 + 2,000.
TEST(ChunkFit, FindsTheLineThatPointsLieOn) {
  const std::vector<chunk_point> points{{100, 10, 1000, 2100}, {200, 5, 1000, 2050}, {1000, 1, 1000, 2010}};
  const auto fit = fit_chunks(points);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->alpha_ns, 10, 1e-6);
  EXPECT_NEAR(fit->beta_ns, 2, 1e-9);
  EXPECT_NEAR(*fit->knee_bytes(), 5, 1e-6);
  EXPECT_NEAR(fit->worst(), 0, 1e-12);
  EXPECT_EQ(fit->smallest_bytes, 100);
  EXPECT_EQ(fit->largest_bytes, 1000);
}

// By hand, u = chunks / T = 1, 1, 3/2 and v = bytes / T = 1, 1/2, 1/2:
//   uu = 17/4, uv = 9/4, vv = 3/2, sums 7/2 and 2, determinant 51/8 - 81/16 = 21/16
//   alpha = (21/4 - 9/2) / (21/16) = 4/7, beta = (17/2 - 63/8) / (21/16) = 10/21
//   1 - 22/21, 1 - 17/21, 1 - 23/21
// Least squares on the times themselves would give alpha 1/2 and beta 2/3.
TEST(ChunkFit, MinimisesRelativeErrors) {
  const std::vector<chunk_point> points{{3, 1, 1, 1}, {2, 2, 1, 2}, {1, 3, 1, 2}};
  const auto fit = fit_chunks(points);
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->alpha_ns, 4.0 / 7, 1e-12);
  EXPECT_NEAR(fit->beta_ns, 10.0 / 21, 1e-12);
  ASSERT_EQ(fit->residuals.size(), 3u);
  EXPECT_NEAR(fit->residuals[0], -1.0 / 21, 1e-12);
  EXPECT_NEAR(fit->residuals[1], 4.0 / 21, 1e-12);
  EXPECT_NEAR(fit->residuals[2], -2.0 / 21, 1e-12);
  EXPECT_NEAR(fit->worst(), 4.0 / 21, 1e-12);
  EXPECT_NEAR(*fit->knee_bytes(), 1.2, 1e-12);
}

// The fixed cost of the method's own illustration: 6.6 us per call and 0.17 ns per byte meet near 39 KB.
TEST(ChunkFit, KneeIsWhereHalfOfTheTimeIsTheChunks) {
  const chunk_fit fit{.alpha_ns = 6600, .beta_ns = 0.17};
  EXPECT_NEAR(*fit.knee_bytes(), 38'824, 1);
}

TEST(ChunkFit, HasNoKneeWhereLargerChunksCostMore) {
  const chunk_fit fit{.alpha_ns = -1, .beta_ns = 2};
  EXPECT_EQ(fit.knee_bytes(), std::nullopt);
}

TEST(ChunkFit, RefusesFewerThanThreeSizes) {
  const std::vector<chunk_point> points{{100, 10, 1000, 2100}, {100, 10, 1000, 2101}, {1000, 1, 1000, 2010}};
  const auto fit = fit_chunks(points);
  EXPECT_EQ(fit.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(fit.status().message()).find("and there are 2"), std::string::npos);
}

// A payload of one chunk, whatever its size.
TEST(ChunkFit, RefusesSizesThatMakeEqualChunks) {
  const std::vector<chunk_point> points{{100, 1, 50, 200}, {200, 1, 50, 210}, {400, 1, 50, 190}};
  EXPECT_EQ(fit_chunks(points).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace bench
