#include "bench/load/open_session.hpp"

#include "bench/drivers/libmongoc.hpp"
#include "bench/drivers/libpq.hpp"
#include "bench/op_set.hpp"
#include "bench/workloads/floor_op.hpp"

#include <fmt/format.h>

#include <atomic>

namespace bench::load {
namespace {

using drivers_ops = absl::StatusOr<std::vector<std::unique_ptr<workload>>>;

absl::StatusOr<session> of_driver(drivers_ops opened) {
  if (!opened.ok()) return opened.status();
  return session{.ops = *std::move(opened), .exchanges = {}};
}

absl::StatusOr<session> of_raw(workloads::opened_raws opened) {
  if (!opened.ok()) return opened.status();
  session made;
  for (auto& each : *opened) {
    made.exchanges.push_back(each.get());
    made.ops.push_back(std::move(each));
  }
  return made;
}

absl::StatusOr<session> of_floor(absl::StatusOr<std::unique_ptr<workload>> opened) {
  if (!opened.ok()) return opened.status();
  session made;
  made.ops.push_back(*std::move(opened));
  return made;
}

/// The clients that have an op: raw has all, floor has what a null server answers in memory.
absl::Status check(const session_options& how, const peer& served_by) {
  if (how.client == "raw") return absl::OkStatus();
  if (how.delay == wire::nagle::on)
    return absl::InvalidArgumentError("--nagle is an option of the raw client");
  if (how.depth > 1) return absl::InvalidArgumentError("--pipeline is an option of the raw client");
  if (how.client == "floor") {
    if (how.ops.size() > 1 || how.own)
      return absl::InvalidArgumentError("floor sends the same bytes again and again: give it one op");
    if (served_by.converse() != nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError("floor learns its bytes from the null server: leave --real out");
  }
  for (const auto& each : how.ops) {
    const bool own = how.own && each == workloads::sql_op && how.client == "libpq";
    const auto* known = find_op(each);
    if (!own && (known == nullptr || known->driver != how.client)) {
      return absl::InvalidArgumentError(
          fmt::format("{} has no op '{}'; see `wirebench ladder --list`", how.client, each));
    }
  }
  return absl::OkStatus();
}

/// Every session draws other parameters; the same ones in every run, connection by connection.
class session_seeds {
 public:
  std::optional<workloads::sql_statement> seeded(std::optional<workloads::sql_statement> own) {
    if (own) own->seed += 1'000'003 * opened_->fetch_add(1);
    return own;
  }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> opened_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

const workloads::sql_statement* pointer(const std::optional<workloads::sql_statement>& own) {
  return own ? &*own : nullptr;
}

/// The mix, op by op, each as often as may be in flight.
std::vector<std::string> copies(const session_options& how) {
  std::vector<std::string> all;
  for (const auto& each : how.ops) all.insert(all.end(), how.depth, each);
  return all;
}

}  // namespace

absl::StatusOr<session_opener> open_by(const session_options& how, const peer& served_by,
                                       wire::watchdog& dog) {
  if (auto status = check(how, served_by); !status.ok()) return status;
  const auto uri = served_by.tcp_uri();
  session_seeds seeds;
  if (how.client == "libpq") {
    return [how, uri, seeds, &dog]() mutable {
      const auto own = seeds.seeded(how.own);
      return of_driver(drivers::open_libpq(how.ops, uri, dog, pointer(own)));
    };
  }
  if (how.client == "libmongoc")
    return [how, uri, &dog] { return of_driver(drivers::open_libmongoc(how.ops, uri, dog.timeout())); };

  auto parsed = wire::parse_endpoint(uri);
  if (!parsed.value) return absl::InvalidArgumentError(parsed.problem);
  const auto to = *std::move(parsed.value);
  if (how.client == "floor") {
    return [op = how.ops.front(), to, &served_by, &dog] {
      return of_floor(workloads::open_floor(op, served_by, to, dog));
    };
  }
  return [ops = copies(how), how, to, seeds, &dog]() mutable {
    const auto own = seeds.seeded(how.own);
    return of_raw(workloads::open_raw(ops, to, dog, {}, pointer(own), how.delay));
  };
}

}  // namespace bench::load
