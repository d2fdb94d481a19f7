// The way in: log-in, SELECT 1 and Terminate, with every byte that crosses the wire.
//
//   build/tools/wirebench serve pg --port 15432 &
//   build/tools/hello_pg postgresql://wirebench@127.0.0.1:15432/wirebench

#include "codecs/pg/frame.hpp"
#include "codecs/pg/trace.hpp"

#include "wire/connect.hpp"
#include "wire/pg/client.hpp"
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

/// Takes rows as they arrive; what it is given is valid during the call alone.
class printing_sink final : public codecs::pg::result_sink {
  void on_row(const codecs::pg::data_row& row) override {
    for (const auto& value : row.values)
      fmt::print("   value: {}\n", value ? codecs::as_text(*value) : "NULL");
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return misuse("usage: hello_pg postgresql://user@host:port/database");
  const auto to = wire::parse_endpoint(argv[1]);
  if (!to.value) return misuse(to.problem);
  if (to.value->protocol != wire::protocol::pg) return misuse("hello_pg speaks PostgreSQL alone");

  // A socket, wrapped so that it shows what goes through it.
  auto connected = wire::connect(*to.value, std::chrono::seconds(10));
  if (!connected.transport) return fail(connected.error, "connecting to " + to.value->display());
  const auto cut = [](codecs::bytes_view unread, codecs::direction towards, bool first) {
    const bool startup =
        first && towards == codecs::direction::to_server;  // the one message without a type byte
    return startup ? codecs::pg::scan_startup(unread) : codecs::pg::scan_typed(unread, towards);
  };
  auto shown = tools::show(std::move(connected.transport), {cut, codecs::pg::trace});

  // The client: a channel that runs one exchange after the other. It says Terminate when it goes.
  wire::watchdog dog(std::chrono::seconds(10));
  wire::pg::client client(std::move(shown), &dog);
  const codecs::pg::login login{.user = to.value->user,
                                .database = to.value->database,
                                .password = to.value->password,
                                .parameters = {}};
  if (const auto error = client.log_in(login)) return fail(error, "log-in", client.why());

  printing_sink sink;
  if (const auto error = client.query("SELECT 1", &sink)) return fail(error, "SELECT 1", client.why());

  fmt::print("{} system calls, {} bytes out, {} bytes in\n", client.channel().counters().syscalls(),
             client.channel().counters().bytes_out, client.channel().counters().bytes_in);
  return tools::success;
}
