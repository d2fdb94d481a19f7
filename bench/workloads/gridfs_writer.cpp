#include "bench/workloads/gridfs_writer.hpp"

#include "wire/mongo/gridfs.hpp"
#include "wire/pipeline.hpp"
#include "wire/status.hpp"

#include "bench/workloads/docs_raw.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bench::workloads {
namespace {

/// The bytes of a file, in memory as the kernel brings them there.
class mapped_file {
 public:
  mapped_file() = default;
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  }

  absl::Status map(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    void* at = MAP_FAILED;
    if (fd >= 0 && ::fstat(fd, &about) == 0)
      at = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (at == MAP_FAILED)
      return absl::UnavailableError(fmt::format("cannot map {}: {}", path, std::strerror(error)));
    bytes_ = {static_cast<const std::uint8_t*>(at), static_cast<std::size_t>(about.st_size)};
    return absl::OkStatus();
  }

  codecs::bytes_view bytes() const { return bytes_; }

 private:
  codecs::bytes_view bytes_;
};

class raw_writer final : public gridfs_writer {
 public:
  raw_writer(const std::string& strategy, const gridfs_file& what,
             std::unique_ptr<wire::mongo::client> client)
      : strategy_(strategy),
        what_(what),
        client_(std::move(client)),
        bucket_(*client_, database, what.bucket) {}

  absl::Status prepare() {
    if (auto status = wire::to_status(bucket_.make_indexes(), "making the bucket's indexes", bucket_.why());
        !status.ok())
      return status;
    const auto& strategies = wire::source_strategies();
    const auto found = std::ranges::find(strategies, strategy_, &wire::source_strategy::name);
    const bool memory = found != strategies.end() && found->needs == wire::source_strategy::kind::memory;
    owner_ = wire::file_path{what_.path};
    if (!memory) return absl::OkStatus();
    auto status = memory_.map(what_.path);
    owner_ = memory_.bytes();
    return status;
  }

  absl::StatusOr<stored_file> store() override {
    auto made = wire::make_source(strategy_, owner_);
    if (!made.source) return absl::InvalidArgumentError(made.problem);
    const auto id = bucket_.new_id();
    auto& framing = bucket_.upload_op({.database = {},
                                       .id = {BSON_TYPE_OID, id},
                                       .filename = "wirebench",
                                       .metadata = {},
                                       .chunk_bytes = what_.chunk_bytes},
                                      *made.source);
    const auto done = wire::transfer(client_->channel(), framing, *made.source);
    if (done.error)
      return wire::to_status(done.error, fmt::format("storing a file by {}", strategy_), done.why);
    return stored_file{fmt::format("{:02x}", fmt::join(id, "")), done.report.payload_bytes};
  }

 private:
  const std::string strategy_;
  const gridfs_file what_;
  mapped_file memory_;
  wire::owner owner_;
  std::unique_ptr<wire::mongo::client> client_;
  wire::mongo::gridfs bucket_;
};

}  // namespace

opened_gridfs_writer open_gridfs_writer(const std::string& strategy, const gridfs_file& what,
                                        const wire::endpoint& to, wire::watchdog& dog) {
  auto client = connect_mongo(to, dog);
  if (!client.ok()) return client.status();
  auto made = std::make_unique<raw_writer>(strategy, what, *std::move(client));
  if (auto status = made->prepare(); !status.ok()) return status;
  return made;
}

absl::Status drop_bucket(const std::string& bucket, const wire::endpoint& to, wire::watchdog& dog) {
  auto client = connect_mongo(to, dog);
  if (!client.ok()) return client.status();
  for (const auto* part : {"files", "chunks"}) {
    const auto dropped = fmt::format("{}.{}", bucket, part);
    codecs::mongo::document command;
    bson_append_utf8(command.get(), "drop", -1, dropped.c_str(), -1);
    const auto error = (*client)->command(database, command.view());
    if (error && error != codecs::errc::remote_server_error)  // there is none
      return wire::to_status(error, fmt::format("dropping wirebench.{}", dropped), (*client)->why());
  }
  return absl::OkStatus();
}

}  // namespace bench::workloads
