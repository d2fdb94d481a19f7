#include "bench/placement.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>

#include <atomic>
#include <thread>

namespace bench {
namespace {

TEST(Placement, HasTheNameOfTheReports) {
  EXPECT_STREQ(name(placement::same_cpu), "same-cpu");
}

TEST(PinnedThread, IsOnItsCpuUntilTheEndOfItsLife) {
  const auto before = allowed_cpus();
  {
    const auto pinned = pinned_thread::to(default_cpu());
    ASSERT_TRUE(pinned.ok()) << pinned.status();
    EXPECT_EQ(allowed_cpus(), std::vector{before.back()});
    EXPECT_EQ(current_cpu(), before.back());
  }
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(PinnedThread, RestoresOnceWhenMoved) {
  const auto before = allowed_cpus();
  auto pinned = pinned_thread::to(before.front());
  ASSERT_TRUE(pinned.ok());
  {
    const pinned_thread moved = *std::move(pinned);
    EXPECT_EQ(allowed_cpus(), std::vector{before.front()});
  }
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(PinnedThread, SaysWhichCpuCannotBeHad) {
  for (const int cpu : {-1, CPU_SETSIZE - 1, CPU_SETSIZE}) {
    const auto pinned = pinned_thread::to(cpu);
    ASSERT_FALSE(pinned.ok()) << cpu;
    const std::string sentence(pinned.status().message());
    EXPECT_NE(sentence.find("cpu " + std::to_string(cpu)), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("--cpu"), std::string::npos) << sentence;
  }
}

TEST(PinProcess, PinsEveryThread) {
  // This process stands for another one: its second thread must be pinned as well.
  const auto before = allowed_cpus();
  std::atomic<bool> pinned = false;
  std::vector<int> seen;
  std::thread second([&] {
    while (!pinned) std::this_thread::yield();
    seen = allowed_cpus();
  });
  const auto status = pin_process(getpid(), before.back());
  pinned = true;
  second.join();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(seen, std::vector{before.back()});
  EXPECT_EQ(allowed_cpus(), std::vector{before.back()});

  cpu_set_t all;
  CPU_ZERO(&all);
  for (const int cpu : before) CPU_SET(cpu, &all);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(PinProcess, SaysWhenTheProcessIsGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const auto status = pin_process(child, default_cpu());
  EXPECT_NE(std::string(status.message()).find("it is gone"), std::string::npos) << status;
}

}  // namespace
}  // namespace bench
