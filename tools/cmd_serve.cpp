// wirebench serve: a null server in the foreground, for any driver in any language.

#include "fixtures/listener.hpp"
#include "fixtures/null_server.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
#include "tools/options.hpp"
#include "tools/peers.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace tools {
namespace {

struct serve_options {
  std::string protocol;
  int port = 0;
  std::chrono::nanoseconds service_time{0};
  std::string delay_mode = "spin";
  std::string profile = "standalone";
  std::string receive = "store";
};

/// What became of it, for the end. On stderr: stdout is the URI, which programs read.
void report_served(const fixtures::shared_counters& counters, const serve_options& options) {
  fmt::print(stderr, "served {} connections, {} frames received, {} sent\n", counters.connections.load(),
             counters.frames_in.load(), counters.frames_out.load());
  const auto requests = counters.delayed_requests.load();
  if (requests == 0) return;
  fmt::print(
      stderr,
      "service time: {} requests, {:.1f} us wanted, {:.1f} us achieved ({}, mean), {:.1f} us at most\n",
      requests, static_cast<double>(options.service_time.count()) / 1e3,
      static_cast<double>(counters.delay_ns) / static_cast<double>(requests) / 1e3, options.delay_mode,
      static_cast<double>(counters.longest_delay_ns) / 1e3);
}

absl::Status serve(const CLI::App& command, const serve_options& options) {
  const auto protocol = options.protocol == "mongo" ? wire::protocol::mongo : wire::protocol::pg;
  if (auto status = check_profile(command, protocol == wire::protocol::mongo); !status.ok()) return status;
  const auto ready = [protocol](int port) {
    fmt::print("{}\n", null_uri(protocol, port));
    std::fflush(stdout);
  };
  const auto counters = std::make_shared<fixtures::shared_counters>();
  counters->wanted = {
      static_cast<std::uint32_t>(options.service_time.count()),
      options.delay_mode == "spin" ? fixtures::delay_mode::spin : fixtures::delay_mode::sleep};
  const auto receive = *fixtures::receive_strategy_named(options.receive);
  const auto profile = *fixtures::mongo_profile_named(options.profile);
  const auto connection = protocol == wire::protocol::mongo ? fixtures::serve_null_mongo(profile, receive)
                                                            : fixtures::serve_null_pg(receive);
  auto status = fixtures::listen_and_serve(options.port, connection, counters, ready);
  if (status.ok()) report_served(*counters, options);
  return status;
}

}  // namespace

void add_serve(CLI::App& program, int& code) {
  auto options = std::make_shared<serve_options>();
  auto* command = program.add_subcommand(
      "serve",
      "Runs a null server in the foreground until Ctrl-C. It stores nothing and answers at once; its first "
      "line of\n"
      "output is its URI.\n\n"
      "  wirebench serve mongo --port 0         a free port\n"
      "  wirebench serve mongo --service-time 200us --delay-mode sleep\n"
      "  wirebench serve mongo --profile replica-set\n"
      "  wirebench serve pg --port 15432        psql \"postgresql://wirebench@127.0.0.1:15432/wirebench\"");
  command->add_option("protocol", options->protocol, "mongo or pg")
      ->required()
      ->check(CLI::IsMember({"mongo", "pg"}));
  command->add_option("--port", options->port, "TCP port of 127.0.0.1; 0 picks a free one")
      ->check(CLI::Range(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  auto* service_time =
      add_duration(*command, "--service-time", options->service_time, fixtures::longest_service_time,
                   "let each request wait so long for its reply (200us), on top of the server's own work");
  command
      ->add_option("--delay-mode", options->delay_mode,
                   "how it waits: spin, busy on its cpu, or sleep; what was achieved is told at the end")
      ->check(CLI::IsMember({"spin", "sleep"}))
      ->needs(service_time)
      ->capture_default_str();
  add_profile(*command, options->profile);
  command
      ->add_option("--receive", options->receive,
                   "what becomes of payload of more than 16 KiB: stored, drained through one small block, or "
                   "discarded "
                   "by the kernel")
      ->check(CLI::IsMember({"store", "drain", "discard"}))
      ->capture_default_str();
  command->callback([command, options, &code] { code = report(serve(*command, *options)); });
}

}  // namespace tools
