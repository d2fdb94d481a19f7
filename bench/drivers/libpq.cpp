#include "bench/drivers/libpq.hpp"

#include "bench/drivers/libpq_op.hpp"
#include "bench/workloads/pg_op_set.hpp"

#include <fmt/format.h>
#include <libpq/libpq-fs.h>

namespace bench::drivers {
namespace {

using namespace workloads;

constexpr int binary = 1;

class select_one final : public libpq_op {
 public:
  using libpq_op::libpq_op;

 private:
  bool op() override {
    const result rows(PQexec(pg(), select_one_sql));
    return good(rows, PGRES_TUPLES_OK) && PQntuples(rows.get()) == 1;
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
    const result rows(PQexecPrepared(pg(), statement(), 1, values, lengths, formats, binary));
    return good(rows, PGRES_TUPLES_OK) && PQntuples(rows.get()) == 1 &&
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
    const result done(PQexecPrepared(pg(), statement(), 1, values, lengths, formats, binary));
    return good(done, PGRES_COMMAND_OK);
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

  bool works_in_rounds() const override { return true; }

 private:
  bool op() override {
    const auto chunk = codecs::as_text(large_object_chunk());
    return lo_write(pg(), descriptor_, chunk.data(), chunk.size()) == static_cast<int>(chunk.size());
  }

  int descriptor_ = -1;
};

/// A statement of the user's own. Whatever rows it returns are right.
class own_sql final : public libpq_op {
 public:
  own_sql(shared_connection shared, std::string name, const sql_statement& own)
      : libpq_op(std::move(shared), std::move(name)),
        own_(own),
        values_(own),
        formats_(own.parameters.size(), binary) {
    for (std::size_t i = 0; i < own_.parameters.size(); ++i) {
      parameters_.push_back(codecs::as_text(values_.binary(i)).data());
      lengths_.push_back(static_cast<int>(own_.parameters[i].bytes));
    }
  }

  absl::Status prepare() override {
    return own_.mode == query_mode::prepared ? prepare_statement(own_.text.c_str()) : absl::OkStatus();
  }

 private:
  bool op() override {
    values_.draw();
    const result done(send());
    return PQresultStatus(done.get()) == PGRES_COMMAND_OK || good(done, PGRES_TUPLES_OK);
  }

  PGresult* send() {
    const auto count = static_cast<int>(parameters_.size());
    switch (own_.mode) {
      case query_mode::simple:
        return PQexec(pg(), values_.text().c_str());
      case query_mode::extended:
        return PQexecParams(pg(), own_.text.c_str(), count, nullptr, parameters_.data(), lengths_.data(),
                            formats_.data(), binary);
      case query_mode::prepared:
        break;
    }
    return PQexecPrepared(pg(), statement(), count, parameters_.data(), lengths_.data(), formats_.data(),
                          binary);
  }

  const sql_statement own_;
  sql_values values_;
  std::vector<const char*> parameters_;  // views of what values_ draws
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

std::unique_ptr<libpq_op> make(const std::string& op, const shared_connection& shared, std::string statement,
                               const sql_statement* own) {
  if (op == sql_op && own != nullptr) return std::make_unique<own_sql>(shared, std::move(statement), *own);
  if (op == "select1") return std::make_unique<select_one>(shared, std::move(statement));
  if (op == "select_param") return std::make_unique<select_param>(shared, std::move(statement));
  if (op == "insert_row") return std::make_unique<insert_row>(shared, std::move(statement));
  if (op == "lowrite_256k") return std::make_unique<lowrite>(shared, std::move(statement));
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_libpq(const std::string& op, const std::string& uri,
                                                     wire::watchdog& dog) {
  auto opened = open_libpq(std::vector{op}, uri, dog);
  if (!opened.ok()) return opened.status();
  return std::move(opened->front());
}

absl::StatusOr<std::vector<std::unique_ptr<workload>>> open_libpq(const std::vector<std::string>& ops,
                                                                  const std::string& uri, wire::watchdog& dog,
                                                                  const sql_statement* own) {
  const auto shared = open_connection(uri, dog);
  if (!shared.ok()) return shared.status();
  std::vector<std::unique_ptr<workload>> opened;
  for (const auto& op : ops) {
    auto made = make(op, *shared, statement_name(opened.size()), own);
    if (!made) return absl::InvalidArgumentError(fmt::format("libpq has no op '{}'", op));
    if (auto status = made->prepare(); !status.ok()) return status;
    opened.push_back(std::move(made));
  }
  return opened;
}

std::string libpq_version() {
  return fmt::format("{}.{}", PQlibVersion() / 10000, PQlibVersion() % 10000);
}

}  // namespace bench::drivers
