#include "bench/drivers/libpq_transfer.hpp"

#include "bench/drivers/libpq_op.hpp"

#include <libpq/libpq-fs.h>

#include <algorithm>
#include <vector>

namespace bench::drivers {
namespace {

using namespace workloads;

class libpq_transfer final : public libpq_op {
 public:
  libpq_transfer(shared_connection shared, const transfer& what, transfer_payload& payload)
      : libpq_op(std::move(shared), {}), what_(what), payload_(payload) {}

  ~libpq_transfer() override { unlink_all(); }

  bool works_in_rounds() const override { return what_.way == direction::upload; }

  /// A download needs a file to be there; the null server remembers its size.
  absl::Status prepare() override {
    if (what_.way == direction::upload || watched([this] { return upload(); })) return absl::OkStatus();
    return failed();
  }

  absl::Status after() override {
    if (what_.way == direction::download || unlink_all()) return absl::OkStatus();
    return failed();
  }

 private:
  /// A whole file may take longer than a server may be silent: each call has a watch of its own.
  bool op() override { return what_.way == direction::upload ? upload() : download(); }

  bool upload() {
    if (!command("BEGIN")) return false;
    const Oid object = watched([this] { return lo_creat(pg(), INV_READ | INV_WRITE); });
    if (object == InvalidOid) return false;
    made_.push_back(object);
    const int descriptor = watched([&] { return lo_open(pg(), object, INV_WRITE); });
    if (descriptor < 0) return false;
    for (auto left = codecs::as_text(payload_.memory()); !left.empty();) {
      const auto chunk = left.substr(0, chunk_bytes());
      const int written = watched([&] { return lo_write(pg(), descriptor, chunk.data(), chunk.size()); });
      if (written != static_cast<int>(chunk.size())) return false;
      left.remove_prefix(chunk.size());
    }
    return close(descriptor);
  }

  bool download() {
    if (!command("BEGIN")) return false;
    const int descriptor = watched([this] { return lo_open(pg(), made_.back(), INV_READ); });
    if (descriptor < 0) return false;
    for (auto room = payload_.room(); !room.empty();) {
      const auto wanted = std::min(room.size(), chunk_bytes());
      const int got =
          watched([&] { return lo_read(pg(), descriptor, reinterpret_cast<char*>(room.data()), wanted); });
      if (got != static_cast<int>(wanted)) return false;
      room = room.subspan(wanted);
    }
    return close(descriptor);
  }

  bool close(int descriptor) {
    return watched([&] { return lo_close(pg(), descriptor); }) == 0 && command("COMMIT");
  }

  /// In one transaction: a server's disk is waited for once.
  bool unlink_all() {
    if (made_.empty()) return true;
    if (!command("BEGIN")) return false;
    for (const auto object : made_) {
      if (watched([&] { return lo_unlink(pg(), object); }) != 1) return false;
    }
    made_.clear();
    return command("COMMIT");
  }

  bool command(const char* sql) {
    return watched([&] { return good(result(PQexec(pg(), sql)), PGRES_COMMAND_OK); });
  }

  std::size_t chunk_bytes() const { return static_cast<std::size_t>(what_.chunk_bytes); }

  const transfer what_;
  transfer_payload& payload_;
  std::vector<Oid> made_;  // to be unlinked; of a download, what is read
};

}  // namespace

absl::StatusOr<std::unique_ptr<workload>> open_libpq_transfer(const transfer& what, transfer_payload& payload,
                                                              const std::string& uri, wire::watchdog& dog) {
  auto shared = open_connection(uri, dog);
  if (!shared.ok()) return shared.status();
  auto made = std::make_unique<libpq_transfer>(*std::move(shared), what, payload);
  if (auto status = made->prepare(); !status.ok()) return status;
  return made;
}

}  // namespace bench::drivers
