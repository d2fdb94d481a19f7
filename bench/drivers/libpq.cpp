#include "bench/drivers/libpq.hpp"

#include "bench/workloads/pg_op_set.hpp"

#include <fmt/format.h>
#include <libpq/libpq-fs.h>

#include <libpq-fe.h>

#include <type_traits>

namespace bench::drivers {
namespace {

using namespace workloads;

struct free_connection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using connection = std::unique_ptr<PGconn, free_connection>;

struct free_result {
  void operator()(PGresult* result) const { PQclear(result); }
};
using result = std::unique_ptr<PGresult, free_result>;

constexpr int binary = 1;

/// A connection and what all ops share: the watch on its socket, and errors in libpq's own words.
class libpq_op : public workload {
 public:
  libpq_op(connection pg, wire::watchdog& dog) : pg_(std::move(pg)), watch_(dog.add(PQsocket(pg_.get()))) {}

  absl::Status run(std::uint64_t ops) final {
    for (std::uint64_t i = 0; i < ops; ++i) {
      if (!watched([this] { return op(); })) return failed();
    }
    return absl::OkStatus();
  }

  std::optional<pid_t> server_pid() const override { return PQbackendPID(pg_.get()); }

  virtual absl::Status prepare() { return absl::OkStatus(); }

 protected:
  virtual bool op() = 0;

  PGconn* pg() const { return pg_.get(); }

  /// libpq waits for ever: every call that waits is made under the watch.
  template <typename Call>
  std::invoke_result_t<Call> watched(Call call) {
    watch_->arm();
    const auto answer = call();
    watch_->disarm();
    return answer;
  }

  absl::Status execute(const char* sql) {
    const bool good = watched([&] {
      const result done(PQexec(pg(), sql));
      return PQresultStatus(done.get()) == PGRES_COMMAND_OK;
    });
    return good ? absl::OkStatus() : failed();
  }

  absl::Status prepare_statement(const char* sql) {
    const bool good = watched([&] {
      const result done(PQprepare(pg(), statement_name, sql, 0, nullptr));
      return PQresultStatus(done.get()) == PGRES_COMMAND_OK;
    });
    return good ? absl::OkStatus() : failed();
  }

  absl::Status failed() const {
    if (watch_->fired()) return absl::DeadlineExceededError("libpq: the peer did not answer in time");
    const std::string message = PQerrorMessage(pg());
    const auto end = message.find_last_not_of('\n');
    if (end == std::string::npos) return absl::DataLossError("libpq: the reply is not the expected one");
    return absl::UnavailableError(fmt::format("libpq: {}", message.substr(0, end + 1)));
  }

 private:
  connection pg_;
  wire::watchdog::handle watch_;
};

class select_one final : public libpq_op {
 public:
  using libpq_op::libpq_op;

 private:
  bool op() override {
    const result rows(PQexec(pg(), select_one_sql));
    return PQresultStatus(rows.get()) == PGRES_TUPLES_OK && PQntuples(rows.get()) == 1;
  }
};

class select_param final : public libpq_op {
 public:
  using libpq_op::libpq_op;
  absl::Status prepare() override { return prepare_statement(select_param_sql); }

 private:
  bool op() override {
    std::uint8_t value[4];
    codecs::store_be(value, ++number_);
    const char* const values[] = {reinterpret_cast<const char*>(value)};
    const int lengths[] = {sizeof value};
    const int formats[] = {binary};
    const result rows(PQexecPrepared(pg(), statement_name, 1, values, lengths, formats, binary));
    return PQresultStatus(rows.get()) == PGRES_TUPLES_OK && PQntuples(rows.get()) == 1 &&
           PQgetlength(rows.get(), 0, 0) == sizeof value &&
           std::memcmp(PQgetvalue(rows.get(), 0, 0), value, sizeof value) == 0;
  }

  std::int32_t number_ = 0;
};

class insert_row final : public libpq_op {
 public:
  using libpq_op::libpq_op;
  absl::Status prepare() override { return prepare_statement(insert_row_sql); }

 private:
  bool op() override {
    const char* const values[] = {codecs::as_text(row_payload()).data()};
    const int lengths[] = {static_cast<int>(row_payload().size())};
    const int formats[] = {binary};
    const result done(PQexecPrepared(pg(), statement_name, 1, values, lengths, formats, binary));
    return PQresultStatus(done.get()) == PGRES_COMMAND_OK;
  }
};

class lowrite final : public libpq_op {
 public:
  using libpq_op::libpq_op;

  absl::Status before() override {
    if (auto status = execute("BEGIN"); !status.ok()) return status;
    descriptor_ = watched([this] {
      const Oid object = lo_creat(pg(), INV_READ | INV_WRITE);
      return object == InvalidOid ? -1 : lo_open(pg(), object, INV_WRITE);
    });
    return descriptor_ < 0 ? failed() : absl::OkStatus();
  }

  absl::Status after() override { return execute("ROLLBACK"); }

 private:
  bool op() override {
    const auto chunk = codecs::as_text(large_object_chunk());
    return lo_write(pg(), descriptor_, chunk.data(), chunk.size()) == static_cast<int>(chunk.size());
  }

  int descriptor_ = -1;
};

/// The watchdog needs a socket, which is there only afterwards; until then libpq's own limit holds, in whole
/// seconds and at least two.
connection connect(const std::string& uri, std::chrono::milliseconds timeout) {
  const auto seconds = std::to_string(std::chrono::ceil<std::chrono::seconds>(timeout).count());
  const char* const keywords[] = {"dbname", "connect_timeout", nullptr};
  const char* const values[] = {uri.c_str(), seconds.c_str(), nullptr};
  constexpr int dbname_is_uri = 1;
  return connection(PQconnectdbParams(keywords, values, dbname_is_uri));
}

std::unique_ptr<libpq_op> make(const std::string& op, connection pg, wire::watchdog& dog) {
  if (op == "select1") return std::make_unique<select_one>(std::move(pg), dog);
  if (op == "select_param") return std::make_unique<select_param>(std::move(pg), dog);
  if (op == "insert_row") return std::make_unique<insert_row>(std::move(pg), dog);
  if (op == "lowrite_256k") return std::make_unique<lowrite>(std::move(pg), dog);
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_libpq(const std::string& op, const std::string& uri,
                                                     wire::watchdog& dog) {
  auto pg = connect(uri, dog.timeout());
  if (PQstatus(pg.get()) != CONNECTION_OK) {
    const std::string message = PQerrorMessage(pg.get());
    return absl::UnavailableError(
        fmt::format("libpq: {}", message.substr(0, message.find_last_not_of('\n') + 1)));
  }
  auto opened = make(op, std::move(pg), dog);
  if (!opened) return absl::InvalidArgumentError(fmt::format("libpq has no op '{}'", op));
  if (auto status = opened->prepare(); !status.ok()) return status;
  return opened;
}

std::string libpq_version() {
  return fmt::format("{}.{}", PQlibVersion() / 10000, PQlibVersion() % 10000);
}

}  // namespace bench::drivers
