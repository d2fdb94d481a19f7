#include "wire/mongo/client.hpp"
#include "wire/status.hpp"

#include "bench/workloads/mongo_op_set.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

namespace bench::workloads {
namespace {

class mongo_op : public raw_workload {
 public:
  mongo_op(std::unique_ptr<wire::transport> transport, wire::watchdog& dog)
      : client_(std::move(transport), &dog) {}

  absl::Status hello() { return wire::to_status(client_.hello(), "hello", client_.why()); }

 protected:
  const wire::channel& channel() const override { return client_.channel(); }

  wire::mongo::client client_;
  codecs::mongo::document built_;
};

class ping final : public mongo_op {
 public:
  using mongo_op::mongo_op;

 private:
  wire::error_code op() override {
    codecs::mongo::build_ping(built_);
    return client_.command("admin", built_.view());
  }
};

class insert_one final : public mongo_op {
 public:
  using mongo_op::mongo_op;

 private:
  wire::error_code op() override {
    build_inserted(built_);
    const auto document = built_.view();
    return client_.insert({.database = database, .collection = collection, .documents = {&document, 1}});
  }
};

class find_one final : public mongo_op, codecs::mongo::document_sink {
 public:
  using mongo_op::mongo_op;

 private:
  wire::error_code op() override {
    build_filter(built_);
    found_ = 0;
    const auto error = client_.find({.database = database,
                                     .collection = collection,
                                     .filter = built_.view(),
                                     .limit = 1,
                                     .single_batch = true},
                                    *this);
    if (!error && found_ != found_bytes) return make_error_code(codecs::errc::remote_bad_value);
    return error;
  }

  bool take(codecs::bytes_view document) override {
    found_ += document.size();
    return true;
  }

  std::size_t found_ = 0;
};

std::unique_ptr<mongo_op> make(const std::string& op, std::unique_ptr<wire::transport> transport,
                               wire::watchdog& dog) {
  if (op == "ping") return std::make_unique<ping>(std::move(transport), dog);
  if (op == "insert_one") return std::make_unique<insert_one>(std::move(transport), dog);
  if (op == "find_one") return std::make_unique<find_one>(std::move(transport), dog);
  return nullptr;
}

}  // namespace

opened_raw open_mongo(const std::string& op, std::unique_ptr<wire::transport> transport,
                      wire::watchdog& dog) {
  auto opened = make(op, std::move(transport), dog);
  if (!opened) return absl::InvalidArgumentError(fmt::format("the raw MongoDB client has no op '{}'", op));
  if (auto status = opened->hello(); !status.ok()) return status;
  return opened;
}

}  // namespace bench::workloads
