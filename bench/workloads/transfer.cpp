#include "bench/workloads/transfer.hpp"

#include "wire/mongo/gridfs.hpp"
#include "wire/pg/large_object.hpp"
#include "wire/pipeline.hpp"
#include "wire/status.hpp"
#include "wire/strategy/memory_sink.hpp"
#include "wire/strategy/receiving.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workloads/connect.hpp"
#include "bench/workloads/docs_raw.hpp"
#include "bench/workloads/mongo_op_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::workloads {
namespace {

namespace lo = codecs::pg::large_object;

using needs = wire::source_strategy::kind;

constexpr framing all_framings[] = {
    {"gridfs", wire::protocol::mongo, true, true, "libmongoc", "GridFS chunk documents"},
    {"lowrite", wire::protocol::pg, true, false, "libpq", "large object, FunctionCalls of lowrite"},
    {"lo-trip", wire::protocol::pg, true, false, "", "large object, Bind/Execute behind one Sync"},
    {"loread", wire::protocol::pg, false, true, "libpq", "large object, FunctionCalls of loread"},
    {"lo_get", wire::protocol::pg, false, true, "", "large object, streamed by one query"},
};

constexpr transfer_strategy discard{"discard", "frames as a whole into one block, and no further", false};

const wire::source_strategy& source_of(std::string_view strategy) {
  return *std::ranges::find(wire::source_strategies(), strategy, &wire::source_strategy::name);
}

/// What all framings share: where payload comes from and goes to, and what is counted.
class transfer_op : public workload {
 public:
  transfer_op(const transfer& what, transfer_payload& payload, wire::channel& channel)
      : what_(what), payload_(payload), channel_(channel) {}

