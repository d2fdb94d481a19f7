// wirebench on a server that the user has running: it is pinned while it is measured, and lives on as it was.

#include "codecs/mongo/conversation.hpp"

#include "wire/channel.hpp"

#include "bench/placement.hpp"

#include "fixtures/process.hpp"

#include "tests/integration/command.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace {

using namespace std::chrono_literals;

/// A MongoDB that tells which process it is.
class telling_server final : public codecs::mongo::conversation {
  codecs::bytes_view answer_command(const codecs::mongo::request& request,
                                    codecs::mongo::document& reply) override {
    bson_append_int32(reply.get(), "maxWireVersion", -1, 21);  // to hello, or whatever a driver calls it
    if (request.name == "serverStatus") bson_append_int64(reply.get(), "pid", -1, ::getpid());
    bson_append_double(reply.get(), "ok", -1, 1);
    return reply.view();
  }
};

fixtures::process start_telling_server() {
  auto started = fixtures::process::start(std::nullopt, [](int fd, fixtures::shared_counters&) {
    telling_server peer;
    wire::channel(wire::make_socket_transport(fd)).serve(peer);
  });
  if (!started.ok()) throw std::runtime_error(std::string(started.status().message()));
  return *std::move(started);
}

/// How many cpus a process may use.
int cpus_of(pid_t process) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(process, sizeof allowed, &allowed);
  return CPU_COUNT(&allowed);
}

class own_server : public testing::Test {
 protected:
  const fixtures::process server_ = start_telling_server();
  const std::string uri_ = fmt::format("mongodb://127.0.0.1:{}/", server_.tcp_port());
  const int before_ = cpus_of(server_.pid());
  const tests::scratch place_;
};

/// While a measurement is under way, and whether the server is pinned then.
bool becomes_pinned(pid_t server) {
  for (int i = 0; i < 1000; ++i) {
    if (cpus_of(server) == 1) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_F(own_server, gets_its_cpus_back_from_a_ladder) {
  tests::command ladder({tests::wirebench(), "ladder", "--op", "ping", "--rung", "real", "--budget", "3",
                         "--json", "--real", uri_},
                        place_);
  EXPECT_TRUE(becomes_pinned(server_.pid()));
  const auto run = ladder.wait();
  EXPECT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out, nullptr, false);
  ASSERT_FALSE(printed.is_discarded());
  EXPECT_EQ(printed["cells"][0]["placement"], "same-cpu");
  EXPECT_EQ(cpus_of(server_.pid()), before_);
}

TEST_F(own_server, gets_its_cpus_back_after_ctrl_c) {
  tests::command loop({tests::wirebench(), "run", "ping", "--duration", "60", "--json", "--real", uri_},
                      place_);
  EXPECT_TRUE(becomes_pinned(server_.pid()));
  std::this_thread::sleep_for(1500ms);  // warm-up takes 1 s
  loop.signal(SIGINT);
  const auto run = loop.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(cpus_of(server_.pid()), before_);
}

}  // namespace
