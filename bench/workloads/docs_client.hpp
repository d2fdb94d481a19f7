#pragma once
// One connection of one client that does its share of a document test, command by command, and checks every answer: as many
// documents inserted, changed and found as the commands ask for, and the ones that they ask for.

#include "codecs/mongo/cursor.hpp"

#include "bench/workload.hpp"
#include "bench/workloads/docs_data.hpp"

#include <deque>
#include <span>
#include <string>

#include "absl/status/status.h"

namespace bench::workloads {

/// Documents from `begin` to below `end` of a test; `pass` is 0 for the measured one and counts those of the warm-up.
struct docs_share {
  docs_test test = docs_test::insert;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t pass = 0;
};

/// What a share came to.
struct docs_tally {
  std::uint64_t documents = 0;      ///< inserted, changed or found
  std::uint64_t payload_bytes = 0;  ///< of those documents; 21 of each that was changed
  std::uint64_t errors = 0;         ///< commands that the server refused; their documents are not counted
  std::string first_error;
};

class docs_client : private codecs::mongo::document_sink {
 public:
  /// `data` outlives the client. A command is about `batch` documents, those of find_equal about one.
  docs_client(const docs_data& data, std::uint64_t batch) : data_(data), batch_(batch) {}

  /// DataLoss when an answer is not what the command asks for, another status when the connection is lost.
  absl::Status run(const docs_share& share, docs_tally& tally);

  virtual std::optional<std::uint64_t> syscalls() const { return std::nullopt; }
  virtual std::optional<traffic> counted() const { return std::nullopt; }

 protected:
  // One command each. Aborted: the server refused it and the connection is good.
  virtual absl::Status insert(std::span<const codecs::bytes_view> documents, std::uint64_t& inserted) = 0;
  virtual void add_update(codecs::bytes_view filter, codecs::bytes_view change) = 0;
  virtual absl::Status update(std::uint64_t& matched, std::uint64_t& modified) = 0;
  virtual absl::Status find(codecs::bytes_view filter, codecs::mongo::document_sink& found) = 0;

 private:
  absl::Status command(const docs_share& share, docs_tally& tally);
  absl::Status insert_some(const docs_share& share, docs_tally& tally);
  absl::Status update_some(const docs_share& share, docs_tally& tally);
  absl::Status find_some(const docs_share& share, docs_tally& tally);
  bool take(codecs::bytes_view document) override;

  const docs_data& data_;
  std::uint64_t batch_;
  std::deque<codecs::mongo::document> documents_;
  std::vector<codecs::bytes_view> views_;
  codecs::mongo::document filter_;
  codecs::mongo::document change_;

  std::uint64_t found_ = 0;  // these three: by one find
  std::uint64_t found_bytes_ = 0;
  std::uint64_t found_ids_ = 0;  // their sum, modulo 2^64
};

}  // namespace bench::workloads
