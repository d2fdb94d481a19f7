#include "bench/drivers/libmongoc_writer.hpp"

#include "bench/drivers/libmongoc_client.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace bench::drivers {
namespace {

using namespace workloads;

using database_ptr = std::unique_ptr<mongoc_database_t, destroy<mongoc_database_destroy>>;
using bucket_ptr = std::unique_ptr<mongoc_gridfs_bucket_t, destroy<mongoc_gridfs_bucket_destroy>>;
using stream_ptr = std::unique_ptr<mongoc_stream_t, destroy<mongoc_stream_destroy>>;
using gridfs_ptr = std::unique_ptr<mongoc_gridfs_t, destroy<mongoc_gridfs_destroy>>;
using file_ptr = std::unique_ptr<mongoc_gridfs_file_t, destroy<mongoc_gridfs_file_destroy>>;

constexpr std::int32_t default_timeout = -1;  // that of the client's URI

absl::Status failed(const bson_error_t& error) {
  return absl::UnavailableError(fmt::format("libmongoc: {}", error.message));
}

std::string digits(const bson_oid_t& id) {
  char text[25];
  bson_oid_to_string(&id, text);
  return text;
}

/// A file in pieces. The buffer is no part of the heap, and of no chunk's size: neither shall move the heap's thresholds.
class piece_reader {
 public:
  explicit piece_reader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "re")) {
    if (file_) std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }

  /// Hands every piece to `take`, which says whether it has taken it; false when it has not.
  template <typename Take>
  absl::StatusOr<bool> each(Take take) {
    static std::array<char, 64 * 1024> piece;
    while (file_) {
      const auto size = std::fread(piece.data(), 1, piece.size(), file_.get());
      if (size > 0 && !take(piece.data(), size)) return false;
      if (size < piece.size() && std::ferror(file_.get()) == 0) return true;
      if (size < piece.size()) break;
    }
    return absl::UnavailableError(fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
  }

 private:
  struct close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, close> file_;
};

class bucket_writer final : public gridfs_writer {
 public:
  bucket_writer(libmongoc_client client, const gridfs_file& what)
      : client_(std::move(client)),
        database_(mongoc_client_get_database(client_.get(), database)),
        what_(what) {}

  absl::Status prepare() {
    codecs::mongo::document options;
    bson_append_utf8(options.get(), "bucketName", -1, what_.bucket.c_str(), -1);
    bson_append_int32(options.get(), "chunkSizeBytes", -1, static_cast<std::int32_t>(what_.chunk_bytes));
    bucket_.reset(mongoc_gridfs_bucket_new(database_.get(), options.get(), nullptr, &error_));
    return bucket_ ? absl::OkStatus() : failed(error_);
  }

  absl::StatusOr<stored_file> store() override {
    bson_value_t id{};
    const stream_ptr stream(
        mongoc_gridfs_bucket_open_upload_stream(bucket_.get(), "wirebench", nullptr, &id, &error_));
    if (!stream) return failed(error_);
    std::int64_t stored = 0;
    const auto whole = piece_reader(what_.path).each([&](char* piece, std::size_t size) {
      stored += static_cast<std::int64_t>(size);
      return mongoc_stream_write(stream.get(), piece, size, default_timeout) == static_cast<ssize_t>(size);
    });
    if (!whole.ok()) return whole.status();
    if (*whole && mongoc_stream_close(stream.get()) == 0) return stored_file{digits(id.value.v_oid), stored};
    mongoc_gridfs_bucket_stream_error(stream.get(), &error_);
    return failed(error_);
  }

 private:
  libmongoc_client client_;
  database_ptr database_;
  const gridfs_file what_;
  bucket_ptr bucket_;
  bson_error_t error_{};
};

class legacy_writer final : public gridfs_writer {
 public:
  legacy_writer(libmongoc_client client, const gridfs_file& what) : client_(std::move(client)), what_(what) {}

  absl::Status prepare() {
    gridfs_.reset(mongoc_client_get_gridfs(client_.get(), database, what_.bucket.c_str(), &error_));
    return gridfs_ ? absl::OkStatus() : failed(error_);
  }

  absl::StatusOr<stored_file> store() override {
    mongoc_gridfs_file_opt_t options{};
    options.filename = "wirebench";
    options.chunk_size = static_cast<std::uint32_t>(what_.chunk_bytes);
    const file_ptr file(mongoc_gridfs_create_file(gridfs_.get(), &options));
    const auto whole = piece_reader(what_.path).each([&](char* piece, std::size_t size) {
      const mongoc_iovec_t part{piece, size};
      return mongoc_gridfs_file_writev(file.get(), &part, 1, 0) == static_cast<ssize_t>(size);
    });
    if (!whole.ok()) return whole.status();
    if (*whole && mongoc_gridfs_file_save(file.get())) {
      return stored_file{digits(mongoc_gridfs_file_get_id(file.get())->value.v_oid),
                         mongoc_gridfs_file_get_length(file.get())};
    }
    mongoc_gridfs_file_error(file.get(), &error_);
    return failed(error_);
  }

 private:
  libmongoc_client client_;
  const gridfs_file what_;
  gridfs_ptr gridfs_;
  bson_error_t error_{};
};

template <typename Writer>
opened_gridfs_writer prepared(libmongoc_client client, const gridfs_file& what) {
  auto made = std::make_unique<Writer>(std::move(client), what);
  if (auto status = made->prepare(); !status.ok()) return status;
  return made;
}

}  // namespace

opened_gridfs_writer open_libmongoc_writer(gridfs_api api, const gridfs_file& what, const std::string& uri,
                                           std::chrono::milliseconds timeout) {
  auto client = open_client(uri, timeout);
  if (!client.ok()) return client.status();
  return api == gridfs_api::bucket ? prepared<bucket_writer>(*std::move(client), what)
                                   : prepared<legacy_writer>(*std::move(client), what);
}

}  // namespace bench::drivers
