#include "bench/report_counts.hpp"

#include "tests/bench/made_result.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

std::vector<const cell*> pointers(const result& made) {
  std::vector<const cell*> all;
  for (const auto& one : made.cells) all.push_back(&one);
  return all;
}

/// Floor, mem, raw, raw again, libmongoc; counts for raw and libmongoc.
result counted_result() {
  auto made = made_result();
  cell_counts raw{.instructions = 1'300.25,
                  .instructions_by = "callgrind",
                  .allocations = 0,
                  .allocated_bytes = 0,
                  .live_heap_peak_bytes = 0,
                  .heap_growth_bytes = 0,
                  .payload_copies_bytes = 400,
                  .syscalls_by_kind = {{{"recvfrom", 1}, {"sendmsg", 1}}},
                  .rss_peak_bytes = 14'500'000};
  made.cells[2].counts = made.cells[3].counts = raw;
  made.cells[4].counts = {.instructions = 26'005,
                          .instructions_by = "callgrind",
                          .allocations = 12.5,
                          .allocated_bytes = 4'096,
                          .live_heap_peak_bytes = 2'048,
                          .heap_growth_bytes = -16,
                          .syscalls_by_kind = {{{"poll", 2}, {"recvfrom", 1}, {"sendmsg", 1}}},
                          .unknown = {{"memory", "it ended with signal 9"}}};
  return made;
}

TEST(CountsTable, IsNotThereWhenNothingWasCounted) {
  EXPECT_EQ(counts_table(pointers(made_result())), "");
}

TEST(CountsTable, HasALinePerCountedCell) {
  const auto text = counts_table(pointers(counted_result()));
  EXPECT_NE(text.find("tcp0   raw              1300       0         0     400         0        0  14.50  "
                      "1 recvfrom, 1 sendmsg\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("driver libmongoc       26005   12.50      4096       -      2048      -16      -  "
                      "2 poll, 1 recvfrom, 1 sendmsg\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("tcp0   raw"), text.rfind("tcp0   raw")) << "raw again is the same";
}

TEST(CountsTable, SetsRawBesideTheDriver) {  // 1300.25 / 26005 = 0.05
  const auto text = counts_table(pointers(counted_result()));
  EXPECT_NE(
      text.find(
          "raw executes 1300 instructions per op in user space, 0.050 times libmongoc's 26005 (callgrind)"),
      std::string::npos)
      << text;
}

TEST(CountsTable, GivesEachReasonOnce) {
  auto made = counted_result();
  made.cells[2].counts->unknown = made.cells[4].counts->unknown;
  const auto text = counts_table(pointers(made));
  const auto reason = text.find("not counted, memory: it ended with signal 9");
  EXPECT_NE(reason, std::string::npos) << text;
  EXPECT_EQ(text.find("not counted", reason + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace bench
