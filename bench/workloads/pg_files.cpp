#include "bench/workloads/pg_files.hpp"

#include "wire/status.hpp"

#include "bench/server_process.hpp"
#include "bench/workloads/connect.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace bench::workloads {
namespace {

using codecs::pg::oid;
using codecs::pg::value;

constexpr auto enter_sql =
    "WITH mapped AS (INSERT INTO wirebench_file_mapping (name, hash) VALUES ($1, $2) ON CONFLICT (name) DO "
    "NOTHING) "
    "INSERT INTO wirebench_files (hash, bytes, row_id) VALUES ($2, $3, $4) ON CONFLICT (hash) DO NOTHING";
constexpr auto set_object_sql = "UPDATE wirebench_files SET object = $1 WHERE hash = $2";
constexpr auto find_sql =
    "SELECT coalesce(object::int8, row_id) FROM wirebench_file_mapping JOIN wirebench_files USING (hash) "
    "WHERE name = $1";

constexpr auto drop_sql = "DROP TABLE IF EXISTS wirebench_files, wirebench_file_mapping";
constexpr auto create_sql =
    "CREATE TABLE wirebench_files (hash text PRIMARY KEY, bytes int8 NOT NULL, object oid, row_id int8);"
    "CREATE TABLE wirebench_file_mapping (name text PRIMARY KEY, hash text NOT NULL)";
constexpr auto there_sql = "SELECT count(*) FROM pg_class WHERE oid = to_regclass('wirebench_files')";

// A transaction that unlinks holds a lock for each object, and a server has room for some thousands.
constexpr auto unlink_some_sql =
    "WITH gone AS (DELETE FROM wirebench_files WHERE hash IN "
    "(SELECT hash FROM wirebench_files WHERE object IS NOT NULL LIMIT 500) RETURNING object) "
    "SELECT count(lo_unlink(object)) FROM gone";

value text(const std::string& from) {
  return codecs::as_bytes(from);
}

/// An integer in wire form.
template <typename Number>
class number_value {
 public:
  explicit number_value(Number number) { codecs::store_be(bytes_.data(), number); }
  value get() const { return codecs::bytes_view(bytes_); }

 private:
  std::array<std::uint8_t, sizeof(Number)> bytes_{};
};

/// The tag of a result, and the value of its only row and column.
class one_value final : public codecs::pg::result_sink {
 public:
  void on_row(const codecs::pg::data_row& row) override {
    ++rows;
    for (const auto& each : row.values) {
      if (each) bytes.assign(each->begin(), each->end());
    }
  }
  void on_complete(std::string_view given) override { tag = given; }

  std::string tag;
  int rows = 0;
  std::string bytes;
};

absl::Status answered_with(const std::string& doing, const std::string& answer) {
  return absl::DataLossError(fmt::format("{}: the server answered {}", doing, answer));
}

}  // namespace

absl::StatusOr<std::unique_ptr<wire::pg::client>> connect_pg(const wire::endpoint& to, wire::watchdog& dog) {
  auto transport = connect(to, dog);
  if (!transport.ok()) return transport.status();
  auto client = std::make_unique<wire::pg::client>(*std::move(transport), &dog);
  if (auto status = log_in(*client, to); !status.ok()) return status;
  return client;
}

absl::Status pg_files::told(const codecs::error_code& error, const std::string& doing) const {
  return file_status(error, doing, client_.why(), client_.session().sqlstate);
}

absl::Status pg_files::prepare() {
  const auto prepare = [this](const char* name, const char* sql, codecs::pg::statement& into) {
    into.name = name;
    return told(client_.prepare(sql, into), fmt::format("preparing '{}'", sql));
  };
  if (auto status = prepare("enter", enter_sql, enter_); !status.ok()) return status;
  if (auto status = prepare("set_object", set_object_sql, set_object_); !status.ok()) return status;
  return prepare("find", find_sql, find_);
}

