#include "wire/mongo/client.hpp"
#include "wire/status.hpp"

#include "bench/workloads/mongo_op_set.hpp"
#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

namespace bench::workloads {
namespace {

using shared_client = std::shared_ptr<wire::mongo::client>;

class mongo_op : public raw_workload {
 public:
  explicit mongo_op(shared_client client)
      : raw_workload(client->channel()), shared_(std::move(client)), client_(*shared_) {}

 private:
  shared_client shared_;

 protected:
  wire::mongo::client& client_;
  codecs::mongo::document built_;
};

class ping final : public mongo_op {
 public:
  using mongo_op::mongo_op;

  codecs::exchange& next_op() override {
    codecs::mongo::build_ping(built_);
    return client_.command_op("admin", built_.view());
  }
};

class insert_one final : public mongo_op {
 public:
  using mongo_op::mongo_op;

  codecs::exchange& next_op() override {
    build_inserted(built_);
    document_ = built_.view();
    return client_.insert_op({.database = database, .collection = collection, .documents = {&document_, 1}});
  }

 private:
  codecs::bytes_view document_;
};

class find_one final : public mongo_op, codecs::mongo::document_sink {
 public:
  using mongo_op::mongo_op;

  codecs::exchange& next_op() override {
    build_filter(built_);
    found_ = 0;
    return client_.find_op({.database = database,
                            .collection = collection,
                            .filter = built_.view(),
                            .limit = 1,
                            .single_batch = true},
                           *this);
  }

 private:
  bool as_expected() const override { return found_ == found_bytes; }

  bool take(codecs::bytes_view document) override {
    found_ += document.size();
    return true;
  }

  std::size_t found_ = 0;
};

class noop final : public mongo_op {
 public:
  using mongo_op::mongo_op;

  codecs::exchange& next_op() override {
    built_.clear();
    bson_append_int32(built_.get(), "hello", 5, 1);
    return client_.command_op("admin", built_.view());
  }
};

std::unique_ptr<mongo_op> make(const std::string& op, const shared_client& client) {
  if (op == noop_op) return std::make_unique<noop>(client);
  if (op == "ping") return std::make_unique<ping>(client);
  if (op == "insert_one") return std::make_unique<insert_one>(client);
  if (op == "find_one") return std::make_unique<find_one>(client);
  return nullptr;
}

}  // namespace

opened_raws open_mongo(const std::vector<std::string>& ops, std::unique_ptr<wire::transport> transport,
                       wire::watchdog& dog) {
  const auto client = std::make_shared<wire::mongo::client>(std::move(transport), &dog);
  std::vector<std::unique_ptr<raw_workload>> opened;
  for (const auto& op : ops) {
    opened.push_back(make(op, client));
    if (!opened.back())
      return absl::InvalidArgumentError(fmt::format("the raw MongoDB client has no op '{}'", op));
  }
  if (const auto error = client->hello()) return wire::to_status(error, "hello", client->why());
  return opened;
}

}  // namespace bench::workloads
