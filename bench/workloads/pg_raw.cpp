#include "codecs/pg/pipeline_exchange.hpp"

#include "wire/pg/client.hpp"
#include "wire/status.hpp"

#include "bench/workloads/connect.hpp"
#include "bench/workloads/pg_op_set.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

namespace bench::workloads {
namespace {

using codecs::errc;

using shared_client = std::shared_ptr<wire::pg::client>;

/// Each op has an exchange of its own, and not the client's, so that several may be in flight on a connection.
class pg_op : public raw_workload {
 public:
  /// `statement` is a name that no other op of the connection has.
  pg_op(shared_client client, std::string statement)
      : raw_workload(client->channel()), shared_(std::move(client)), client_(*shared_) {
    statement_.name = std::move(statement);
  }

  virtual absl::Status prepare() { return absl::OkStatus(); }

  std::optional<pid_t> server_pid() const override {
    const pid_t told = client_.session().backend_pid;
    return told == 0 ? std::nullopt : std::optional(told);
  }

 private:
  shared_client shared_;

 protected:
  std::string server_code() const override { return client_.session().sqlstate; }

  absl::Status prepare_statement(const char* sql) {
    return wire::to_status(client_.prepare(sql, statement_), fmt::format("preparing '{}'", sql),
                           client_.why());
  }

  absl::Status query(const char* sql) { return wire::to_status(client_.query(sql), sql, client_.why()); }

  wire::pg::client& client_;
  codecs::pg::statement statement_;
};

class select_one final : public pg_op, codecs::pg::result_sink {
 public:
  using pg_op::pg_op;

  codecs::exchange& next_op() override {
    rows_ = 0;
    query_.set(select_one_sql, this);
    return query_;
  }

 private:
  bool as_expected() const override { return rows_ == 1; }
  void on_row(const codecs::pg::data_row&) override { ++rows_; }

  codecs::pg::query_exchange query_{client_.session()};
  int rows_ = 0;
};

class select_param final : public pg_op, codecs::pg::result_sink {
 public:
  using pg_op::pg_op;
  absl::Status prepare() override { return prepare_statement(select_param_sql); }

  codecs::exchange& next_op() override {
    codecs::store_be(value_, ++number_);
    rows_ = 0;
    execute_.set(statement_, {&parameter_, 1}, this);
    return execute_;
  }

 private:
  bool as_expected() const override { return rows_ == 1; }

  void on_row(const codecs::pg::data_row& row) override {
    for (const auto& value : row.values) {
      if (value && value->size() == sizeof value_ && std::memcmp(value->data(), value_, sizeof value_) == 0)
        ++rows_;
    }
  }

  codecs::pg::execute_exchange execute_{client_.session()};
  std::uint8_t value_[4] = {};
  const codecs::pg::value parameter_ = codecs::bytes_view(value_);
  std::int32_t number_ = 0;
  int rows_ = 0;
};

class insert_row final : public pg_op {
 public:
  using pg_op::pg_op;
  absl::Status prepare() override { return prepare_statement(insert_row_sql); }

  codecs::exchange& next_op() override {
    execute_.set(statement_, {&parameter_, 1});
    return execute_;
  }

 private:
  codecs::pg::execute_exchange execute_{client_.session()};
  const codecs::pg::value parameter_ = row_payload();
};

class lowrite final : public pg_op {
 public:
  using pg_op::pg_op;

  bool works_in_rounds() const override { return true; }

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

  codecs::exchange& next_op() override {
    return client_.call_op(codecs::pg::large_object::lowrite(descriptor_, large_object_chunk()));
  }

 private:
  bool as_expected() const override {
    return client_.number() == static_cast<std::int64_t>(large_object_chunk().size());
  }

  absl::Status call(const codecs::pg::large_object::call& what, const char* name) {
    return wire::to_status(client_.call(what), name, client_.why());
  }

  std::int32_t descriptor_ = -1;
};

class noop final : public pg_op {
 public:
  using pg_op::pg_op;

  codecs::exchange& next_op() override {
    sync_.set({});
    return sync_;
  }

 private:
  codecs::pg::pipeline_exchange sync_{client_.session()};  // of no steps
};

/// A statement of the user's own. Whatever rows it returns are right.
class own_sql final : public pg_op {
 public:
  own_sql(shared_client client, std::string statement, const sql_statement& own)
      : pg_op(std::move(client), std::move(statement)),
        own_(own),
        values_(own),
        parameters_(own.parameters.size()) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i] = values_.binary(i);
    step_ = {.statement = "", .query = own_.text, .parameters = parameters_};
  }

  absl::Status prepare() override {
    return own_.mode == query_mode::prepared ? prepare_statement(own_.text.c_str()) : absl::OkStatus();
  }

  codecs::exchange& next_op() override {
    values_.draw();
    switch (own_.mode) {
      case query_mode::simple:
        query_.set(values_.text());
        return query_;
      case query_mode::extended:
        whole_.set({&step_, 1});
        return whole_;
      case query_mode::prepared:
        break;
    }
    execute_.set(statement_, parameters_);
    return execute_;
  }

 private:
  const sql_statement own_;
  sql_values values_;
  std::vector<codecs::pg::value> parameters_;  // views of what values_ draws
  codecs::pg::pipeline_step step_;
  codecs::pg::query_exchange query_{client_.session()};
  codecs::pg::execute_exchange execute_{client_.session()};
  codecs::pg::pipeline_exchange whole_{client_.session()};
};

std::unique_ptr<pg_op> make(const std::string& op, const shared_client& client, std::string statement,
                            const sql_statement* own) {
  if (op == sql_op && own != nullptr) return std::make_unique<own_sql>(client, std::move(statement), *own);
  if (op == noop_op) return std::make_unique<noop>(client, std::move(statement));
  if (op == "select1") return std::make_unique<select_one>(client, std::move(statement));
  if (op == "select_param") return std::make_unique<select_param>(client, std::move(statement));
  if (op == "insert_row") return std::make_unique<insert_row>(client, std::move(statement));
  if (op == "lowrite_256k") return std::make_unique<lowrite>(client, std::move(statement));
  return nullptr;
}

}  // namespace

opened_raws open_pg(const std::vector<std::string>& ops, std::unique_ptr<wire::transport> transport,
                    const wire::endpoint& login, wire::watchdog& dog, const sql_statement* own) {
  const auto client = std::make_shared<wire::pg::client>(std::move(transport), &dog);
  auto next_own = own != nullptr ? std::optional(*own) : std::nullopt;
  std::vector<std::unique_ptr<pg_op>> made;
  for (const auto& op : ops) {
    made.push_back(make(op, client, statement_name(made.size()), next_own ? &*next_own : nullptr));
    if (next_own) ++next_own->seed;  // the same statement in flight several times draws other parameters
    if (!made.back())
      return absl::InvalidArgumentError(fmt::format("the raw PostgreSQL client has no op '{}'", op));
  }
  if (auto status = log_in(*client, login); !status.ok()) return status;
  std::vector<std::unique_ptr<raw_workload>> opened;
  for (auto& each : made) {
    if (auto status = each->prepare(); !status.ok()) return status;
    opened.push_back(std::move(each));
  }
  return opened;
}

}  // namespace bench::workloads
