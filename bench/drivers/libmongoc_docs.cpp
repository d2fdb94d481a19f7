#include "bench/drivers/libmongoc_docs.hpp"

#include "bench/drivers/libmongoc_client.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

namespace bench::drivers {
namespace {

using codecs::bytes_view;

using collection_ptr = std::unique_ptr<mongoc_collection_t, destroy<mongoc_collection_destroy>>;
using bulk_ptr = std::unique_ptr<mongoc_bulk_operation_t, destroy<mongoc_bulk_operation_destroy>>;
using cursor_ptr = std::unique_ptr<mongoc_cursor_t, destroy<mongoc_cursor_destroy>>;

/// A document that was built already, as libmongoc wants to be given it.
bson_t view_of(bytes_view built) {
  bson_t view;
  bson_init_static(&view, built.data(), built.size());
  return view;
}

absl::Status failed(const bson_error_t& error) {
  const auto sentence = fmt::format("libmongoc: {}", error.message);
  const bool refused = error.domain == MONGOC_ERROR_SERVER || error.domain == MONGOC_ERROR_WRITE_CONCERN;
  return refused ? absl::AbortedError(sentence) : absl::UnavailableError(sentence);
}

class docs_libmongoc final : public workloads::docs_client {
 public:
  docs_libmongoc(libmongoc_client client, const std::string& collection, const workloads::docs_data& data,
                 std::uint64_t batch)
      : docs_client(data, batch),
        client_(std::move(client)),
        docs_(mongoc_client_get_collection(client_.get(), workloads::database, collection.c_str())) {}

 private:
  absl::Status insert(std::span<const bytes_view> documents, std::uint64_t& inserted) override {
    auto bulk = new_bulk();
    for (const auto built : documents) {
      const bson_t document = view_of(built);
      if (!mongoc_bulk_operation_insert_with_opts(bulk.get(), &document, nullptr, &error_))
        return failed(error_);
    }
    return execute(bulk.get(), [&inserted](bytes_view reply) { inserted = count(reply, "nInserted"); });
  }

  void add_update(bytes_view filter, bytes_view change) override {
    if (!updates_) updates_ = new_bulk();
    const bson_t selector = view_of(filter);
    const bson_t document = view_of(change);
    mongoc_bulk_operation_update_one_with_opts(updates_.get(), &selector, &document, nullptr, &error_);
  }

  absl::Status update(std::uint64_t& matched, std::uint64_t& modified) override {
    const auto bulk = std::move(updates_);
    return execute(bulk.get(), [&](bytes_view reply) {
      matched = count(reply, "nMatched");
      modified = count(reply, "nModified");
    });
  }

  absl::Status find(bytes_view filter, codecs::mongo::document_sink& found) override {
    const bson_t query = view_of(filter);
    const cursor_ptr cursor(mongoc_collection_find_with_opts(docs_.get(), &query, nullptr, nullptr));
    const bson_t* document = nullptr;
    while (mongoc_cursor_next(cursor.get(), &document)) found.take({bson_get_data(document), document->len});
    return mongoc_cursor_error(cursor.get(), &error_) ? failed(error_) : absl::OkStatus();
  }

  bulk_ptr new_bulk() const {
    return bulk_ptr(mongoc_collection_create_bulk_operation_with_opts(docs_.get(), nullptr));  // ordered
  }

  template <typename Read>
  absl::Status execute(mongoc_bulk_operation_t* bulk, Read read) {
    bson_t reply;
    const bool good = mongoc_bulk_operation_execute(bulk, &reply, &error_) != 0;
    if (good) read({bson_get_data(&reply), reply.len});
    bson_destroy(&reply);
    return good ? absl::OkStatus() : failed(error_);
  }

  static std::uint64_t count(bytes_view reply, const char* key) {
    const auto at = codecs::mongo::lookup(reply, key);
    return at ? static_cast<std::uint64_t>(codecs::mongo::integer(*at).value_or(0)) : 0;
  }

  libmongoc_client client_;
  collection_ptr docs_;
  bulk_ptr updates_;
  bson_error_t error_{};
};

}  // namespace

absl::StatusOr<std::unique_ptr<workloads::docs_client>> open_docs_libmongoc(
    const std::string& uri, const std::string& collection, const workloads::docs_data& data,
    std::uint64_t batch, std::chrono::milliseconds timeout) {
  auto client = open_client(uri, timeout);
  if (!client.ok()) return client.status();
  return std::make_unique<docs_libmongoc>(*std::move(client), collection, data, batch);
}

}  // namespace bench::drivers
