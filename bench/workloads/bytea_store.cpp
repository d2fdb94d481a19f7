#include "bench/workloads/bytea_store.hpp"

#include "wire/pg/bytea_rows.hpp"

#include "bench/workloads/pg_files.hpp"

#include <fmt/format.h>

#include <charconv>

namespace bench::workloads {
namespace {

constexpr std::int64_t largest_file = 48'000'000;

/// 60 bits of the hash: two contents have the same once in a billion files squared.
std::int64_t row_of(const file_key& file) {
  constexpr std::size_t digits = 15;
  std::int64_t row = 0;
  std::from_chars(file.hash.data(), file.hash.data() + std::min(digits, file.hash.size()), row, 16);
  return row;
}

class bytea_store final : public file_store {
 public:
  explicit bytea_store(std::unique_ptr<wire::pg::client> client) : client_(std::move(client)) {}

  absl::Status prepare() {
    if (auto status = files_.prepare(); !status.ok()) return status;
    return files_.told(rows_.prepare(), "preparing the statements on rows");
  }

  absl::StatusOr<entered> enter(const file_key& file, bool /*again*/) override {
    return files_.enter(file, row_of(file));
  }

  absl::Status store(const file_key& file, codecs::chunk_source& from, bool again) override {
    const auto doing = "storing " + file.name;
    if (again) {
      const auto sql = fmt::format("DELETE FROM wirebench_bytea WHERE id = {}", row_of(file));
      if (const auto error = client_->query(sql)) return files_.told(error, doing);
    }
    return files_.told(rows_.put(row_of(file), from), doing);
  }

  absl::Status read(const file_key& file, codecs::chunk_sink& to) override {
    const auto row = files_.find(file);
    if (!row.ok()) return row.status();
    return files_.told(rows_.get(*row, to), "reading " + file.name);
  }

  std::optional<traffic> counted() const override { return files_.counted(); }

 private:
  std::unique_ptr<wire::pg::client> client_;
  pg_files files_{*client_};
  wire::pg::bytea_rows rows_{*client_};
};

/// A file is its only chunk.
file_server_setup in_one_piece(file_server_setup how) {
  how.chunk_bytes = how.file_bytes;
  return how;
}

class bytea_backend final : public pg_files_backend {
 public:
  bytea_backend(const file_server_setup& how, const wire::endpoint& to,
                std::unique_ptr<wire::pg::client> keeper, wire::watchdog& dog)
      : pg_files_backend(in_one_piece(how), to, how.file_bytes, std::move(keeper), dog) {}

  std::string name() const override { return "bytea"; }
  std::string how() const override { return "rows of one bytea each, not compressed (STORAGE EXTERNAL)"; }

  opened_file_store connect() override {
    auto client = connect_pg(to_, dog_);
    if (!client.ok()) return client.status();
    auto store = std::make_unique<bytea_store>(*std::move(client));
    if (auto status = store->prepare(); !status.ok()) return status;
    return store;
  }

 private:
  absl::Status make_table() override { return run(codecs::pg::bytea_row::create_table); }
  absl::Status drop_table() override { return run("DROP TABLE IF EXISTS wirebench_bytea"); }
};

}  // namespace

absl::StatusOr<std::unique_ptr<file_backend>> open_bytea_backend(const file_server_setup& how,
                                                                 wire::watchdog& dog) {
  if (how.file_bytes > largest_file) {
    return absl::InvalidArgumentError(fmt::format(
        "bytea keeps a file in one message, of at most {} bytes here: lower --bytes, or leave bytea out",
        largest_file));
  }
  auto to = endpoint_of(how, wire::protocol::pg);
  if (!to.ok()) return to.status();
  auto keeper = connect_pg(*to, dog);
  if (!keeper.ok()) return keeper.status();
  return std::make_unique<bytea_backend>(how, *to, *std::move(keeper), dog);
}

}  // namespace bench::workloads
