// wirebench serve: a null server in the foreground, for any driver in any language.

#include "fixtures/listener.hpp"
#include "fixtures/null_server.hpp"

#include "tools/commands.hpp"
#include "tools/exit_code.hpp"
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
};

absl::Status serve(const serve_options& options) {
  const auto protocol = options.protocol == "mongo" ? wire::protocol::mongo : wire::protocol::pg;
  const auto ready = [protocol](int port) {
    fmt::print("{}\n", null_uri(protocol, port));
    std::fflush(stdout);
  };
  return fixtures::listen_and_serve(
      options.port,
      protocol == wire::protocol::mongo ? fixtures::serve_null_mongo() : fixtures::serve_null_pg(), ready);
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
      "  wirebench serve pg --port 15432        psql \"postgresql://wirebench@127.0.0.1:15432/wirebench\"");
  command->add_option("protocol", options->protocol, "mongo or pg")
      ->required()
      ->check(CLI::IsMember({"mongo", "pg"}));
  command->add_option("--port", options->port, "TCP port of 127.0.0.1; 0 picks a free one")
      ->check(CLI::Range(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  command->callback([options, &code] { code = report(serve(*options)); });
}

}  // namespace tools
