// What the ops need on a real server.

#include "wire/connect.hpp"
#include "wire/mongo/client.hpp"
#include "wire/pg/client.hpp"
#include "wire/status.hpp"

#include "bench/ladder.hpp"
#include "bench/workloads/connect.hpp"
#include "bench/workloads/mongo_op_set.hpp"
#include "bench/workloads/pg_op_set.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

using namespace workloads;

/// Whatever is there from a run that was cut short must not be measured against.
absl::Status drop_collection(wire::mongo::client& client) {
  codecs::mongo::document command;
  bson_append_utf8(command.get(), "drop", -1, collection, -1);
  const auto error = client.command(database, command.view());
  if (error == codecs::errc::remote_server_error) return absl::OkStatus();  // there is none
  return wire::to_status(error, "dropping wirebench.docs", client.why());
}

absl::Status set_up_mongo(std::unique_ptr<wire::transport> transport, wire::watchdog& dog, bool make) {
  wire::mongo::client client(std::move(transport), &dog);
  if (const auto error = client.hello()) return wire::to_status(error, "hello", client.why());
  if (auto status = drop_collection(client); !status.ok() || !make) return status;
  codecs::mongo::document found;
  build_found(found);
  const auto view = found.view();
  const auto error = client.insert(
      {.database = database, .collection = collection, .documents = {&view, 1}, .acknowledged = true});
  return wire::to_status(error, "inserting the document to be found", client.why());
}

absl::Status set_up_pg(std::unique_ptr<wire::transport> transport, const wire::endpoint& login,
                       wire::watchdog& dog, bool make) {
  wire::pg::client client(std::move(transport), &dog);
  const auto error = client.log_in(
      {.user = login.user, .database = login.database, .password = login.password, .parameters = {}});
  if (error) return wire::to_status(error, "log-in", client.why());
  if (const auto failed = client.query(rows_table_drop))
    return wire::to_status(failed, rows_table_drop, client.why());
  if (!make) return absl::OkStatus();
  return wire::to_status(client.query(rows_table_create), rows_table_create, client.why());
}

/// The one value that SHOW answers.
class shown_value final : public codecs::pg::result_sink {
 public:
  void on_row(const codecs::pg::data_row& row) override {
    for (const auto& value : row.values) {
      if (value) text = codecs::as_text(*value);
    }
  }

  std::string text;
};

server_identity identify_pg(std::unique_ptr<wire::transport> transport, const wire::endpoint& login,
                            wire::watchdog& dog) {
  wire::pg::client client(std::move(transport), &dog);
  const auto error = client.log_in(
      {.user = login.user, .database = login.database, .password = login.password, .parameters = {}});
  shown_value version;
  if (error || client.query("SHOW server_version", &version) || version.text.empty()) return {};
  return {"PostgreSQL " + version.text.substr(0, version.text.find(' ')), std::nullopt};
}

codecs::bytes_view ask(wire::mongo::client& client, const char* command) {
  codecs::mongo::document built;
  bson_append_int32(built.get(), command, -1, 1);
  const auto error = client.command("admin", built.view());
  return error ? codecs::bytes_view{} : client.reply().body;
}

server_identity identify_mongo(std::unique_ptr<wire::transport> transport, wire::watchdog& dog) {
  using namespace codecs::mongo;
  wire::mongo::client client(std::move(transport), &dog);
  server_identity told;
  if (client.hello()) return told;
  if (const auto info = ask(client, "buildInfo"); !info.empty()) {
    const auto version = lookup(info, "version");
    if (version && !text(*version).empty()) told.product = fmt::format("MongoDB {}", text(*version));
  }
  if (const auto status = ask(client, "serverStatus"); !status.empty()) {
    const auto pid = lookup(status, "pid");
    if (const auto number = pid ? integer(*pid) : std::nullopt) told.pid = static_cast<pid_t>(*number);
  }
  return told;
}

absl::Status change_server(const peer& real, wire::watchdog& dog, bool make) {
  const auto parsed = wire::parse_endpoint(real.tcp_uri());
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  const auto& to = *parsed.value;
  auto transport = workloads::connect(to, dog);
  if (!transport.ok()) return transport.status();
  return to.protocol == wire::protocol::mongo ? set_up_mongo(*std::move(transport), dog, make)
                                              : set_up_pg(*std::move(transport), to, dog, make);
}

}  // namespace

server_identity identify_server(const wire::endpoint& to, std::chrono::milliseconds timeout) {
  if (!to.unsupported.empty()) return {};  // refused later, with its reason
  wire::watchdog dog(timeout);
  auto connected = wire::connect(to, timeout);
  if (!connected.transport) return {};
  return to.protocol == wire::protocol::mongo ? identify_mongo(std::move(connected.transport), dog)
                                              : identify_pg(std::move(connected.transport), to, dog);
}

absl::Status set_up_server(const op& what, const peer& real, wire::watchdog& dog) {
  return what.needs_data ? change_server(real, dog, true) : absl::OkStatus();
}

absl::Status clean_up_server(const op& what, const peer& real, wire::watchdog& dog) {
  return what.needs_data ? change_server(real, dog, false) : absl::OkStatus();
}

}  // namespace bench
