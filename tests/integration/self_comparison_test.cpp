// Raw against raw, stopped in its midst: repetitions that were whole count, and nothing else.

#include "tools/self_comparison.hpp"

#include "bench/placement.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t cells = 3;  // raw, raw again, raw in the driver's place

TEST(self_comparison, counts_whole_repetitions_when_stopped) {
  std::atomic<bool> stop{false};
  std::thread stopper;
  const auto tally = tools::raw_against_raw(
      1000, {.cpu = bench::default_cpu(), .seed = 1, .stop = &stop, .on_progress = [&](double) {
               if (stopper.joinable()) return;
               stopper = std::thread([&stop] {
                 std::this_thread::sleep_for(2s);  // warm-up takes 1.2 s
                 stop = true;
               });
             }});
  if (stopper.joinable()) stopper.join();
  ASSERT_TRUE(tally.ok()) << tally.status();
  EXPECT_GE(tally->repetitions, 1U);
  EXPECT_LT(tally->repetitions, 1000U);
  EXPECT_EQ(tally->log_ratios.size(), tally->repetitions);
  EXPECT_EQ(tally->rounds, tally->repetitions * tools::aa_tally::rows * cells);
}

}  // namespace
