#pragma once
// The two tables of the backends that keep files in PostgreSQL, and how they are asked:
//
//   wirebench_files          (hash primary key, bytes, object, row_id)   object: the large object, NULL until there is one
//   wirebench_file_mapping   (name primary key, hash)                    row_id: the key of the row that holds the content

#include "wire/pg/client.hpp"

#include "bench/workloads/file_server.hpp"

namespace bench::workloads {

/// A raw client that has logged in to `to`, which must be a PostgreSQL.
absl::StatusOr<std::unique_ptr<wire::pg::client>> connect_pg(const wire::endpoint& to, wire::watchdog& dog);

/// The statements on the tables, prepared on one connection. `client` outlives them.
class pg_files {
 public:
  explicit pg_files(wire::pg::client& client) : client_(client) {}

  absl::Status prepare();

  /// Writes both tables in one transaction and one round trip; the content's row, where it has one, is known beforehand.
  absl::StatusOr<entered> enter(const file_key& file, std::optional<std::int64_t> row_id = std::nullopt);

  /// Says which large object a content has become.
  absl::Status set_object(const file_key& file, codecs::pg::oid object);

  /// The large object or the row that a name leads to.
  absl::StatusOr<std::int64_t> find(const file_key& file);

  absl::Status told(const codecs::error_code& error, const std::string& doing) const;
  std::optional<traffic> counted() const;

 private:
  wire::pg::client& client_;
  codecs::pg::statement enter_;
  codecs::pg::statement set_object_;
  codecs::pg::statement find_;
};

/// A backend of these tables; what its connections do beside them is its own. Backends on one server share the tables: each makes them
/// empty before it begins.
class pg_files_backend : public file_server_backend {
 public:
  absl::Status make_empty() final;
  absl::Status remove() final;
  std::optional<std::int64_t> disk_bytes() final;

 protected:
  pg_files_backend(const file_server_setup& how, wire::endpoint to, std::int64_t chunk_bytes,
                   std::unique_ptr<wire::pg::client> keeper, wire::watchdog& dog)
      : file_server_backend(how, std::move(to), chunk_bytes, dog), keeper_(std::move(keeper)) {}

  /// Makes and drops a table of the backend's own.
  virtual absl::Status make_table() { return absl::OkStatus(); }
  virtual absl::Status drop_table() { return absl::OkStatus(); }
  absl::Status run(std::string_view sql);

 private:
  std::optional<pid_t> told_pid() const final;
  absl::StatusOr<std::int64_t> number(const char* sql);
  absl::Status unlink_objects();

  std::unique_ptr<wire::pg::client> keeper_;
};

}  // namespace bench::workloads
