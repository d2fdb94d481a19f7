#include "bench/waiting.hpp"

#include "tests/bench/bare_peer.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

using namespace std::chrono_literals;

/// A null server without a process: writes down what it is told.
class noting_peer final : public bare_peer {
 public:
  explicit noting_peer(bool programmable = true) : programmable_(programmable) {}

  bool set_service_time(std::chrono::nanoseconds duration, delay_mode mode) const override {
    told.push_back(duration);
    how = mode;
    return programmable_;
  }

  mutable std::vector<std::chrono::nanoseconds> told;
  mutable delay_mode how = delay_mode::spin;

 private:
  bool programmable_;
};

/// Notes how long the server would take at each of its steps.
class noting_workload final : public workload {
 public:
  noting_workload(const noting_peer& peer, std::string& diary, bool fails)
      : peer_(peer), diary_(diary), fails_(fails) {}

  absl::Status before() override { return note("before"); }
  absl::Status run(std::uint64_t) override {
    note("run").IgnoreError();
    return fails_ ? absl::UnavailableError("gone") : absl::OkStatus();
  }
  absl::Status after() override { return note("after"); }

 private:
  absl::Status note(const char* step) {
    diary_ += std::string(step) + (peer_.told.empty() || peer_.told.back() == 0ns ? " " : "+D ");
    return absl::OkStatus();
  }

  const noting_peer& peer_;
  std::string& diary_;
  bool fails_;
};

TEST(Waiting, IsForRoundsAlone) {
  const noting_peer null;
  std::string diary;
  const auto work =
      make_waiting(std::make_unique<noting_workload>(null, diary, false), null, 200us, delay_mode::sleep);
  ASSERT_TRUE(work->before().ok());
  ASSERT_TRUE(work->run(3).ok());
  ASSERT_TRUE(work->after().ok());
  EXPECT_EQ(diary, "before run+D after ");
  EXPECT_EQ(null.told, (std::vector<std::chrono::nanoseconds>{200us, 0ns}));
  EXPECT_EQ(null.how, delay_mode::sleep);
}

TEST(Waiting, EndsWithAFailure) {
  const noting_peer null;
  std::string diary;
  const auto work =
      make_waiting(std::make_unique<noting_workload>(null, diary, true), null, 1ms, delay_mode::spin);
  ASSERT_TRUE(work->before().ok());
  EXPECT_FALSE(work->run(3).ok());
  EXPECT_EQ(null.told.back(), 0ns);  // other cells share the server
}

TEST(Waiting, TakesAServerThatCan) {
  const noting_peer real(false);
  std::string diary;
  const auto work =
      make_waiting(std::make_unique<noting_workload>(real, diary, false), real, 1ms, delay_mode::spin);
  EXPECT_FALSE(work->before().ok());
}

TEST(ServiceTimeName, IsShort) {
  EXPECT_EQ(service_time_name(200us), "200us");
  EXPECT_EQ(service_time_name(12'500ns), "12.5us");
  EXPECT_EQ(service_time_name(1ms), "1ms");
  EXPECT_EQ(service_time_name(1'500us), "1500us");
  EXPECT_EQ(service_time_name(0ns), "0us");
}

}  // namespace
}  // namespace bench
