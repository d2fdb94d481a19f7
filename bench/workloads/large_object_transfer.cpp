// Files in large objects.

#include "wire/pg/large_object.hpp"
#include "wire/status.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workloads/transfer_op.hpp"

#include <vector>

namespace bench::workloads {
namespace {

namespace lo = codecs::pg::large_object;

class large_object_transfer final : public transfer_op {
 public:
  large_object_transfer(const transfer& what, transfer_payload& payload,
                        std::unique_ptr<wire::pg::client> client)
      : transfer_op(what, payload, client->channel()), client_(std::move(client)), objects_(*client_) {}

  ~large_object_transfer() override { unlink_all().IgnoreError(); }

  std::optional<pid_t> server_pid() const override {
    const pid_t told = client_->session().backend_pid;
    return told == 0 ? std::nullopt : std::optional(told);
  }

  absl::Status prepare() override {
    auto status = told(objects_.prepare(), "preparing the statements of large objects");
    if (!status.ok() || what_.way == direction::upload) return status;
    auto from = any_source();
    return upload_in_one_trip(*from.source);
  }

  absl::Status after() override { return what_.way == direction::upload ? unlink_all() : absl::OkStatus(); }

 private:
  absl::Status send(wire::source& from) override {
    if (what_.how->name == "lo-trip") return upload_in_one_trip(from);
    return what_.how->name == "lo_put" ? put(from) : upload_by_calls(from);
  }

  absl::Status receive(wire::sink& to) override {
    return what_.how->name == "lo_get" ? move(objects_.download_op(made_.back(), to, layout()), to)
                                       : download_by_calls(to);
  }

  absl::Status upload_in_one_trip(wire::source& from) {
    const auto chunk_bytes = static_cast<std::size_t>(what_.chunk_bytes);
    auto status = move(objects_.upload_op(from, {.chunk_bytes = chunk_bytes}), from);
    if (status.ok()) made_.push_back(objects_.object());
    return status;
  }

  absl::Status create() {
    if (auto status = query("BEGIN"); !status.ok()) return status;
    if (auto status = call(lo::lo_creat(), "lo_creat"); !status.ok()) return status;
    made_.push_back(static_cast<codecs::pg::oid>(client_->number()));
    return absl::OkStatus();
  }

  absl::Status put(wire::source& from) {
    if (auto status = create(); !status.ok()) return status;
    const auto chunk_bytes = static_cast<std::size_t>(what_.chunk_bytes);
    auto status = move(objects_.put_op(made_.back(), 0, from, {.chunk_bytes = chunk_bytes}), from);
    return status.ok() ? query("COMMIT") : status;
  }

  absl::Status upload_by_calls(wire::source& from) {
    if (auto status = create(); !status.ok()) return status;
    return between_open_and_commit(lo::inv_write, [&](std::int32_t descriptor) {
      const auto chunk_bytes = static_cast<std::size_t>(what_.chunk_bytes);
      return move(objects_.write_op(descriptor, from, chunk_bytes, what_.window), from);
    });
  }

  absl::Status download_by_calls(wire::sink& to) {
    if (auto status = query("BEGIN"); !status.ok()) return status;
    return between_open_and_commit(lo::inv_read, [&](std::int32_t descriptor) {
      return move(objects_.read_op(descriptor, to, layout(), what_.window), to);
    });
  }

  template <typename Transfer>
  absl::Status between_open_and_commit(std::int32_t mode, Transfer transfer) {
    if (auto status = call(lo::lo_open(made_.back(), mode), "lo_open"); !status.ok()) return status;
    const auto descriptor = static_cast<std::int32_t>(client_->number());
    if (auto status = transfer(descriptor); !status.ok()) return status;
    if (auto status = call(lo::lo_close(descriptor), "lo_close"); !status.ok()) return status;
    return query("COMMIT");
  }

  /// In one transaction: a server's disk is waited for once.
  absl::Status unlink_all() {
    if (made_.empty()) return absl::OkStatus();
    if (auto status = query("BEGIN"); !status.ok()) return status;
    for (const auto object : made_) {
      if (auto status = call(lo::lo_unlink(object), "lo_unlink"); !status.ok()) return status;
    }
    made_.clear();
    return query("COMMIT");
  }

  absl::Status query(const char* sql) { return told(client_->query(sql), sql); }
  absl::Status call(const lo::call& what, const char* function) {
    return told(client_->call(what), function);
  }
  absl::Status told(const wire::error_code& error, const char* what) const {
    return wire::to_status(error, what, client_->why());
  }

  std::unique_ptr<wire::pg::client> client_;
  wire::pg::large_objects objects_;
  std::vector<codecs::pg::oid> made_;  // to be unlinked; of a download, what is read
};

}  // namespace

std::unique_ptr<transfer_op> make_large_object_transfer(const transfer& what, transfer_payload& payload,
                                                        std::unique_ptr<wire::pg::client> client) {
  return std::make_unique<large_object_transfer>(what, payload, std::move(client));
}

}  // namespace bench::workloads
