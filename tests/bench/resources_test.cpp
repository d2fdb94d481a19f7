#include "bench/resources.hpp"

#include "bench/clock.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <unistd.h>

namespace bench {
namespace {

void spin(std::int64_t cpu_ns) {
  const auto before = read_usage(std::nullopt).client_cpu_ns;
  while (read_usage(std::nullopt).client_cpu_ns - before < cpu_ns) {
  }
}

TEST(Usage, CountsTheCpuOfThisThread) {
  const auto before = read_usage(std::nullopt);
  spin(2'000'000);
  const auto spent = read_usage(std::nullopt) - before;
  EXPECT_GE(spent.client_cpu_ns, 2'000'000);
  EXPECT_FALSE(spent.server_cpu_ns);
}

TEST(Usage, CountsTheCpuOfTheServer) {
  const auto before = read_usage(getpid());
  spin(2'000'000);
  const auto spent = read_usage(getpid()) - before;
  ASSERT_TRUE(spent.server_cpu_ns);
  EXPECT_GE(*spent.server_cpu_ns, 2'000'000);
}

TEST(Usage, CountsFaultsOfThisThread) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const fresh =
      static_cast<char*>(mmap(nullptr, 8 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(fresh, MAP_FAILED);
  madvise(fresh, 8 * page, MADV_NOHUGEPAGE);
  const auto before = read_usage(std::nullopt);
  for (std::size_t i = 0; i < 8; ++i) fresh[i * page] = 1;
  const auto spent = read_usage(std::nullopt) - before;
  munmap(fresh, 8 * page);
  EXPECT_GE(spent.minor_faults, 8);
}

TEST(Usage, CountsVoluntarySwitches) {
  const auto before = read_usage(std::nullopt);
  usleep(1'000);
  EXPECT_GE((read_usage(std::nullopt) - before).voluntary_switches, 1);
}

TEST(ProcessCpu, IsUnknownWhenTheProcessIsGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(process_cpu_ns(child));
  EXPECT_TRUE(process_cpu_ns(getpid()));
}

TEST(StealTicks, AreTheEighthFieldOfTheCpusOwnLine) {
  const char* stat =
      "cpu  1 2 3 4 5 6 7 88 9 10\n"
      "cpu0 1 2 3 4 5 6 7 33 9 10\n"
      "cpu1 1 2 3 4 5 6 7 55 9 10\n"
      "intr 12345\n";
  EXPECT_EQ(steal_ticks_in(stat, 0), 33);
  EXPECT_EQ(steal_ticks_in(stat, 1), 55);
  EXPECT_EQ(steal_ticks_in(stat, 2), std::nullopt);
  EXPECT_EQ(steal_ticks_in("cpu  1 2\ncpu0 1 2 3\n", 0), std::nullopt);
  EXPECT_EQ(steal_ticks_in("", 0), std::nullopt);
}

}  // namespace
}  // namespace bench
