#pragma once
// What the transfers of all framings share: where payload comes from and goes to, and what is counted.

#include "codecs/chunk_layout.hpp"

#include "wire/mongo/client.hpp"
#include "wire/pg/client.hpp"
#include "wire/pipeline.hpp"
#include "wire/strategy/receiving.hpp"
#include "wire/strategy/source.hpp"

#include "bench/workload.hpp"
#include "bench/workloads/transfer.hpp"

#include <memory>
#include <optional>

namespace bench::workloads {

class transfer_op : public workload {
 public:
  transfer_op(const transfer& what, transfer_payload& payload, wire::channel& channel);

  /// Once, before the first run().
  absl::Status make_ready();

  absl::Status run(std::uint64_t ops) final;
  bool works_in_rounds() const final { return what_.way == direction::upload; }

  std::optional<std::uint64_t> syscalls() const final;
  std::optional<std::uint64_t> copied_bytes() const final;
  std::optional<std::uint64_t> round_trips() const final { return channel_.counters().turns; }
  std::optional<traffic> counted() const final;

 protected:
  /// Of a download: puts there what is to be read.
  virtual absl::Status prepare() = 0;
  virtual absl::Status send(wire::source& from) = 0;
  virtual absl::Status receive(wire::sink& to) = 0;

  /// What the framing's exchange does, without what wire::transfer() reads around it, which would be timed.
  absl::Status move(codecs::exchange& by, wire::source& from);
  absl::Status move(codecs::exchange& by, wire::sink& to);

  /// From memory, whatever the strategy: for what is put there to be read.
  wire::made_source any_source();

  codecs::chunk_layout layout() const { return {payload_.file_bytes(), what_.chunk_bytes}; }

  const transfer what_;
  transfer_payload& payload_;

 private:
  absl::Status upload();
  absl::Status download();
  absl::Status download_to_file();
  absl::Status download_to(wire::sink&& to);
  absl::Status outcome(const wire::transfer_outcome& ended) const;
  void note(const wire::end_counters& end);

  wire::channel& channel_;
  const wire::receiving* receiving_ = nullptr;  // null: discard, or an upload
  wire::end_counters ends_;
};

// By protocol; each is connected, and make_ready() comes next.

std::unique_ptr<transfer_op> make_gridfs_transfer(const transfer& what, transfer_payload& payload,
                                                  std::unique_ptr<wire::mongo::client> client);

std::unique_ptr<transfer_op> make_large_object_transfer(const transfer& what, transfer_payload& payload,
                                                        std::unique_ptr<wire::pg::client> client);

std::unique_ptr<transfer_op> make_row_transfer(const transfer& what, transfer_payload& payload,
                                               std::unique_ptr<wire::pg::client> client);

}  // namespace bench::workloads
