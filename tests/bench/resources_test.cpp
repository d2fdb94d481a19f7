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

}  // namespace
}  // namespace bench
