// Files in GridFS.

#include "wire/mongo/gridfs.hpp"
#include "wire/status.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workloads/mongo_op_set.hpp"
#include "bench/workloads/transfer_op.hpp"

namespace bench::workloads {
namespace {

class gridfs_transfer final : public transfer_op {
 public:
  gridfs_transfer(const transfer& what, transfer_payload& payload,
                  std::unique_ptr<wire::mongo::client> client)
      : transfer_op(what, payload, client->channel()),
        client_(std::move(client)),
        bucket_(*client_, database, bucket_of(what.way)) {}

  absl::Status prepare() override {
    if (auto status = told(bucket_.make_indexes(), "making the bucket's indexes"); !status.ok())
      return status;
    return what_.way == direction::download ? put_file() : absl::OkStatus();
  }

  absl::Status after() override {
    for (const auto& id : uploaded_) {
      if (auto status = remove({BSON_TYPE_OID, id}); !status.ok()) return status;
    }
    uploaded_.clear();
    return absl::OkStatus();
  }

 private:
  absl::Status send(wire::source& from) override {
    uploaded_.push_back(bucket_.new_id());
    return move(upload_of({BSON_TYPE_OID, uploaded_.back()}, from), from);
  }

  absl::Status receive(wire::sink& to) override {
    return move(bucket_.download_op({.database = {}, .id = stored_id()}, to), to);
  }

  codecs::exchange& upload_of(const codecs::mongo::id_value& id, wire::source& from) {
    return bucket_.upload_op({.database = {},
                              .id = id,
                              .filename = "wirebench",
                              .metadata = {},
                              .chunk_bytes = what_.chunk_bytes,
                              .batch = what_.batch},
                             from);
  }

  absl::Status put_file() {
    const auto name = stored_name(payload_.file_bytes(), what_.chunk_bytes);
    stored_id_.resize(sizeof(std::int32_t));
    codecs::store_le(stored_id_.data(), static_cast<std::int32_t>(name.size() + 1));
    stored_id_.insert(stored_id_.end(), name.begin(), name.end());
    stored_id_.push_back(0);
    if (auto status = remove(stored_id()); !status.ok()) return status;
    auto from = any_source();
    return move(upload_of(stored_id(), *from.source), *from.source);
  }

  /// One that is not there is as good as removed: the null server keeps none.
  absl::Status remove(const codecs::mongo::id_value& id) {
    const auto error = bucket_.remove(id);
    return error == codecs::errc::remote_bad_file ? absl::OkStatus() : told(error, "removing a file");
  }

  absl::Status told(const wire::error_code& error, const char* what) const {
    return wire::to_status(error, what, bucket_.why());
  }

  codecs::mongo::id_value stored_id() const { return {BSON_TYPE_UTF8, stored_id_}; }

  std::unique_ptr<wire::mongo::client> client_;
  wire::mongo::gridfs bucket_;
  std::vector<std::uint8_t> stored_id_;  // a string as BSON has it
  std::vector<codecs::mongo::object_id> uploaded_;
};

}  // namespace

std::unique_ptr<transfer_op> make_gridfs_transfer(const transfer& what, transfer_payload& payload,
                                                  std::unique_ptr<wire::mongo::client> client) {
  return std::make_unique<gridfs_transfer>(what, payload, std::move(client));
}

}  // namespace bench::workloads
