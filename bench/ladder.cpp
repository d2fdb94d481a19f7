#include "bench/ladder.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/placement.hpp"
#include "bench/workloads/floor_op.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

using opened = absl::StatusOr<std::unique_ptr<workload>>;

absl::StatusOr<wire::endpoint> endpoint_of(const std::string& uri) {
  auto parsed = wire::parse_endpoint(uri);
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  return *std::move(parsed.value);
}

opened open_raw_at(const op& what, const std::string& uri, wire::watchdog& dog) {
  auto to = endpoint_of(uri);
  if (!to.ok()) return to.status();
  return workloads::open_raw(what.name, *to, dog);
}

opened open_in_memory(const op& what, const peer& served_by, wire::watchdog& dog) {
  auto login = endpoint_of(served_by.tcp_uri());
  if (!login.ok()) return login.status();
  auto transport = wire::make_memory_transport(served_by.converse());
  return what.protocol == wire::protocol::mongo
             ? opened(workloads::open_mongo(what.name, std::move(transport), dog))
             : opened(workloads::open_pg(what.name, std::move(transport), *login, dog));
}

opened open_floor_at(const op& what, const peer& served_by, wire::watchdog& dog) {
  auto to = endpoint_of(served_by.tcp_uri());
  if (!to.ok()) return to.status();
  return workloads::open_floor(what.name, served_by, *to, dog);
}

opened open_driver(const op& what, const std::string& uri, wire::watchdog& dog) {
  return what.protocol == wire::protocol::mongo ? drivers::open_libmongoc(what.name, uri, dog.timeout())
                                                : drivers::open_libpq(what.name, uri, dog);
}

/// Collects the cells of one op.
class plan_builder {
 public:
  plan_builder(const op& what, ladder_peers peers, wire::watchdog& dog)
      : what_(what), peers_(peers), dog_(dog) {}

  void add(const std::string& rung) {
    const auto& op = what_;
    auto& dog = dog_;
    const auto& null = *peers_.null;
    if (rung == "floor")
      add(rung, "floor", "tcp", null, [&op, &null, &dog] { return open_floor_at(op, null, dog); });
    if (rung == "mem")
      add(rung, "raw", "mem", null, [&op, &null, &dog] { return open_in_memory(op, null, dog); });
    if (rung == "unix") add_raw(rung, "unix", null, null.unix_uri().value());
    if (rung == "tcp0") {
      add_raw(rung, "tcp", null, null.tcp_uri());
      add_raw(rung, "tcp", null, null.tcp_uri());
    }
    if (rung == "driver") add_driver(rung, null);
    if (rung == "real" && peers_.real != nullptr) {
      add_raw(rung, "tcp", *peers_.real, peers_.real->tcp_uri());
      add_driver(rung, *peers_.real);
    }
  }

  std::vector<cell_plan> take() { return std::move(cells_); }

 private:
  void add_raw(const std::string& rung, const char* transport, const peer& served_by, std::string uri) {
    add(rung, "raw", transport, served_by,
        [&op = what_, uri = std::move(uri), &dog = dog_] { return open_raw_at(op, uri, dog); });
  }

  void add_driver(const std::string& rung, const peer& served_by) {
    add(rung, what_.driver, "tcp", served_by,
        [&op = what_, uri = served_by.tcp_uri(), &dog = dog_] { return open_driver(op, uri, dog); });
  }

  void add(const std::string& rung, const std::string& client, const char* transport, const peer& served_by,
           std::function<opened()> open) {
    labels labels{.id = fmt::format("{}/{}/{}", what_.name, rung, client),
                  .op = what_.name,
                  .rung = rung,
                  .client = client,
                  .peer = served_by.name(),
                  .transport = transport,
                  .placement = name(placement::same_cpu),
                  .profile = served_by.profile()};
    const auto taken = [&](const cell_plan& other) { return other.what.id == labels.id; };
    if (std::any_of(cells_.begin(), cells_.end(), taken)) labels.id += "/again";
    const bool in_this_thread = labels.transport == "mem";
    cells_.push_back({std::move(labels), std::move(open), in_this_thread ? nullptr : &served_by});
  }

  const op& what_;
  ladder_peers peers_;
  wire::watchdog& dog_;
  std::vector<cell_plan> cells_;
};

}  // namespace

std::vector<cell_plan> plan_ladder(const op& what, const std::vector<std::string>& on_rungs,
                                   ladder_peers peers, wire::watchdog& dog) {
  plan_builder builder(what, peers, dog);
  for (const std::string rung : rungs) {
    if (on_rungs.empty() || std::find(on_rungs.begin(), on_rungs.end(), rung) != on_rungs.end())
      builder.add(rung);
  }
  return builder.take();
}

}  // namespace bench
