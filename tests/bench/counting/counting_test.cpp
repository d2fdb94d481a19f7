#include "bench/counting/callgrind.hpp"
#include "bench/counting/pass.hpp"
#include "bench/counting/perf_counter.hpp"
#include "bench/counting/self_count.hpp"
#include "bench/counting/subprocess.hpp"
#include "bench/counting/syscalls.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <signal.h>
#include <unistd.h>

namespace bench::counting {
namespace {

TEST(Subprocess, GivesWhatWasWritten) {
  auto run = subprocess::start({"/bin/sh", "-c", "echo out; echo $MINE >&2"}, {"MINE=err"});
  ASSERT_TRUE(run.ok()) << run.status();
  const auto output = run->wait();
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(*output, "out\nerr\n");
}

TEST(Subprocess, QuotesAFailure) {
  auto run = subprocess::start({"/bin/sh", "-c", "echo good morning; echo no luck; exit 3"});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->wait().status().message(), "/bin/sh ended with exit code 3: no luck");
  auto missing = subprocess::start({"/nowhere/at-all"});
  ASSERT_TRUE(missing.ok()) << missing.status();
  EXPECT_EQ(missing->wait().status().message(), "/nowhere/at-all ended with exit code 127: it wrote nothing");
}

TEST(Subprocess, IsKilledWithItsHandle) {
  pid_t pid = 0;
  {
    auto run = subprocess::start({"/bin/sleep", "1000"});
    ASSERT_TRUE(run.ok()) << run.status();
    pid = run->pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

words copy_of_zeros(std::uint64_t blocks) {
  return {"/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=" + std::to_string(blocks)};
}

TEST(Syscalls, AreCountedByKind) {
  const auto few = count_syscalls(copy_of_zeros(10));
  if (few.status().code() == absl::StatusCode::kFailedPrecondition) GTEST_SKIP() << few.status();
  ASSERT_TRUE(few.ok()) << few.status();
  const auto many = count_syscalls(copy_of_zeros(35));
  ASSERT_TRUE(many.ok()) << many.status();
  EXPECT_EQ(many->at("read") - few->at("read"), 25u);
  EXPECT_EQ(many->at("write") - few->at("write"), 25u);
  auto others = *many;
  others["read"] = few->at("read");
  others["write"] = few->at("write");
  EXPECT_EQ(others, *few);
}

TEST(Syscalls, OfForkedProcessesAreNotCounted) {
  const auto counts =
      count_syscalls({"/bin/sh", "-c", "/bin/dd if=/dev/zero of=/dev/null bs=1 count=500; :"});
  if (counts.status().code() == absl::StatusCode::kFailedPrecondition) GTEST_SKIP() << counts.status();
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_LT(counts->at("read"), 100u);
}

TEST(Syscalls, OfAFailedProgramAreAnError) {
  const auto counts = count_syscalls({"/bin/sh", "-c", "exit 3"});
  EXPECT_FALSE(counts.ok());
}

TEST(Syscalls, HaveTheNamesOfTheManual) {
  EXPECT_EQ(syscall_name(0), "read");
  EXPECT_EQ(syscall_name(99'999), "syscall 99999");
}

TEST(Callgrind, TellsItsTotal) {
  EXPECT_EQ(
      callgrind_total_in("# callgrind format\nevents: Ir\nsummary: 17\n\nfn=(1)\n0 17\n\ntotals: 58563179\n"),
      58'563'179u);
  EXPECT_EQ(callgrind_total_in("events: Ir\n"), std::nullopt);
  EXPECT_EQ(callgrind_total_in("\ntotals: x\n"), std::nullopt);
}

TEST(PerfCounter, CountsWhatTheKernelCanCount) {
  auto faults = perf_counter::page_faults();
  if (!faults.missing().empty()) GTEST_SKIP() << faults.missing();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto* const fresh = static_cast<char*>(
      ::mmap(nullptr, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(fresh, MAP_FAILED);
  ::madvise(fresh, 8 * page, MADV_NOHUGEPAGE);
  const auto before = faults.read();
  for (std::size_t i = 0; i < 8; ++i) static_cast<volatile char*>(fresh)[i * page] = 1;
  const auto after = faults.read();
  ::munmap(fresh, 8 * page);
  ASSERT_TRUE(before && after);
  EXPECT_GE(*after - *before, 8);
}

TEST(PerfCounter, SaysWhyItCountsNothing) {
  const auto instructions = perf_counter::user_instructions();
  EXPECT_EQ(instructions.missing().empty(), instructions.read().has_value());
}

TEST(SelfCounts, AreReadBackFromTheirText) {
  const self_counts all{.ops = 16,
                        .instructions = 20'800,
                        .heap = heap_counts{48, 4'096, 512, -32},
                        .payload_copies_bytes = 6'400,
                        .rss_peak_bytes = 14'500'000};
  EXPECT_EQ(to_text(all),
            "ops 16\ninstructions 20800\nallocations 48\nallocated_bytes 4096\nlive_heap_peak_bytes 512\n"
            "heap_growth_bytes -32\npayload_copies_bytes 6400\nrss_peak_bytes 14500000\n");
  EXPECT_EQ(to_text(self_counts_in(to_text(all))), to_text(all));
  EXPECT_EQ(to_text(self_counts_in("ops 7\n")), "ops 7\n");
}

TEST(PeakRss, IsTheHighWaterMark) {
  EXPECT_EQ(peak_rss_bytes_in("Name:\twirebench\nVmPeak:\t  999 kB\nVmHWM:\t   14160 kB\nVmRSS:\t 7 kB\n"),
            14'499'840);
  EXPECT_EQ(peak_rss_bytes_in("Name:\tkthreadd\n"), std::nullopt);
}

/// A client that allocates 3 x 100 bytes per op would print this; its copies are 40 per op.
words made_loop(std::uint64_t ops, std::uint64_t /*warm_up*/) {
  const auto text = to_text({.ops = ops,
                             .instructions = 1'000 * ops,
                             .heap = heap_counts{3 * ops, 300 * ops, 512, -32},
                             .payload_copies_bytes = 40 * ops,
                             .rss_peak_bytes = 14'500'000});
  return {"/bin/sh", "-c", "printf '" + text + "'"};
}

TEST(CountCell, DividesByTheOps) {
  const auto counts = count_cell({made_loop, "/dev/null"}, {"memory", "heap", "instructions"});
  EXPECT_EQ(counts.payload_copies_bytes, 40);
  EXPECT_EQ(counts.rss_peak_bytes, 14'500'000);
  if (counts.unknown.empty()) {  // no sanitizer
    EXPECT_EQ(counts.instructions, 1'000);
    EXPECT_EQ(counts.instructions_by, "perf_event");
    EXPECT_EQ(counts.allocations, 3);
    EXPECT_EQ(counts.allocated_bytes, 300);
    EXPECT_EQ(counts.live_heap_peak_bytes, 512);
    EXPECT_EQ(counts.heap_growth_bytes, -32);
  }
  EXPECT_FALSE(counts.syscalls_by_kind) << "not asked for";
}

TEST(CountCell, SubtractsTwoRuns) {
  const auto loop = [](std::uint64_t ops, std::uint64_t /*warm_up*/) { return copy_of_zeros(ops); };
  const auto counts = count_cell({loop, ""}, {"syscalls"});
  if (!counts.unknown.empty()) GTEST_SKIP() << counts.unknown.at("syscalls");
  EXPECT_EQ(*counts.syscalls_by_kind, (std::map<std::string, double>{{"read", 1}, {"write", 1}}));
}

TEST(CountCell, SaysWhatCouldNotBeCounted) {
  const auto loop = [](std::uint64_t, std::uint64_t) {
    return words{"/bin/sh", "-c", "echo nobody home; exit 1"};
  };
  const auto counts = count_cell({loop, ""}, {"memory"});
  EXPECT_FALSE(counts.rss_peak_bytes);
  EXPECT_EQ(counts.unknown.at("memory"), "/bin/sh ended with exit code 1: nobody home");
}

}  // namespace
}  // namespace bench::counting
