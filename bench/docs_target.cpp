#include "bench/docs_target.hpp"

#include "wire/status.hpp"

#include "bench/drivers/libmongoc_docs.hpp"
#include "bench/placement.hpp"
#include "bench/workloads/docs_raw.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

using codecs::mongo::document;
using opened_client = absl::StatusOr<std::unique_ptr<workloads::docs_client>>;

constexpr char of_raw[] = "docs_raw";
constexpr char of_driver[] = "docs_drv";

absl::StatusOr<std::vector<docs_crew::client>> open_all(std::uint64_t count,
                                                        const std::function<opened_client()>& open) {
  std::vector<docs_crew::client> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto one = open();
    if (!one.ok()) return one.status();
    all.push_back(*std::move(one));
  }
  return all;
}

/// {name: collection}.
void build_about(document& command, const char* name, const std::string& collection) {
  command.clear();
  bson_append_utf8(command.get(), name, -1, collection.c_str(), -1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<docs_target>> docs_target::open(const peer& served_by, bool real,
                                                               std::optional<pid_t> server_pid,
                                                               const docs_options& options,
                                                               const workloads::docs_data& data,
                                                               wire::watchdog& dog) {
  const auto parsed = wire::parse_endpoint(served_by.tcp_uri());
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  const auto& to = *parsed.value;
  const auto own_pid = served_by.pid();
  std::unique_ptr<docs_target> target(new docs_target(served_by, own_pid ? own_pid : server_pid));
  target->placed_ = own_pid ? pin_process(*own_pid, options.cpu)
                            : absl::FailedPreconditionError("the server is not ours and was not pinned");

  auto keeper = workloads::connect_mongo(to, dog);
  if (!keeper.ok()) return keeper.status();
  target->keeper_ = *std::move(keeper);

  const auto add = [&](const char* rung, const char* client, const char* collection,
                       const std::function<opened_client()>& open) {
    auto all = open_all(options.threads, open);
    if (!all.ok()) return all.status();
    const auto where = target->placed_.ok() ? placement::same_cpu : placement::unpinned;
    labels what{};
    what.rung = real ? "real" : rung;
    what.client = client;
    what.peer = served_by.name();
    what.transport = "tcp";
    what.placement = name(where);
    what.profile = served_by.profile();
    target->clients_.emplace_back(std::move(what), collection, *std::move(all));
    return absl::OkStatus();
  };
  auto status = add("tcp0", "raw", of_raw,
                    [&] { return workloads::open_docs_raw(to, of_raw, data, options.batch, dog); });
  if (!status.ok()) return status;
  status = add("driver", "libmongoc", of_driver, [&] {
    return drivers::open_docs_libmongoc(served_by.tcp_uri(), of_driver, data, options.batch, dog.timeout());
  });
  if (!status.ok()) return status;
  status = target->drop_collections();
  if (!status.ok()) return status;
  return target;
}

std::optional<std::int64_t> docs_target::server_cpu_ns() const {
  return pid_ ? process_cpu_ns(*pid_) : std::nullopt;
}

absl::Status docs_target::remove(const client& of, std::uint64_t first, std::uint64_t end) {
  document filter;
  document statement;
  workloads::build_range(filter, static_cast<std::int64_t>(first), static_cast<std::int64_t>(end));
  build(statement, codecs::mongo::remove_statement{.filter = filter.view(), .many = true});
  const auto view = statement.view();
  const auto error = keeper_->remove(
      {.database = workloads::database, .collection = of.collection, .statements = {&view, 1}});
  if (error) return wire::to_status(error, "removing the documents of the warm-up", keeper_->why());
  const auto removed = keeper_->removed().removed;
  if (removed == static_cast<std::int64_t>(end - first)) return absl::OkStatus();
  return absl::DataLossError(fmt::format(
      "the server removed {} documents of the warm-up where {} were inserted", removed, end - first));
}

std::optional<std::uint64_t> docs_target::stored_bytes(const client& of) {
  document command;
  build_about(command, "collStats", of.collection);
  if (keeper_->command(workloads::database, command.view())) return std::nullopt;
  const auto size = codecs::mongo::lookup(keeper_->reply().body, "size");
  const auto bytes = size ? codecs::mongo::integer(*size) : std::nullopt;
  return bytes && *bytes >= 0 ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

absl::Status docs_target::drop_collections() {
  document command;
  for (const auto* collection : {of_raw, of_driver}) {
    build_about(command, "drop", collection);
    const auto error = keeper_->command(workloads::database, command.view());
    if (error && error != codecs::errc::remote_server_error)  // there is none
      return wire::to_status(error, fmt::format("dropping wirebench.{}", collection), keeper_->why());
  }
  return absl::OkStatus();
}

}  // namespace bench
