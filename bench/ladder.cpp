#include "bench/ladder.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/placement.hpp"
#include "bench/server_time.hpp"
#include "bench/stages.hpp"
#include "bench/waiting.hpp"
#include "bench/workloads/floor_op.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bench {
namespace {

using opened = absl::StatusOr<std::unique_ptr<workload>>;

absl::StatusOr<wire::endpoint> endpoint_of(const std::string& uri) {
  auto parsed = wire::parse_endpoint(uri);
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  return *std::move(parsed.value);
}

opened open_raw_at(const std::string& op, const std::string& uri, wire::watchdog& dog) {
  auto to = endpoint_of(uri);
  if (!to.ok()) return to.status();
  return workloads::open_raw(op, *to, dog);
}

opened open_stamped_at(const op& what, const std::string& uri, wire::watchdog& dog, stamp_clock clock) {
  auto to = endpoint_of(uri);
  if (!to.ok()) return to.status();
  return open_stamped(what.name, *to, dog, clock);
}

opened open_told_at(const op& what, const std::string& uri, wire::watchdog& dog) {
  auto to = endpoint_of(uri);
  if (!to.ok()) return to.status();
  return open_told(what, *to, dog);
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

/// Row groups of cells that are compared with each other.
constexpr char with_real[] = "real";
constexpr char with_noop[] = "noop";

constexpr std::array both_clocks{stamp_clock::wall, stamp_clock::thread};

/// Collects the cells of one op.
class plan_builder {
 public:
  plan_builder(const op& what, ladder_peers peers, wire::watchdog& dog, const waiting_times& waits)
      : what_(what), peers_(peers), dog_(dog), waits_(waits) {
    std::sort(waits_.always.begin(), waits_.always.end());
  }

  void add(const std::string& rung) {
    if (needs_real(rung)) {
      if (peers_.real != nullptr) add_on_real(rung, *peers_.real);
    } else {
      add_on_null(rung, *peers_.null);
    }
  }

  std::vector<cell_plan> take() { return std::move(cells_); }

 private:
  void add_on_null(const std::string& rung, const peer& null) {
    const auto& op = what_;
    auto& dog = dog_;
    if (rung == "floor")
      add(rung, "floor", "tcp", null, [&op, &null, &dog] { return open_floor_at(op, null, dog); });
    if (rung == "mem")
      add(rung, "raw", "mem", null, [&op, &null, &dog] { return open_in_memory(op, null, dog); });
    if (rung == "unix") add_raw(rung, op.name, "unix", null, null.unix_uri().value());
    if (rung == "tcp0") {
      add_raw(rung, op.name, "tcp", null, null.tcp_uri());
      add_raw(rung, op.name, "tcp", null, null.tcp_uri());
    }
    if (rung == "driver") add_driver(rung, null);
    if (rung == "tcpD") add_waiting(rung, null);
    if (rung == "noop0")
      add_raw(rung, workloads::noop_op, "tcp", null, null.tcp_uri()).group_with = with_noop;
    if (rung == "tcpDs") add_stamped_waiting(rung, null);
  }

  void add_on_real(const std::string& rung, const peer& real) {
    const auto first = cells_.size();
    if (rung == "noop") add_raw(rung, workloads::noop_op, "tcp", real, real.tcp_uri()).group_with = with_noop;
    if (rung == "real") {
      add_raw(rung, what_.name, "tcp", real, real.tcp_uri());
      add_driver(rung, real);
    }
    if (rung == "reals") {
      for (const auto clock : both_clocks) add_stamped(rung, real, clock);
    }
    if (rung == "realt") {
      add(rung, "raw", "tcp", real,
          [&op = what_, uri = real.tcp_uri(), &dog = dog_] { return open_told_at(op, uri, dog); });
    }
    for (auto i = first; i < cells_.size(); ++i) {
      if (cells_[i].group_with.empty()) cells_[i].group_with = with_real;
    }
  }

  cell_plan& add_raw(const std::string& rung, const std::string& op, const char* transport,
                     const peer& served_by, std::string uri) {
    return add(rung, "raw", transport, served_by,
               [op, uri = std::move(uri), &dog = dog_] { return open_raw_at(op, uri, dog); });
  }

  cell_plan& add_driver(const std::string& rung, const peer& served_by) {
    return add(rung, what_.driver, "tcp", served_by,
               [&op = what_, uri = served_by.tcp_uri(), &dog = dog_] { return open_driver(op, uri, dog); });
  }

  /// Both clocks stamp in cells of their own: one reading of the thread's clock costs as much as a stage.
  cell_plan& add_stamped(const std::string& rung, const peer& served_by, stamp_clock clock) {
    const auto uri = served_by.tcp_uri();
    auto& added = add(rung, "raw", "tcp", served_by, [&op = what_, uri, &dog = dog_, clock] {
      return open_stamped_at(op, uri, dog, clock);
    });
    added.what.stamps = name(clock);
    added.what.id = fmt::format("{}/{}/raw/{}", what_.name, rung, name(clock));
    return added;
  }

  /// For those between two others, which alone are looked for, beside the cells without stamps, so that they are paired.
  void add_stamped_waiting(const std::string& rung, const peer& null) {
    for (std::size_t i = 1; i + 1 < waits_.always.size(); ++i) {
      const auto duration = waits_.always[i];
      for (const auto clock : both_clocks) {
        auto& added = make_wait(add_stamped(rung, null, clock), null, duration);
        added.group_with = service_time_name(duration);
        added.what.id += fmt::format("/{}", name(clock));
      }
    }
  }

  void add_waiting(const std::string& rung, const peer& null) {
    for (const auto duration : waits_.always) {
      const auto together = service_time_name(duration);
      make_wait(add_raw(rung, what_.name, "tcp", null, null.tcp_uri()), null, duration).group_with = together;
      make_wait(add_driver(rung, null), null, duration).group_with = together;
    }
    for (const auto duration : waits_.near_target) {
      make_wait(add_raw(rung, what_.name, "tcp", null, null.tcp_uri()), null, duration).group_with =
          with_real;
    }
  }

  cell_plan& make_wait(cell_plan& cell, const peer& null, std::chrono::nanoseconds duration) const {
    cell.what.service_ns = duration.count();
    cell.what.delay_mode = waits_.mode == delay_mode::spin ? "spin" : "sleep";
    cell.what.id =
        fmt::format("{}/{}/{}/{}", what_.name, cell.what.rung, service_time_name(duration), cell.what.client);
    cell.open = [open = std::move(cell.open), &null, duration, mode = waits_.mode]() -> opened {
      auto inner = open();
      if (!inner.ok()) return inner.status();
      return make_waiting(*std::move(inner), null, duration, mode);
    };
    return cell;
  }

  cell_plan& add(const std::string& rung, const std::string& client, const char* transport,
                 const peer& served_by, std::function<opened()> open) {
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
    return cells_.back();
  }

  const op& what_;
  ladder_peers peers_;
  wire::watchdog& dog_;
  waiting_times waits_;
  std::vector<cell_plan> cells_;
};

}  // namespace

bool needs_real(const std::string& rung) {
  constexpr std::array real{"noop", "real", "reals", "realt"};
  return std::find(real.begin(), real.end(), rung) != real.end();
}

waiting_times default_waiting_times() {
  using std::chrono::microseconds;
  return {.always = {microseconds(50), microseconds(200), microseconds(1000)}, .near_target = {}};
}

std::vector<std::string> default_rungs(bool with_real_server) {
  if (!with_real_server) return {"floor", "mem", "unix", "tcp0", "driver"};
  std::vector<std::string> all(std::begin(rungs), std::end(rungs));
  std::erase(all, "tcpDs");
  return all;
}

std::vector<cell_plan> plan_ladder(const op& what, const std::vector<std::string>& on_rungs,
                                   ladder_peers peers, wire::watchdog& dog, const waiting_times& waits) {
  const auto wanted = on_rungs.empty() ? default_rungs(peers.real != nullptr) : on_rungs;
  plan_builder builder(what, peers, dog, waits);
  for (const std::string rung : rungs) {
    if (std::find(wanted.begin(), wanted.end(), rung) != wanted.end()) builder.add(rung);
  }
  return builder.take();
}

}  // namespace bench