  absl::Status run(std::uint64_t ops) final {
    for (std::uint64_t i = 0; i < ops; ++i) {
      auto status = what_.way == direction::upload ? upload() : download();
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status make_ready() {
    if (receiving_ != nullptr) {
      const auto problem = wire::receive_by(channel_, *receiving_);
      if (!problem.empty()) return absl::UnavailableError(problem);
    }
    return prepare();
  }

  bool works_in_rounds() const final { return what_.way == direction::upload; }

  std::optional<std::uint64_t> syscalls() const final {
    return channel_.counters().syscalls() + ends_.syscalls;
  }
  std::optional<std::uint64_t> copied_bytes() const final {
    return channel_.copied_bytes() + ends_.copied_bytes;
  }
  std::optional<std::uint64_t> round_trips() const final { return channel_.counters().turns; }
  std::optional<traffic> counted() const final {
    const auto& counters = channel_.counters();
    return traffic{.frames_out = counters.frames_out,
                   .frames_in = counters.frames_in,
                   .bytes_out = counters.bytes_out,
                   .bytes_in = counters.bytes_in};
  }

 protected:
  virtual absl::Status prepare() = 0;
  virtual absl::Status send(wire::source& from) = 0;
  virtual absl::Status receive(wire::sink& to) = 0;

  /// What the framing's exchange does, without what wire::transfer() reads around it, which would be timed.
  absl::Status move(codecs::exchange& by, wire::source& from) {
    return outcome(wire::move(channel_, by, from));
  }
  absl::Status move(codecs::exchange& by, wire::sink& to) { return outcome(wire::move(channel_, by, to)); }

  /// From memory, whatever the strategy: for what is put there to be read.
  wire::made_source any_source() { return wire::make_source("gather", payload_.memory()); }

  const transfer what_;
  transfer_payload& payload_;

 private:
  absl::Status upload() {
    const auto& strategy = source_of(what_.strategy);
    const auto owner = strategy.needs == needs::file ? wire::owner(wire::file_path{payload_.file()})
                                                     : wire::owner(payload_.memory());
    auto made = wire::make_source(strategy.name, owner);
    if (!made.source) return absl::UnavailableError(made.problem);
    auto status = send(*made.source);
    note(made.source->counters());
    return status;
  }

  absl::Status download() {
    if (receiving_ == nullptr) return download_to(wire::discard_sink());
    return receiving_->needs_file ? download_to_file() : download_to(wire::memory_sink(payload_.room()));
  }

  absl::Status download_to_file() {
    const auto file = receiving_->make_file();
    auto status = file->open(payload_.received()) ? download_to(std::move(*file)) : absl::OkStatus();
    if (status.ok() && !file->close(wire::file_sink::durability::page_cache))
      status = absl::UnavailableError(fmt::format("{}: {}", what_.how->name, file->why()));
    return status;
  }

  absl::Status download_to(wire::sink&& to) {
    auto status = receive(to);
    note(to.counters());
    const auto bytes = to.counters().payload_bytes;
    if (!status.ok() || bytes == payload_.file_bytes()) return status;
    return absl::DataLossError(fmt::format("{}: {} bytes came where the file has {}", what_.how->name, bytes,
                                           payload_.file_bytes()));
  }

  absl::Status outcome(const wire::transfer_outcome& ended) const {
    return wire::to_status(ended.error, std::string(what_.how->name), ended.why);
  }

  void note(const wire::end_counters& end) {
    ends_.syscalls += end.syscalls;
    ends_.copied_bytes += end.copied_bytes;
  }

  wire::channel& channel_;
  const wire::receiving* receiving_ = wire::find_receiving(what_.strategy);  // null: discard, or an upload
  wire::end_counters ends_;
};

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
    return what_.how->name == "lo-trip" ? upload_in_one_trip(from) : upload_by_calls(from);
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

  absl::Status upload_by_calls(wire::source& from) {
    if (auto status = query("BEGIN"); !status.ok()) return status;
    if (auto status = call(lo::lo_creat(), "lo_creat"); !status.ok()) return status;
    made_.push_back(static_cast<codecs::pg::oid>(client_->number()));
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

  codecs::chunk_layout layout() const { return {payload_.file_bytes(), what_.chunk_bytes}; }

  std::unique_ptr<wire::pg::client> client_;
  wire::pg::large_objects objects_;
  std::vector<codecs::pg::oid> made_;  // to be unlinked; of a download, what is read
};

absl::StatusOr<std::unique_ptr<transfer_op>> connected(const transfer& what, transfer_payload& payload,
                                                       const wire::endpoint& to, wire::watchdog& dog,
                                                       const wrap_transport& wrap) {
  if (what.how->protocol == wire::protocol::mongo) {
    auto client = connect_mongo(to, dog, wrap);
    if (!client.ok()) return client.status();
    return std::make_unique<gridfs_transfer>(what, payload, *std::move(client));
  }
  auto transport = connect(to, dog);
  if (!transport.ok()) return transport.status();
  if (wrap) transport = wrap(*std::move(transport));
  auto client = std::make_unique<wire::pg::client>(*std::move(transport), &dog);
  if (auto status = log_in(*client, to); !status.ok()) return status;
  return std::make_unique<large_object_transfer>(what, payload, std::move(client));
}

}  // namespace

const char* name(direction way) {
  return way == direction::upload ? "upload" : "download";
}

std::span<const framing> framings() {
  return all_framings;
}

const framing* find_framing(std::string_view name) {
  const auto* found = std::ranges::find(all_framings, name, &framing::name);
  return found == std::end(all_framings) ? nullptr : found;
}

std::vector<transfer_strategy> strategies(direction way) {
  std::vector<transfer_strategy> all;
  if (way == direction::upload) {
    for (const auto& one : wire::source_strategies())
      all.push_back({one.name, one.summary, one.needs == needs::file});
  } else {
    for (const auto& one : wire::receive_strategies()) all.push_back({one.name, one.summary, one.needs_file});
    all.push_back(discard);
  }
  return all;
}

const char* bucket_of(direction way) {
  return way == direction::upload ? "sweep_up" : "sweep_dn";  // of equal length
}

std::string stored_name(std::int64_t file_bytes, std::int64_t chunk_bytes) {
  return fmt::format("{}x{}", file_bytes, chunk_bytes);
}

absl::StatusOr<std::unique_ptr<workload>> open_transfer(const transfer& what, transfer_payload& payload,
                                                        const wire::endpoint& to, wire::watchdog& dog,
                                                        const wrap_transport& wrap) {
  auto made = connected(what, payload, to, dog, wrap);
  if (!made.ok()) return made.status();
  if (auto status = (*made)->make_ready(); !status.ok()) return status;
  return *std::move(made);
}

}  // namespace bench::workloads
