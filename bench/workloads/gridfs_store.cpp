#include "bench/workloads/gridfs_store.hpp"

#include "wire/mongo/gridfs.hpp"

#include "bench/workloads/docs_raw.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

#include <array>

namespace bench::workloads {
namespace {

using codecs::mongo::document;
using codecs::mongo::id_value;

constexpr std::string_view files_collection = "Files";
constexpr std::string_view mapping_collection = "FileMapping";
constexpr auto bucket_name = "filestore";
constexpr std::int64_t duplicate_key = 11000;

/// A string as an _id.
class text_id {
 public:
  explicit text_id(std::string_view text) : bytes_(sizeof(std::int32_t) + text.size() + 1) {
    codecs::store_le(bytes_.data(), static_cast<std::int32_t>(text.size() + 1));
    std::copy(text.begin(), text.end(), bytes_.begin() + sizeof(std::int32_t));
  }
  id_value value() const { return {BSON_TYPE_UTF8, bytes_}; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Takes the hash out of an entry of FileMapping.
class mapped_hash final : public codecs::mongo::document_sink {
 public:
  bool take(codecs::bytes_view found) override {
    ++found_;
    if (const auto hash = codecs::mongo::lookup(found, "hash")) hash_ = codecs::mongo::text(*hash);
    return true;
  }
  int found() const { return found_; }
  const std::string& hash() const { return hash_; }

 private:
  int found_ = 0;
  std::string hash_;
};

class gridfs_store final : public file_store {
 public:
  gridfs_store(std::unique_ptr<wire::mongo::client> client, bool null, std::int64_t chunk_bytes)
      : client_(std::move(client)), null_(null), chunk_bytes_(chunk_bytes) {}

  absl::StatusOr<entered> enter(const file_key& file, bool again) override {
    document_.clear();
    codecs::mongo::append_text(document_.get(), "_id", file.hash);
    BSON_APPEND_INT64(document_.get(), "length", file.bytes);
    const auto in_files = insert(files_collection);
    if (!in_files.ok()) return in_files.status();

    document_.clear();
    codecs::mongo::append_text(document_.get(), "_id", file.name);
    codecs::mongo::append_text(document_.get(), "hash", file.hash);
    const auto in_mapping = insert(mapping_collection);
    if (!in_mapping.ok()) return in_mapping.status();
    if (*in_mapping == entered::known && !again)
      return absl::DataLossError(fmt::format("the server says that the new name {} is there", file.name));
    return *in_files;
  }

  absl::Status store(const file_key& file, codecs::chunk_source& from, bool again) override {
    const text_id id(file.hash);
    if (again) {
      const auto error = bucket_.remove(id.value());
      if (error && error != codecs::errc::remote_bad_file)  // there was none
        return told(error, "removing " + file.hash, bucket_.why());
    }
    const auto error =
        bucket_.upload({.id = id.value(), .filename = file.name, .chunk_bytes = chunk_bytes_}, from);
    return told(error, "storing " + file.name, bucket_.why());
  }

  absl::Status read(const file_key& file, codecs::chunk_sink& to) override {
    document_.clear();
    codecs::mongo::append_text(document_.get(), "_id", file.name);
    mapped_hash mapped;
    const auto error = client_->find(
        {.database = database, .collection = mapping_collection, .filter = document_.view(), .limit = 1},
        mapped);
    if (error) return told(error, "finding " + file.name, client_->why());
    // A null server's files are told by their names, and its documents hold no hash.
    const text_id id(null_ ? fmt::format("{}x{}", file.bytes, chunk_bytes_) : mapped.hash());
    if (mapped.found() != 1)
      return absl::DataLossError(fmt::format("finding {}: the server has {}", file.name, mapped.found()));
    return told(bucket_.download({.id = id.value()}, to), "reading " + file.name, bucket_.why());
  }

  std::optional<traffic> counted() const override {
    const auto& counters = client_->channel().counters();
    return traffic{.frames_out = counters.frames_out,
                   .frames_in = counters.frames_in,
                   .bytes_out = counters.bytes_out,
                   .bytes_in = counters.bytes_in};
  }

 private:
  /// Inserts document_; `known` when its _id is there.
  absl::StatusOr<entered> insert(std::string_view collection) {
    const auto view = document_.view();
    insert_.set({.database = database, .collection = collection, .documents = {&view, 1}});
    const auto error = client_->channel().run(insert_);
    if (!error) return entered::fresh;
    if (error == codecs::errc::remote_server_error && insert_.server_code() == duplicate_key)
      return entered::known;
    return told(error, fmt::format("inserting into {}", collection), client_->why(), insert_.server_code());
  }

  static absl::Status told(const codecs::error_code& error, const std::string& doing, const std::string& why,
                           std::int64_t server_code = 0) {
    return file_status(error, doing, why, server_code == 0 ? std::string() : fmt::to_string(server_code));
  }

  std::unique_ptr<wire::mongo::client> client_;
  wire::mongo::gridfs bucket_{*client_, database, bucket_name};
  codecs::mongo::insert_exchange insert_{client_->ids(), client_->server().limits};
  document document_;
  bool null_;
  std::int64_t chunk_bytes_;
};

class gridfs_backend final : public file_server_backend {
 public:
  gridfs_backend(const file_server_setup& how, wire::endpoint to, std::unique_ptr<wire::mongo::client> keeper,
                 wire::watchdog& dog)
      : file_server_backend(how, std::move(to), codecs::mongo::default_chunk_bytes, dog),
        keeper_(std::move(keeper)) {}

  std::string name() const override { return "gridfs"; }
  std::string how() const override {
    return fmt::format("chunks of {} bytes, one per message", chunk_bytes());
  }

  opened_file_store connect() override {
    auto client = connect_mongo(to_, dog_);
    if (!client.ok()) return client.status();
    return std::make_unique<gridfs_store>(*std::move(client), how_.null,
                                          static_cast<std::int64_t>(chunk_bytes()));
  }

  absl::Status make_empty() override {
    if (auto status = remove(); !status.ok()) return status;
    wire::mongo::gridfs bucket(*keeper_, database, bucket_name);
    return file_status(bucket.make_indexes(), "making the indexes of the bucket", bucket.why(), {});
  }

  absl::Status remove() override {
    for (const auto* collection : {"Files", "FileMapping", "filestore.files", "filestore.chunks"}) {
      document command;
      bson_append_utf8(command.get(), "drop", -1, collection, -1);
      const auto error = keeper_->command(database, command.view());
      if (error && error != codecs::errc::remote_server_error)  // there is none
        return file_status(error, fmt::format("dropping wirebench.{}", collection), keeper_->why(), {});
    }
    return absl::OkStatus();
  }

  std::optional<std::int64_t> disk_bytes() override {
    if (how_.null) return std::nullopt;
    document command;
    BSON_APPEND_INT32(command.get(), "dbStats", 1);
    if (keeper_->command(database, command.view())) return std::nullopt;
    std::int64_t sum = 0;
    for (const auto* part : {"storageSize", "indexSize"}) {
      const auto told = codecs::mongo::lookup(keeper_->reply().body, part);
      const auto bytes = told ? codecs::mongo::integer(*told) : std::nullopt;
      if (!bytes) return std::nullopt;
      sum += *bytes;
    }
    return sum;
  }

 private:
  std::unique_ptr<wire::mongo::client> keeper_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<file_backend>> open_gridfs_backend(const file_server_setup& how,
                                                                  wire::watchdog& dog) {
  auto to = endpoint_of(how, wire::protocol::mongo);
  if (!to.ok()) return to.status();
  auto keeper = connect_mongo(*to, dog);
  if (!keeper.ok()) return keeper.status();
  return std::make_unique<gridfs_backend>(how, *std::move(to), *std::move(keeper), dog);
}

}  // namespace bench::workloads
