#include "bench/drivers/libmongoc_transfer.hpp"

#include "bench/drivers/libmongoc_client.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

#include <vector>

namespace bench::drivers {
namespace {

using namespace workloads;

using database_ptr = std::unique_ptr<mongoc_database_t, destroy<mongoc_database_destroy>>;
using bucket_ptr = std::unique_ptr<mongoc_gridfs_bucket_t, destroy<mongoc_gridfs_bucket_destroy>>;
using stream_ptr = std::unique_ptr<mongoc_stream_t, destroy<mongoc_stream_destroy>>;

constexpr std::int32_t default_timeout = -1;  // that of the client's URI

/// Borrows `text`.
bson_value_t text_value(std::string& text) {
  bson_value_t value{};
  value.value_type = BSON_TYPE_UTF8;
  value.value.v_utf8.str = text.data();
  value.value.v_utf8.len = static_cast<std::uint32_t>(text.size());
  return value;
}

class libmongoc_transfer final : public workload {
 public:
  libmongoc_transfer(libmongoc_client client, const transfer& what, transfer_payload& payload)
      : client_(std::move(client)),
        database_(mongoc_client_get_database(client_.get(), database)),
        what_(what),
        payload_(payload),
        stored_name_(stored_name(payload.file_bytes(), what.chunk_bytes)) {}

  absl::Status prepare() {
    codecs::mongo::document options;
    bson_append_utf8(options.get(), "bucketName", -1, bucket_of(what_.way), -1);
    bson_append_int32(options.get(), "chunkSizeBytes", -1, static_cast<std::int32_t>(what_.chunk_bytes));
    bucket_.reset(mongoc_gridfs_bucket_new(database_.get(), options.get(), nullptr, &error_));
    if (!bucket_) return failed();
    return what_.way == direction::download ? put_file() : absl::OkStatus();
  }

  bool works_in_rounds() const override { return what_.way == direction::upload; }

  absl::Status run(std::uint64_t ops) override {
    for (std::uint64_t i = 0; i < ops; ++i) {
      auto status = what_.way == direction::upload ? upload() : download();
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status after() override {
    bson_value_t id{};
    id.value_type = BSON_TYPE_OID;
    for (const auto& each : uploaded_) {
      id.value.v_oid = each;
      if (auto status = remove(id); !status.ok()) return status;
    }
    uploaded_.clear();
    return absl::OkStatus();
  }

 private:
  absl::Status upload() {
    bson_value_t id{};
    const stream_ptr stream(
        mongoc_gridfs_bucket_open_upload_stream(bucket_.get(), "wirebench", nullptr, &id, &error_));
    if (!stream) return failed();
    uploaded_.push_back(id.value.v_oid);
    return write_whole(stream.get());
  }

  absl::Status write_whole(mongoc_stream_t* stream) {
    const auto bytes = payload_.memory();
    auto* const from = const_cast<std::uint8_t*>(bytes.data());  // it is only read
    const auto written = mongoc_stream_write(stream, from, bytes.size(), default_timeout);
    const bool whole = written == static_cast<ssize_t>(bytes.size()) && mongoc_stream_close(stream) == 0;
    return whole ? absl::OkStatus() : failed(stream);
  }

  absl::Status download() {
    const auto id = text_value(stored_name_);
    const stream_ptr stream(mongoc_gridfs_bucket_open_download_stream(bucket_.get(), &id, &error_));
    if (!stream) return failed();
    auto room = payload_.room();
    while (!room.empty()) {
      const auto got = mongoc_stream_read(stream.get(), room.data(), room.size(), 1, default_timeout);
      if (got <= 0) return failed(stream.get());
      room = room.subspan(static_cast<std::size_t>(got));
    }
    return absl::OkStatus();
  }

  absl::Status put_file() {
    const auto id = text_value(stored_name_);
    if (auto status = remove(id); !status.ok()) return status;
    const stream_ptr stream(
        mongoc_gridfs_bucket_open_upload_stream_with_id(bucket_.get(), &id, "wirebench", nullptr, &error_));
    return stream ? write_whole(stream.get()) : failed();
  }

  /// One that is not there is as good as removed: the null server keeps none.
  absl::Status remove(const bson_value_t& id) {
    const bool removed = mongoc_gridfs_bucket_delete_by_id(bucket_.get(), &id, &error_);
    return removed || error_.domain == MONGOC_ERROR_GRIDFS ? absl::OkStatus() : failed();
  }

  absl::Status failed(mongoc_stream_t* stream) {
    if (mongoc_gridfs_bucket_stream_error(stream, &error_)) return failed();
    return absl::DataLossError("libmongoc: the file has another length");
  }

  absl::Status failed() const { return absl::UnavailableError(fmt::format("libmongoc: {}", error_.message)); }

  libmongoc_client client_;
  database_ptr database_;
  const transfer what_;
  transfer_payload& payload_;
  std::string stored_name_;
  bucket_ptr bucket_;
  std::vector<bson_oid_t> uploaded_;
  bson_error_t error_{};
};

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_libmongoc_transfer(const transfer& what,
                                                                  transfer_payload& payload,
                                                                  const std::string& uri,
                                                                  std::chrono::milliseconds timeout) {
  auto client = open_client(uri, timeout);
  if (!client.ok()) return client.status();
  auto made = std::make_unique<libmongoc_transfer>(*std::move(client), what, payload);
  if (auto status = made->prepare(); !status.ok()) return status;
  return made;
}

}  // namespace bench::drivers
