// The way in: one hello and one ping, with every byte that crosses the wire.
//
//   build/tools/wirebench serve mongo --port 27018 &
//   build/tools/hello_mongo mongodb://127.0.0.1:27018/

#include "codecs/mongo/frame.hpp"
#include "codecs/mongo/trace.hpp"

#include "wire/connect.hpp"
#include "wire/mongo/client.hpp"
#include "wire/status.hpp"

#include "tools/exit_code.hpp"
#include "tools/shown.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace {

int fail(const wire::error_code& error, const std::string& doing, const std::string& why = {}) {
  return tools::report(wire::to_status(error, doing, why));
}

int misuse(const std::string& why) {
  return tools::report(absl::InvalidArgumentError(why));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return misuse("usage: hello_mongo mongodb://host:port/");
  const auto to = wire::parse_endpoint(argv[1]);
  if (!to.value) return misuse(to.problem);
  if (to.value->protocol != wire::protocol::mongo) return misuse("hello_mongo speaks MongoDB alone");

  // A socket, wrapped so that it shows what goes through it.
  auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport) return fail(connected.error, "connecting to " + to.value->display());
  const auto cut = [](codecs::bytes_view unread, auto...) { return codecs::mongo::scan(unread); };
  auto shown = tools::show(std::move(connected.transport), {cut, codecs::mongo::trace});

  // The client: a channel that runs one exchange after the other.
  wire::watchdog dog(std::chrono::seconds(10));
  wire::mongo::client client(std::move(shown), &dog);
  if (const auto error = client.hello()) return fail(error, "hello", client.why());

  // A command is a BSON document; the client adds $db and checks that the reply is ok.
  codecs::mongo::document ping;
  codecs::mongo::build_ping(ping);
  if (const auto error = client.command("admin", ping.view())) return fail(error, "ping", client.why());

  fmt::print("{} system calls, {} bytes out, {} bytes in\n", client.channel().counters().syscalls(),
             client.channel().counters().bytes_out, client.channel().counters().bytes_in);
  return tools::success;
}
