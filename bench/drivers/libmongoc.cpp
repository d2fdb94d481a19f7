#include "bench/drivers/libmongoc.hpp"

#include "codecs/mongo/command.hpp"

#include "bench/drivers/libmongoc_client.hpp"
#include "bench/server_error.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

namespace bench::drivers {
namespace {

using namespace workloads;

using collection_ptr = std::unique_ptr<mongoc_collection_t, destroy<mongoc_collection_destroy>>;
using cursor_ptr = std::unique_ptr<mongoc_cursor_t, destroy<mongoc_cursor_destroy>>;

/// Code of errors that are ours: libmongoc was content, but the reply is not the one that the op must get.
constexpr std::uint32_t wrong_reply = 1;

absl::Status failed(const bson_error_t& error) {
  const auto sentence = fmt::format("libmongoc: {}", error.message);
  if (error.domain == 0 && error.code == wrong_reply) return absl::DataLossError(sentence);
  if (error.domain != MONGOC_ERROR_SERVER) return absl::UnavailableError(sentence);
  return with_server_code(absl::FailedPreconditionError(sentence), std::to_string(error.code));
}

/// A client and its collection, and the loop that all ops share.
class libmongoc_op : public workload {
 public:
  explicit libmongoc_op(libmongoc_client client)
      : client_(std::move(client)),
        docs_(mongoc_client_get_collection(client_.get(), database, collection)) {}

  absl::Status run(std::uint64_t ops) final {
    for (std::uint64_t i = 0; i < ops; ++i) {
      if (!op()) return failed(error_);
    }
    return absl::OkStatus();
  }

 protected:
  virtual bool op() = 0;

  mongoc_client_t* client() const { return client_.get(); }
  mongoc_collection_t* docs() const { return docs_.get(); }

  bson_error_t error_{};
  codecs::mongo::document built_;

 private:
  libmongoc_client client_;
  collection_ptr docs_;
};

class ping final : public libmongoc_op {
 public:
  using libmongoc_op::libmongoc_op;

 private:
  bool op() override {
    codecs::mongo::build_ping(built_);
    bson_t reply;
    const bool good = mongoc_client_command_simple(client(), "admin", built_.get(), nullptr, &reply, &error_);
    bson_destroy(&reply);
    return good;
  }
};

class insert_one final : public libmongoc_op {
 public:
  using libmongoc_op::libmongoc_op;

 private:
  bool op() override {
    build_inserted(built_);
    return mongoc_collection_insert_one(docs(), built_.get(), nullptr, nullptr, &error_);
  }
};

class find_one final : public libmongoc_op {
 public:
  explicit find_one(libmongoc_client client) : libmongoc_op(std::move(client)) {
    bson_append_int64(options_.get(), "limit", -1, 1);
    bson_append_bool(options_.get(), "singleBatch", -1, true);
  }

 private:
  bool op() override {
    build_filter(built_);
    const cursor_ptr cursor(mongoc_collection_find_with_opts(docs(), built_.get(), options_.get(), nullptr));
    const bson_t* document = nullptr;
    std::size_t found = 0;
    while (mongoc_cursor_next(cursor.get(), &document)) found += document->len;
    if (mongoc_cursor_error(cursor.get(), &error_)) return false;
    if (found == found_bytes) return true;
    bson_set_error(&error_, 0, wrong_reply, "found %zu bytes where one document of %zu was expected", found,
                   found_bytes);
    return false;
  }

  codecs::mongo::document options_;
};

std::unique_ptr<workload> make(const std::string& op, const libmongoc_client& client) {
  if (op == "ping") return std::make_unique<ping>(client);
  if (op == "insert_one") return std::make_unique<insert_one>(client);
  if (op == "find_one") return std::make_unique<find_one>(client);
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_libmongoc(const std::string& op, const std::string& uri,
                                                         std::chrono::milliseconds timeout) {
  auto opened = open_libmongoc(std::vector{op}, uri, timeout);
  if (!opened.ok()) return opened.status();
  return std::move(opened->front());
}

absl::StatusOr<std::vector<std::unique_ptr<workload>>> open_libmongoc(const std::vector<std::string>& ops,
                                                                      const std::string& uri,
                                                                      std::chrono::milliseconds timeout) {
  const auto client = open_client(uri, timeout);
  if (!client.ok()) return client.status();
  std::vector<std::unique_ptr<workload>> opened;
  for (const auto& op : ops) {
    opened.push_back(make(op, *client));
    if (!opened.back()) return absl::InvalidArgumentError(fmt::format("libmongoc has no op '{}'", op));
  }
  return opened;
}

std::string libmongoc_version() {
  return mongoc_get_version();
}

}  // namespace bench::drivers
