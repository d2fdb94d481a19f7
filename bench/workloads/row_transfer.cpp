// Files in rows: one bytea for a whole file, or one for each chunk, by INSERT and SELECT or by COPY.

#include "wire/pg/bytea_rows.hpp"
#include "wire/pg/chunk_rows.hpp"
#include "wire/status.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workloads/pg_files.hpp"
#include "bench/workloads/transfer_op.hpp"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace bench::workloads {
namespace {

/// Of the next row or file: no other connection's, and always of 19 digits, since COPY has it in its text.
std::int64_t new_key() {
  static std::random_device random;
  const auto high = static_cast<std::int64_t>(random() & 0x3fffffff);
  return (high | 0x40000000) << 32 | static_cast<std::int64_t>(random());
}

class row_transfer final : public transfer_op {
 public:
  row_transfer(const transfer& what, transfer_payload& payload, std::unique_ptr<wire::pg::client> client)
      : transfer_op(what, payload, client->channel()), client_(std::move(client)) {}

  ~row_transfer() override { remove_all().IgnoreError(); }

  std::optional<pid_t> server_pid() const override {
    const pid_t told = client_->session().backend_pid;
    return told == 0 ? std::nullopt : std::optional(told);
  }

  absl::Status prepare() override {
    if (auto status = told(whole_file() ? wholes_.create_table() : chunks_.create_table(), "CREATE TABLE");
        !status.ok())
      return status;
    auto status = told(whole_file() ? wholes_.prepare() : chunks_.prepare(), "preparing the statements");
    if (!status.ok() || what_.way == direction::upload) return status;
    auto from = any_source();
    return send(*from.source);
  }

  absl::Status after() override { return what_.way == direction::upload ? remove_all() : absl::OkStatus(); }

 private:
  bool whole_file() const { return !what_.how->chunked; }
  bool by_copy() const { return what_.how->name == "copy"; }

  absl::Status send(wire::source& from) override {
    keys_.push_back(new_key());
    if (whole_file()) return move(wholes_.put_op(keys_.back(), from), from);
    const wire::pg::chunk_rows::upload_options how{.chunk_bytes =
                                                       static_cast<std::size_t>(what_.chunk_bytes)};
    return move(
        by_copy() ? chunks_.copy_in_op(keys_.back(), from, how) : chunks_.insert_op(keys_.back(), from, how),
        from);
  }

  absl::Status receive(wire::sink& to) override {
    if (whole_file()) return move(wholes_.get_op(keys_.back(), to), to);
    return move(by_copy() ? chunks_.copy_out_op(keys_.back(), to, layout())
                          : chunks_.select_op(keys_.back(), to, layout()),
                to);
  }

  absl::Status remove_all() {
    if (keys_.empty()) return absl::OkStatus();
    const auto sql =
        fmt::format("DELETE FROM {} WHERE {} IN ({})", whole_file() ? "wirebench_bytea" : "wirebench_chunks",
                    whole_file() ? "id" : "file", fmt::join(keys_, ","));
    keys_.clear();
    return told(client_->query(sql), "removing files");
  }

  absl::Status told(const wire::error_code& error, const char* what) const {
    return wire::to_status(error, what, client_->why());
  }

  std::unique_ptr<wire::pg::client> client_;
  wire::pg::bytea_rows wholes_{*client_};
  wire::pg::chunk_rows chunks_{*client_};
  std::vector<std::int64_t> keys_;  // to be removed; of a download, what is read
};

}  // namespace

absl::Status drop_tables(const wire::endpoint& of, wire::watchdog& dog) {
  auto client = connect_pg(of, dog);
  if (!client.ok()) return client.status();
  const auto error = (*client)->query("DROP TABLE IF EXISTS wirebench_bytea, wirebench_chunks");
  return wire::to_status(error, "dropping the tables", (*client)->why());
}

std::unique_ptr<transfer_op> make_row_transfer(const transfer& what, transfer_payload& payload,
                                               std::unique_ptr<wire::pg::client> client) {
  return std::make_unique<row_transfer>(what, payload, std::move(client));
}

}  // namespace bench::workloads
