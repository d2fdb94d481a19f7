#include "bench/sweep.hpp"

#include "codecs/pg/large_object.hpp"

#include "wire/strategy/source.hpp"

#include "bench/drivers/libmongoc_transfer.hpp"
#include "bench/drivers/libpq_transfer.hpp"
#include "bench/placement.hpp"
#include "bench/workloads/gridfs_writer.hpp"
#include "bench/workloads/transfer_floor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {

using workloads::direction;
using workloads::framing;
using workloads::transfer;
using workloads::transfer_payload;

namespace {

constexpr std::int64_t largest_document = 16 * 1024 * 1024;

/// A chunk document beside its payload: 50 bytes and its files_id, which is an ObjectId or, of a file that is read, a name.
std::int64_t gridfs_envelope(direction way, std::int64_t file_bytes, std::int64_t chunk_bytes) {
  constexpr std::size_t object_id = 12, text = sizeof(std::int32_t) + 1;
  const auto id =
      way == direction::upload ? object_id : text + workloads::stored_name(file_bytes, chunk_bytes).size();
  return static_cast<std::int64_t>(50 + id);
}

std::int64_t largest_chunk(const framing& how, direction way, std::int64_t file_bytes,
                           std::int64_t chunk_bytes) {
  if (how.protocol == wire::protocol::pg) return codecs::pg::large_object::max_chunk_bytes;
  return largest_document - gridfs_envelope(way, file_bytes, chunk_bytes);
}

/// Whether this system has what the strategy needs.
bool at_hand(std::string_view strategy) {
  const auto all = wire::source_strategies();
  const auto one = std::ranges::find(all, strategy, &wire::source_strategy::name);
  return one == all.end() || one->refusal == nullptr || one->refusal().empty();
}

/// One that was named is tried in any case, and says what it lacks.
bool wanted(const sweep_options& options, std::string_view strategy) {
  if (options.strategies.empty()) return at_hand(strategy);
  return std::ranges::find(options.strategies, strategy) != options.strategies.end();
}

/// All that go this way, and in the order in which they are asked for: the first one is what all others are compared with.
std::vector<std::string> strategies_of(const sweep_options& options, direction way) {
  std::vector<std::string> all{floor_strategy};
  for (const auto& one : workloads::strategies(way)) all.emplace_back(one.name);
  all.emplace_back(driver_strategy);
  if (options.strategies.empty()) return all;
  std::vector<std::string> chosen;
  for (const auto& name : options.strategies) {
    if (std::ranges::find(all, name) != all.end() && std::ranges::find(chosen, name) == chosen.end())
      chosen.push_back(name);
  }
  return chosen;
}

class plan_builder {
 public:
  plan_builder(const sweep_options& options, direction way, transfer_payload& payload, wire::watchdog& dog)
      : options_(options), way_(way), payload_(payload), dog_(dog) {}

  void add(const framing& how, const char* rung, const peer* served_by) {
    if (served_by == nullptr || !how.goes(way_)) return;
    const bool real = std::string_view(rung) == "real";
    const auto sizes = how.chunked ? options_.chunk_bytes : std::vector{options_.file_bytes};
    for (const auto chunk_bytes : sizes) {
      for (const auto& strategy : strategies_of(options_, way_)) {
        const bool none =
            strategy == driver_strategy ? how.driver.empty() : strategy == floor_strategy && real;
        if (!none) add(how, rung, *served_by, strategy, chunk_bytes);
      }
    }
  }

  std::vector<cell_plan> take() {
    if (cells_.empty()) return {};
    auto again = cells_.front();
    again.what.id += "/again";
    cells_.insert(cells_.begin() + 1, std::move(again));
    return std::move(cells_);
  }

 private:
  void add(const framing& how, const char* rung, const peer& served_by, const std::string& strategy,
           std::int64_t chunk_bytes) {
    const bool driver = strategy == driver_strategy;
    const std::string client(driver ? how.driver : strategy == floor_strategy ? floor_strategy : "raw");
    const bool real = std::string_view(rung) == "real";
    labels what{.id = fmt::format("{}/{}/{}/{}{}", name(way_), how.name, driver ? client : strategy,
                                  size_name(chunk_bytes), real ? "/real" : ""),
                .op = name(way_),
                .rung = rung,
                .client = client,
                .peer = served_by.name(),
                .transport = "tcp",
                .placement = name(placement::same_cpu),
                .profile = served_by.profile(),
                .framing = std::string(how.name),
                .direction = name(way_),
                .strategy = strategy,
                .chunk_bytes = chunk_bytes,
                .payload_bytes = options_.file_bytes};
    const transfer moved{.how = &how,
                         .way = way_,
                         .strategy = strategy,
                         .chunk_bytes = chunk_bytes,
                         .window = options_.window,
                         .batch = options_.batch};
    cells_.push_back({std::move(what), opener(moved, driver, served_by.tcp_uri()), &served_by});
  }

