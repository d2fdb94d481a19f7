#include "bench/workloads/transfer.hpp"

#include "wire/strategy/receiving.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workloads/connect.hpp"
#include "bench/workloads/docs_raw.hpp"
#include "bench/workloads/transfer_op.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::workloads {
namespace {

using wire::protocol;

constexpr framing all_framings[] = {
    {.name = "gridfs",
     .protocol = protocol::mongo,
     .driver = "libmongoc",
     .summary = "GridFS chunk documents"},
    {.name = "lowrite",
     .downloads = false,
     .driver = "libpq",
     .summary = "large object, FunctionCalls of lowrite"},
    {.name = "lo-trip", .downloads = false, .summary = "large object, Bind/Execute behind one Sync"},
    {.name = "lo_put", .downloads = false, .summary = "large object, lo_put behind one Sync"},
    {.name = "loread",
     .uploads = false,
     .driver = "libpq",
     .summary = "large object, FunctionCalls of loread"},
    {.name = "lo_get", .uploads = false, .summary = "large object, streamed by one query"},
    {.name = "bytea", .chunked = false, .rows = true, .summary = "one row with the file in a bytea"},
    {.name = "rows", .rows = true, .summary = "a row for each chunk, INSERTs behind one Sync, SELECT"},
    {.name = "copy", .rows = true, .summary = "a row for each chunk, COPY in binary format"},
};

constexpr transfer_strategy discard{"discard", "frames as a whole into one block, and no further", false};

absl::StatusOr<std::unique_ptr<transfer_op>> connected(const transfer& what, transfer_payload& payload,
                                                       const wire::endpoint& to, wire::watchdog& dog,
                                                       const wrap_transport& wrap) {
  if (what.how->protocol == wire::protocol::mongo) {
    auto client = connect_mongo(to, dog, wrap);
    if (!client.ok()) return client.status();
    return make_gridfs_transfer(what, payload, *std::move(client));
  }
  auto transport = connect(to, dog);
  if (!transport.ok()) return transport.status();
  if (wrap) transport = wrap(*std::move(transport));
  auto client = std::make_unique<wire::pg::client>(*std::move(transport), &dog);
  if (auto status = log_in(*client, to); !status.ok()) return status;
  return what.how->rows ? make_row_transfer(what, payload, std::move(client))
                        : make_large_object_transfer(what, payload, std::move(client));
}

}  // namespace

const char* name(direction way) {
  return way == direction::upload ? "upload" : "download";
}

std::span<const framing> framings() {
  return all_framings;
}

const framing* find_framing(std::string_view name) {
  const auto* found = std::ranges::find(all_framings, name, &framing::name);
  return found == std::end(all_framings) ? nullptr : found;
}

std::vector<transfer_strategy> strategies(direction way) {
  std::vector<transfer_strategy> all;
  if (way == direction::upload) {
    for (const auto& one : wire::source_strategies())
      all.push_back({one.name, one.summary, one.needs == wire::source_strategy::kind::file});
  } else {
    for (const auto& one : wire::receive_strategies()) all.push_back({one.name, one.summary, one.needs_file});
    all.push_back(discard);
  }
  return all;
}

const char* bucket_of(direction way) {
  return way == direction::upload ? "sweep_up" : "sweep_dn";  // of equal length
}

std::string stored_name(std::int64_t file_bytes, std::int64_t chunk_bytes) {
  return fmt::format("{}x{}", file_bytes, chunk_bytes);
}

absl::StatusOr<std::unique_ptr<workload>> open_transfer(const transfer& what, transfer_payload& payload,
                                                        const wire::endpoint& to, wire::watchdog& dog,
                                                        const wrap_transport& wrap) {
  auto made = connected(what, payload, to, dog, wrap);
  if (!made.ok()) return made.status();
  if (auto status = (*made)->make_ready(); !status.ok()) return status;
  return *std::move(made);
}

}  // namespace bench::workloads
