#include "bench/workloads/large_object_store.hpp"

#include "wire/pg/large_object.hpp"

#include "bench/workloads/pg_files.hpp"

#include <fmt/format.h>

namespace bench::workloads {
namespace {

constexpr std::int64_t default_chunk_bytes = 256 * 1024;

class large_object_store final : public file_store {
 public:
  large_object_store(std::unique_ptr<wire::pg::client> client, std::int64_t chunk_bytes)
      : client_(std::move(client)), chunk_bytes_(chunk_bytes) {}

  absl::Status prepare() {
    if (auto status = files_.prepare(); !status.ok()) return status;
    return files_.told(objects_.prepare(), "preparing the statements on large objects");
  }

  absl::StatusOr<entered> enter(const file_key& file, bool /*again*/) override { return files_.enter(file); }

  /// What an earlier try has left is gone with its transaction, unless only its acknowledgement was lost.
  absl::Status store(const file_key& file, codecs::chunk_source& from, bool /*again*/) override {
    const auto error = objects_.upload(from, {.chunk_bytes = static_cast<std::size_t>(chunk_bytes_)});
    if (error) return files_.told(error, "storing " + file.name);
    return files_.set_object(file, objects_.object());
  }

  absl::Status read(const file_key& file, codecs::chunk_sink& to) override {
    const auto found = files_.find(file);
    if (!found.ok()) return found.status();
    const auto object = static_cast<codecs::pg::oid>(*found);
    return files_.told(objects_.download(object, to, {file.bytes, chunk_bytes_}), "reading " + file.name);
  }

  std::optional<traffic> counted() const override { return files_.counted(); }

 private:
  std::unique_ptr<wire::pg::client> client_;
  pg_files files_{*client_};
  wire::pg::large_objects objects_{*client_};
  std::int64_t chunk_bytes_;
};

class large_object_backend final : public pg_files_backend {
 public:
  large_object_backend(const file_server_setup& how, const wire::endpoint& to,
                       std::unique_ptr<wire::pg::client> keeper, wire::watchdog& dog)
      : pg_files_backend(how, to, default_chunk_bytes, std::move(keeper), dog) {}

  std::string name() const override { return "lo"; }
  std::string how() const override {
    return fmt::format("large objects in chunks of {} bytes, one implicit transaction each", chunk_bytes());
  }

  opened_file_store connect() override {
    auto client = connect_pg(to_, dog_);
    if (!client.ok()) return client.status();
    auto store =
        std::make_unique<large_object_store>(*std::move(client), static_cast<std::int64_t>(chunk_bytes()));
    if (auto status = store->prepare(); !status.ok()) return status;
    return store;
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<file_backend>> open_large_object_backend(const file_server_setup& how,
                                                                        wire::watchdog& dog) {
  auto to = endpoint_of(how, wire::protocol::pg);
  if (!to.ok()) return to.status();
  auto keeper = connect_pg(*to, dog);
  if (!keeper.ok()) return keeper.status();
  return std::make_unique<large_object_backend>(how, *to, *std::move(keeper), dog);
}

}  // namespace bench::workloads
