#pragma once
// A whole file moved, as one op: a payload by one framing and one strategy over one connection of a raw client.
//
//   gridfs    MongoDB      upload     chunks, then the files document        download   files document, then a cursor on the chunks
//   lowrite   PostgreSQL   upload     BEGIN, lo_creat, lo_open, FunctionCalls of lowrite, lo_close, COMMIT
//   lo-trip   PostgreSQL   upload     the same as Bind/Execute, in one implicit transaction behind one Sync
//   loread    PostgreSQL   download   BEGIN, lo_open, FunctionCalls of loread, lo_close, COMMIT
//   lo_put    PostgreSQL   upload     BEGIN, lo_creat, lo_put for each chunk behind one Sync, COMMIT
//   lo_get    PostgreSQL   download   one query that streams one row for each chunk
//   bytea     PostgreSQL   both       one row with all of the file
//   rows      PostgreSQL   both       one row for each chunk: INSERTs behind one Sync, one SELECT
//   copy      PostgreSQL   both       the same rows by COPY in binary format
//
// What an upload has left on the server is taken away outside of the timer, after each round. What a download reads is put there when
// its connection is opened.

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include "bench/workloads/raw.hpp"
#include "bench/workloads/transfer_payload.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace bench::workloads {

enum class direction { upload, download };
inline constexpr direction directions[] = {direction::upload, direction::download};
const char* name(direction way);

struct framing {
  std::string_view name;
  wire::protocol protocol = wire::protocol::pg;
  bool uploads = true;
  bool downloads = true;
  bool chunked = true;         ///< false: a file is its only chunk
  bool rows = false;           ///< in tables of their own
  std::string_view driver{};   ///< that moves files in this way too; empty: none
  std::string_view summary{};  ///< for help texts

  bool goes(direction way) const { return way == direction::upload ? uploads : downloads; }
};
std::span<const framing> framings();

/// Null when there is none of that name.
const framing* find_framing(std::string_view name);

/// How raw clients get payload to the socket (wire::source_strategies), and from it (wire::receive_strategies, and `discard`).
struct transfer_strategy {
  std::string_view name;
  std::string_view summary;
  bool needs_file;
};
std::vector<transfer_strategy> strategies(direction way);

/// One cell's file and how it travels.
struct transfer {
  const framing* how = nullptr;
  direction way = direction::upload;
  std::string strategy;  ///< one of strategies(way); drivers have ways of their own
  std::int64_t chunk_bytes = 0;
  std::size_t window = 1;  ///< FunctionCalls in flight
  std::size_t batch = 1;   ///< GridFS chunks per message of an upload
};

/// Where the files are: uploads, which are removed after each round, apart from what downloads read.
const char* bucket_of(direction way);

/// The `_id` of a file that is read. The null server has every file of such a name, a real one has to be given it.
std::string stored_name(std::int64_t file_bytes, std::int64_t chunk_bytes);

/// Takes the tables of the framings in rows off a PostgreSQL.
absl::Status drop_tables(const wire::endpoint& of, wire::watchdog& dog);

/// Connects to `to`, which speaks the framing's protocol, and prepares. `payload` and `dog` outlive the workload.
absl::StatusOr<std::unique_ptr<workload>> open_transfer(const transfer& what, transfer_payload& payload,
                                                        const wire::endpoint& to, wire::watchdog& dog,
                                                        const wrap_transport& wrap = {});

}  // namespace bench::workloads
