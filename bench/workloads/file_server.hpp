#pragma once
// What the backends of the file-server workload that are servers have in common.

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include "bench/peer.hpp"
#include "bench/workloads/file_store.hpp"

namespace bench::workloads {

struct file_server_setup {
  const peer* served_by = nullptr;
  bool null = false;                          ///< the peer is a null server, which keeps nothing
  std::optional<pid_t> server_pid{};          ///< of a server that its peer does not know
  std::optional<std::int64_t> chunk_bytes{};  ///< else the backend's own choice
  std::int64_t file_bytes = 0;                ///< of every file
};

class file_server_backend : public file_backend {
 public:
  labels what() const final;
  bool keeps() const final { return !how_.null; }
  std::size_t chunk_bytes() const final { return static_cast<std::size_t>(chunk_bytes_); }
  std::vector<pid_t> server_processes() const final;

 protected:
  /// `dog` and the peer outlive the backend.
  file_server_backend(const file_server_setup& how, wire::endpoint to, std::int64_t chunk_bytes,
                      wire::watchdog& dog)
      : how_(how), to_(std::move(to)), dog_(dog), chunk_bytes_(how.chunk_bytes.value_or(chunk_bytes)) {}

  /// The server's process, where the backend's own connection has told it; empty where it has not.
  virtual std::optional<pid_t> told_pid() const { return std::nullopt; }

  const file_server_setup how_;
  const wire::endpoint to_;
  wire::watchdog& dog_;

 private:
  std::int64_t chunk_bytes_;
};

/// The server that `how` names; InvalidArgument when it does not speak that protocol.
absl::StatusOr<wire::endpoint> endpoint_of(const file_server_setup& how, wire::protocol wanted);

/// Status of an error that came out of a server op: `doing` says what was tried, `code` is the server's own, if any.
absl::Status file_status(const codecs::error_code& error, const std::string& doing, const std::string& why,
                         const std::string& code);

}  // namespace bench::workloads
