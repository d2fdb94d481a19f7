#include "bench/report_sweep.hpp"

#include "bench/compare.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

constexpr std::int64_t file_bytes = 1024 * 1024;

/// A cell that takes `ns` per file of 1 MiB, and `cpu_ns` of it.
cell moved(const std::string& strategy, std::int64_t chunk_bytes, double ns, double cpu_ns) {
  auto made = made_cell("upload/gridfs/" + strategy + "/" + std::to_string(chunk_bytes), "null",
                        strategy == "driver" ? "libmongoc" : "raw", wandering(ns, 20, 0.01));
  made.what.op = "upload";
  made.what.framing = "gridfs";
  made.what.direction = "upload";
  made.what.strategy = strategy;
  made.what.chunk_bytes = chunk_bytes;
  made.what.payload_bytes = file_bytes;
  for (auto& timed : made.rounds) {
    timed.client_cpu_ns = static_cast<std::int64_t>(cpu_ns * 10);
    timed.syscalls = 40;
    timed.copied_bytes = strategy == "fresh" ? 10 * file_bytes : 0;
    timed.round_trips = 50;
    timed.moved = traffic{.frames_out = 50, .frames_in = 50, .bytes_out = 0, .bytes_in = 0};
  }
  summarize(made);
  return made;
}

// 1 MiB at 1 ns per byte and 8,192 ns per chunk: 16, 8 and 4 chunks. Both cost the same at 8 KiB, below what was measured.
result made_sweep() {
  constexpr double bytes_ns = file_bytes, chunk_ns = 8192;
  result made;
  made.cells = {moved("gather", 65536, bytes_ns + 16 * chunk_ns, 400'000),
                moved("gather", 65536, bytes_ns + 16 * chunk_ns, 400'000),
                moved("gather", 131072, bytes_ns + 8 * chunk_ns, 300'000),
                moved("gather", 262144, bytes_ns + 4 * chunk_ns, 200'000),
                moved("fresh", 262144, 2 * bytes_ns, 800'000)};
  made.cells[1].what.id += "/again";
  made.comparisons = compare_with_first(made.cells, 0.02);
  made.context = {{"transfers", "payload walks"}};
  return made;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SweepReport, ComparesEveryRowWithTheFirst) {
  const auto made = made_sweep();
  ASSERT_EQ(made.comparisons.size(), 4u);
  EXPECT_EQ(made.comparisons[0].asks, question::aa);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(made.comparisons[i].asks, question::first_row);
    EXPECT_EQ(made.comparisons[i].a, made.cells[0].what.id);
    EXPECT_EQ(made.comparisons[i].b, made.cells[i + 1].what.id);
  }
  EXPECT_NEAR(*made.comparisons[3].ratio, 2097152.0 / 1179648, 1e-3);
}

TEST(SweepReport, FitsChunksOfOneStrategy) {
  const auto made = made_sweep();
  const auto tables = sweep_tables(made);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].size(), 4u);  // the first cell once
  const auto series = chunk_series_of(tables[0]);
  ASSERT_EQ(series.size(), 2u);
  ASSERT_TRUE(series[0].fit.ok()) << series[0].fit.status();
  EXPECT_NEAR(series[0].fit->alpha_ns, 8192, 1);
  EXPECT_NEAR(series[0].fit->beta_ns, 1, 1e-4);
  EXPECT_FALSE(series[1].fit.ok());
}

TEST(SweepReport, HoldsFitsAndBestCells) {
  const auto figures = sweep_figures_of(made_sweep());
  ASSERT_EQ(figures.fits.size(), 2u);
  EXPECT_EQ(figures.fits[0].cells,
            (std::vector<std::string>{"upload/gridfs/gather/65536", "upload/gridfs/gather/131072",
                                      "upload/gridfs/gather/262144"}));
  EXPECT_NEAR(figures.fits[0].alpha_ns.value_or(0), 8192, 1);
  EXPECT_NEAR(figures.fits[0].knee_bytes.value_or(0), 8192, 2);
  EXPECT_EQ(figures.fits[0].residuals.size(), 3u);
  EXPECT_EQ(figures.fits[0].trouble, "");
  EXPECT_FALSE(figures.fits[1].alpha_ns);
  EXPECT_NE(figures.fits[1].trouble, "");
  EXPECT_EQ(figures.best, std::vector<std::string>{"upload/gridfs/gather/262144"});
}

// 5 MiB of heap and 10 MiB in all, above what is no payload.
TEST(SweepReport, ShowsMemoryThatWasCounted) {
  auto made = made_sweep();
  EXPECT_FALSE(holds(report_sweep(made, false), "heap peak"));
  made.cells[0].counts =
      cell_counts{.live_heap_peak_bytes = 5 * file_bytes, .rss_peak_bytes = 10 * file_bytes};
  made.cells[0].counts->unknown["heap"] = "no probe";
  const auto text = report_sweep(made, false);
  EXPECT_TRUE(holds(text, "heap peak")) << text;
  EXPECT_TRUE(holds(text, "gridfs  gather      64K         5.00           -           -    10.00")) << text;
  EXPECT_TRUE(holds(text, "not counted, heap: no probe")) << text;
}

TEST(SweepReport, NamesWhatNothingBetters) {
  const auto made = made_sweep();
  EXPECT_EQ(best_of(sweep_tables(made)[0]), std::set<std::string>{"upload/gridfs/gather/262144"});
}

TEST(SweepReport, ShowsFiguresPerByte) {
  const auto text = report_sweep(made_sweep(), false);
  // 1 MiB in 1,081,344 ns is 924.8 MiB/s; 200,000 ns of CPU over 1,024 KiB; 40 calls of ten ops
  EXPECT_TRUE(holds(text, "* gridfs  gather     256K")) << text;
  EXPECT_TRUE(holds(text, "924.8 [")) << text;
  EXPECT_TRUE(holds(text, " 195.3")) << text;
  EXPECT_TRUE(holds(text, " 5/5 ")) << text;
  EXPECT_TRUE(holds(text, "no fit: a line and its residuals need 3 chunk sizes, and there are 1")) << text;
  EXPECT_TRUE(holds(text, "cost the same at 8 KiB, outside of")) << text;
  EXPECT_TRUE(holds(text, "payload walks")) << text;
}

TEST(SweepReport, SaysOnceThatThereAreTooFewSizes) {
  auto made = made_sweep();
  made.cells.erase(made.cells.begin() + 2, made.cells.begin() + 4);
  const auto text = report_sweep(made, false);
  EXPECT_TRUE(holds(text, "what a chunk costs is not known: a line")) << text;
  EXPECT_FALSE(holds(text, "no fit")) << text;
}

TEST(SweepReport, KnowsASweep) {
  EXPECT_TRUE(is_sweep(made_sweep()));
  EXPECT_FALSE(is_sweep(result{}));
}

}  // namespace
}  // namespace bench