absl::StatusOr<entered> pg_files::enter(const file_key& file, std::optional<std::int64_t> row_id) {
  const number_value bytes(file.bytes);
  const number_value row(row_id.value_or(0));
  const value parameters[] = {text(file.name), text(file.hash), bytes.get(), row_id ? row.get() : value()};
  one_value answer;
  const auto doing = "entering " + file.name;
  if (const auto error = client_.execute(enter_, parameters, &answer)) return told(error, doing);
  if (answer.tag == "INSERT 0 1") return entered::fresh;
  if (answer.tag == "INSERT 0 0") return entered::known;
  return answered_with(doing, answer.tag);
}

absl::Status pg_files::set_object(const file_key& file, oid object) {
  const number_value number(object);
  const value parameters[] = {number.get(), text(file.hash)};
  one_value answer;
  const auto doing = "storing " + file.name;
  if (const auto error = client_.execute(set_object_, parameters, &answer)) return told(error, doing);
  return answer.tag == "UPDATE 1" ? absl::OkStatus() : answered_with(doing, answer.tag);
}

absl::StatusOr<std::int64_t> pg_files::find(const file_key& file) {
  const value parameter = text(file.name);
  one_value answer;
  const auto doing = "finding " + file.name;
  if (const auto error = client_.execute(find_, {&parameter, 1}, &answer)) return told(error, doing);
  if (answer.bytes.size() != sizeof(std::int64_t))
    return answered_with(doing, fmt::format("{} rows, not with one that is stored", answer.rows));
  return codecs::load_be<std::int64_t>(codecs::as_bytes(answer.bytes).data());
}

std::optional<traffic> pg_files::counted() const {
  const auto& counters = client_.channel().counters();
  return traffic{.frames_out = counters.frames_out,
                 .frames_in = counters.frames_in,
                 .bytes_out = counters.bytes_out,
                 .bytes_in = counters.bytes_in};
}

absl::Status pg_files_backend::run(std::string_view sql) {
  return file_status(keeper_->query(sql), std::string(sql), keeper_->why(), keeper_->session().sqlstate);
}

absl::StatusOr<std::int64_t> pg_files_backend::number(const char* sql) {
  one_value answer;
  const auto error = keeper_->query(sql, &answer);
  if (error) return file_status(error, sql, keeper_->why(), keeper_->session().sqlstate);
  std::int64_t value = 0;
  const auto* end = answer.bytes.data() + answer.bytes.size();
  const auto [rest, bad] = std::from_chars(answer.bytes.data(), end, value);
  if (bad != std::errc() || rest != end) return answered_with(sql, answer.bytes);
  return value;
}

absl::Status pg_files_backend::unlink_objects() {
  auto there = number(there_sql);
  if (!there.ok() || *there == 0) return there.status();
  while (true) {
    const auto gone = number(unlink_some_sql);
    if (!gone.ok() || *gone == 0) return gone.status();
  }
}

/// A null server keeps nothing that could be taken away.
absl::Status pg_files_backend::remove() {
  if (keeps()) {
    if (auto status = unlink_objects(); !status.ok()) return status;
  }
  if (auto status = drop_table(); !status.ok()) return status;
  return run(drop_sql);
}

absl::Status pg_files_backend::make_empty() {
  if (auto status = remove(); !status.ok()) return status;
  if (keeps()) {
    // The space of objects that are gone, so that the disk used is that of this repetition; only its owner may.
    auto status = run("VACUUM pg_largeobject");
    if (!status.ok() && !absl::IsFailedPrecondition(status)) return status;
  }
  if (auto status = run(create_sql); !status.ok()) return status;
  return make_table();
}

std::optional<std::int64_t> pg_files_backend::disk_bytes() {
  if (!keeps()) return std::nullopt;
  const auto told = number("SELECT pg_database_size(current_database())");
  return told.ok() ? std::optional(*told) : std::nullopt;
}

std::optional<pid_t> pg_files_backend::told_pid() const {
  const pid_t serves = keeper_->session().backend_pid;  // a child of the server's
  if (serves == 0 || !how_.served_by->local()) return std::nullopt;
  const auto server = parent_of(serves);
  return server && listens_on(*server, to_) ? server : std::nullopt;
}

}  // namespace bench::workloads
