#include "bench/placement.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <latch>
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

/// Lets the calling thread use these cpus and no others.
void allow(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}

/// A thread that says at the end of its life which cpus it may use.
class witness {
 public:
  explicit witness(std::optional<int> cpu = std::nullopt)
      : thread_([this, cpu] {
          if (cpu) allow({*cpu});
          started_.count_down();
          asked_.wait();
          seen_ = allowed_cpus();
        }) {
    started_.wait();
  }

  std::vector<int> end() {
    asked_.count_down();
    thread_.join();
    return seen_;
  }

 private:
  std::latch started_{1};
  std::latch asked_{1};
  std::vector<int> seen_;
  std::thread thread_;
};

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
  allow(before);
}

TEST(PinProcess, SaysWhenTheProcessIsGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const auto status = pin_process(child, default_cpu());
  EXPECT_NE(std::string(status.message()).find("it is gone"), std::string::npos) << status;
}

/// As above: this process stands for a server that lives on.
TEST(KeptAffinity, GivesEveryThreadItsCpusBack) {
  const auto before = allowed_cpus();
  witness narrow(before.front());
  auto kept = std::make_optional<kept_affinity>(getpid());
  ASSERT_TRUE(pin_process(getpid(), before.back()).ok());
  witness later;  // started while the process is pinned
  kept.reset();
  EXPECT_EQ(allowed_cpus(), before);
  EXPECT_EQ(narrow.end(), std::vector{before.front()});
  EXPECT_EQ(later.end(), before);
  allow(before);
}

TEST(KeptAffinity, LeavesAProcessAloneThatNobodyPinned) {
  const auto before = allowed_cpus();
  auto kept = std::make_optional<kept_affinity>(getpid());
  witness later(before.front());
  kept.reset();
  EXPECT_EQ(later.end(), std::vector{before.front()});
}

}  // namespace
}  // namespace bench
