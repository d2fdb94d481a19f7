#include "wire/pg/client.hpp"
#include "wire/status.hpp"

#include "bench/workloads/pg_op_set.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

namespace bench::workloads {
namespace {

using codecs::errc;

class pg_op : public raw_workload {
 public:
  pg_op(std::unique_ptr<wire::transport> transport, wire::watchdog& dog)
      : client_(std::move(transport), &dog) {}

  absl::Status log_in(const wire::endpoint& login) {
    const auto error =
        client_.log_in({.user = login.user, .database = login.database, .password = login.password});
    return wire::to_status(error, "log-in", client_.why());
  }

  virtual absl::Status prepare() { return absl::OkStatus(); }

  std::optional<pid_t> server_pid() const override {
    const pid_t told = client_.session().backend_pid;
    return told == 0 ? std::nullopt : std::optional(told);
  }

 protected:
  const wire::channel& channel() const override { return client_.channel(); }

  absl::Status prepare_statement(const char* sql) {
    statement_.name = statement_name;
    return wire::to_status(client_.prepare(sql, statement_), fmt::format("preparing '{}'", sql),
                           client_.why());
  }

  absl::Status query(const char* sql) { return wire::to_status(client_.query(sql), sql, client_.why()); }

  wire::pg::client client_;
  codecs::pg::statement statement_;
};

class select_one final : public pg_op, codecs::pg::result_sink {
 public:
  using pg_op::pg_op;

 private:
  wire::error_code op() override {
    rows_ = 0;
    const auto error = client_.query(select_one_sql, this);
    if (!error && rows_ != 1) return make_error_code(errc::remote_bad_value);
    return error;
  }

  void on_row(const codecs::pg::data_row&) override { ++rows_; }

  int rows_ = 0;
};

class select_param final : public pg_op, codecs::pg::result_sink {
 public:
  using pg_op::pg_op;
  absl::Status prepare() override { return prepare_statement(select_param_sql); }

 private:
  wire::error_code op() override {
    codecs::store_be(value_, ++number_);
    const codecs::pg::value parameter = codecs::bytes_view(value_);
    rows_ = 0;
    const auto error = client_.execute(statement_, {&parameter, 1}, this);
    if (!error && rows_ != 1) return make_error_code(errc::remote_bad_value);
    return error;
  }

  void on_row(const codecs::pg::data_row& row) override {
    for (const auto& value : row.values) {
      if (value && value->size() == sizeof value_ && std::memcmp(value->data(), value_, sizeof value_) == 0)
        ++rows_;
    }
  }

  std::uint8_t value_[4] = {};
  std::int32_t number_ = 0;
  int rows_ = 0;
};

class insert_row final : public pg_op {
 public:
  using pg_op::pg_op;
  absl::Status prepare() override { return prepare_statement(insert_row_sql); }

 private:
  wire::error_code op() override {
    const codecs::pg::value parameter = row_payload();
    return client_.execute(statement_, {&parameter, 1});
  }
};

class lowrite final : public pg_op {
 public:
  using pg_op::pg_op;

  absl::Status before() override {
    namespace lo = codecs::pg::large_object;
    if (auto status = query("BEGIN"); !status.ok()) return status;
    if (auto status = call(lo::lo_creat(), "lo_creat"); !status.ok()) return status;
    const auto object = static_cast<codecs::pg::oid>(client_.number());
    if (auto status = call(lo::lo_open(object, lo::inv_write), "lo_open"); !status.ok()) return status;
    descriptor_ = static_cast<std::int32_t>(client_.number());
    return absl::OkStatus();
  }

  absl::Status after() override { return query("ROLLBACK"); }

 private:
  wire::error_code op() override {
    const auto error = client_.call(codecs::pg::large_object::lowrite(descriptor_, large_object_chunk()));
    if (!error && client_.number() != static_cast<std::int64_t>(large_object_chunk().size())) {
      return make_error_code(errc::remote_bad_value);
    }
    return error;
  }

  absl::Status call(const codecs::pg::large_object::call& what, const char* name) {
    return wire::to_status(client_.call(what), name, client_.why());
  }

  std::int32_t descriptor_ = -1;
};

std::unique_ptr<pg_op> make(const std::string& op, std::unique_ptr<wire::transport> transport,
                            wire::watchdog& dog) {
  if (op == "select1") return std::make_unique<select_one>(std::move(transport), dog);
  if (op == "select_param") return std::make_unique<select_param>(std::move(transport), dog);
  if (op == "insert_row") return std::make_unique<insert_row>(std::move(transport), dog);
  if (op == "lowrite_256k") return std::make_unique<lowrite>(std::move(transport), dog);
  return nullptr;
}

}  // namespace

opened_raw open_pg(const std::string& op, std::unique_ptr<wire::transport> transport,
                   const wire::endpoint& login, wire::watchdog& dog) {
  auto opened = make(op, std::move(transport), dog);
  if (!opened) return absl::InvalidArgumentError(fmt::format("the raw PostgreSQL client has no op '{}'", op));
  if (auto status = opened->log_in(login); !status.ok()) return status;
  if (auto status = opened->prepare(); !status.ok()) return status;
  return opened;
}

}  // namespace bench::workloads