  std::function<absl::StatusOr<std::unique_ptr<workload>>()> opener(const transfer& moved, bool driver,
                                                                    const std::string& uri) const {
    return [moved, driver, uri, &payload = payload_,
            &dog = dog_]() -> absl::StatusOr<std::unique_ptr<workload>> {
      if (driver) {
        return moved.how->protocol == wire::protocol::mongo
                   ? drivers::open_libmongoc_transfer(moved, payload, uri, dog.timeout())
                   : drivers::open_libpq_transfer(moved, payload, uri, dog);
      }
      const auto to = wire::parse_endpoint(uri);
      if (!to.value) return absl::InvalidArgumentError(to.problem);
      return moved.strategy == floor_strategy ? workloads::open_transfer_floor(moved, payload, *to.value, dog)
                                              : workloads::open_transfer(moved, payload, *to.value, dog);
    };
  }

  const sweep_options& options_;
  direction way_;
  transfer_payload& payload_;
  wire::watchdog& dog_;
  std::vector<cell_plan> cells_;
};

absl::Status check_chunk(std::int64_t chunk_bytes, const sweep_options& options,
                         const std::vector<direction>& ways) {
  if (chunk_bytes < 1)
    return absl::InvalidArgumentError(fmt::format("a chunk of {} bytes; it has at least 1", chunk_bytes));
  if (chunk_bytes > options.file_bytes) {
    return absl::InvalidArgumentError(fmt::format(
        "a chunk of {} is larger than the file of {}: raise --file-size or leave it out of --chunks",
        size_name(chunk_bytes), size_name(options.file_bytes)));
  }
  for (const auto* how : options.framings) {
    for (const auto way : ways) {
      if (!how->chunked) continue;
      const auto most = largest_chunk(*how, way, options.file_bytes, chunk_bytes);
      if (!how->goes(way) || chunk_bytes <= most) continue;
      return absl::InvalidArgumentError(fmt::format(
          "a chunk of {} bytes does not fit a message of {}: at most {} do", chunk_bytes, how->name, most));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check(const sweep_options& options, const std::vector<direction>& ways) {
  for (const auto way : ways) {
    const auto goes = [way](const framing* how) { return how->goes(way); };
    if (std::ranges::any_of(options.framings, goes)) continue;
    return absl::InvalidArgumentError(
        fmt::format("none of the framings is for --direction {}: see --help for those that are", name(way)));
  }
  for (const auto* how : options.framings) {
    const auto takes = [how](direction way) { return how->goes(way); };
    if (std::ranges::any_of(ways, takes)) continue;
    return absl::InvalidArgumentError(fmt::format(
        "--framing {} does not {}: leave it out, or change --direction", how->name, name(ways.front())));
  }
  for (const auto chunk_bytes : options.chunk_bytes) {
    if (auto status = check_chunk(chunk_bytes, options, ways); !status.ok()) return status;
  }
  return absl::OkStatus();
}

std::vector<cell_plan> plan_sweep(const sweep_options& options, direction way, const sweep_peers& peers,
                                  transfer_payload& payload, wire::watchdog& dog) {
  plan_builder builder(options, way, payload, dog);
  for (const auto* how : options.framings) {
    const bool mongo = how->protocol == wire::protocol::mongo;
    builder.add(*how, "null", mongo ? peers.mongo : peers.pg);
  }
  for (const auto* how : options.framings) {
    const bool mongo = how->protocol == wire::protocol::mongo;
    builder.add(*how, "real", mongo ? peers.real_mongo : peers.real_pg);
  }
  return builder.take();
}

bool needs_files(const sweep_options& options, const std::vector<direction>& ways) {
  for (const auto way : ways) {
    for (const auto& strategy : workloads::strategies(way)) {
      if (strategy.needs_file && wanted(options, strategy.name)) return true;
    }
  }
  return false;
}

absl::Status clean_up_sweep(const sweep_peers& peers, wire::watchdog& dog) {
  if (peers.real_pg != nullptr) {
    const auto to = wire::parse_endpoint(peers.real_pg->tcp_uri());
    if (!to.value) return absl::InvalidArgumentError(to.problem);
    if (auto status = workloads::drop_tables(*to.value, dog); !status.ok()) return status;
  }
  if (peers.real_mongo == nullptr) return absl::OkStatus();
  const auto to = wire::parse_endpoint(peers.real_mongo->tcp_uri());
  if (!to.value) return absl::InvalidArgumentError(to.problem);
  for (const auto way : workloads::directions) {
    if (auto status = workloads::drop_bucket(workloads::bucket_of(way), *to.value, dog); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

std::string size_name(std::int64_t bytes) {
  constexpr std::int64_t kib = 1024, mib = kib * kib, gib = kib * mib;
  for (const auto& [unit, letter] : {std::pair(gib, 'G'), std::pair(mib, 'M'), std::pair(kib, 'K')}) {
    if (bytes >= unit && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, letter);
  }
  return fmt::format("{}", bytes);
}

}  // namespace bench
