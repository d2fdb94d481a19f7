#pragma once
// Where a file server keeps its files, as the file-server workload sees it. Every backend has the same two registers: Files, with
// one entry for each content, found by its hash, and FileMapping, with one entry for each stored name.
//
//   enter(file)   -> fresh | known      Files: the hash, if it is new there; FileMapping: the name
//   store(file)                         the content, once per hash
//   read(name)                          FileMapping -> Files -> the content
//
// A backend is one file: a file_store for what one connection does, and a file_backend that opens such connections, empties the
// place, and tells how much of the disk it takes.

#include "codecs/chunks.hpp"

#include "bench/result.hpp"
#include "bench/workload.hpp"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::workloads {

struct file_key {
  std::string name;  ///< new for every file that is stored
  std::string hash;  ///< SHA-256 of the content, as 64 digits
  std::int64_t bytes = 0;
};

/// What the register Files says to a hash.
enum class entered { fresh, known };

/// One connection, used by one thread. Errors: FailedPrecondition when the server refuses an op and the connection is good;
/// Unavailable and DeadlineExceeded when it is lost; Internal for a system call that failed; DataLoss for an answer that cannot be
/// right. After any but the first and the third the connection is given up.
class file_store {
 public:
  virtual ~file_store() = default;

  /// `again`: an earlier try may have come to something. Then a name that is there is no error.
  virtual absl::StatusOr<entered> enter(const file_key& file, bool again) = 0;

  /// Stores all of `from` under a hash that was entered. `again`: what an earlier try has left is taken away first.
  virtual absl::Status store(const file_key& file, codecs::chunk_source& from, bool again) = 0;

  virtual absl::Status read(const file_key& file, codecs::chunk_sink& to) = 0;

  /// What the connection has sent and received so far; empty where there is none.
  virtual std::optional<traffic> counted() const { return std::nullopt; }
};

using opened_file_store = absl::StatusOr<std::unique_ptr<file_store>>;

class file_backend {
 public:
  virtual ~file_backend() = default;

  /// Client, peer, transport, rung; the workload adds id and op.
  virtual labels what() const = 0;

  /// "gridfs": how a user names it.
  virtual std::string name() const = 0;

  /// One clause for a report: where files go, and in which form ("chunks of 261120 bytes").
  virtual std::string how() const = 0;

  /// False: a null server, which knows neither hashes nor contents again. Reading then yields as many bytes as were stored.
  virtual bool keeps() const = 0;

  virtual opened_file_store connect() = 0;

  /// Makes the place, or empties it. To be called before the first store().
  virtual absl::Status make_empty() = 0;

  /// Takes everything away.
  virtual absl::Status remove() = 0;

  /// Bytes on the disk of the place and what else is in its database; empty where nobody tells.
  virtual std::optional<std::int64_t> disk_bytes() = 0;

  /// The largest piece that store() takes from its source.
  virtual std::size_t chunk_bytes() const = 0;

  /// The processes of the server, where they run on this machine and can be told.
  virtual std::vector<pid_t> server_processes() const = 0;
};

}  // namespace bench::workloads
