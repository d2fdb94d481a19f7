#pragma once
// A client of libmongoc as the workloads use it: single-threaded, with time-outs, and silent.

#include <mongoc/mongoc.h>

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench::drivers {

/// Deleter of the library's objects: std::unique_ptr<mongoc_cursor_t, destroy<mongoc_cursor_destroy>>.
template <auto Destroy>
struct destroy {
  template <typename T>
  void operator()(T* object) const {
    Destroy(object);
  }
};

using libmongoc_client = std::shared_ptr<mongoc_client_t>;

/// `timeout` becomes the socket's, the connection's and the server selection's. libmongoc connects with its first command,
/// which is a ping here, so that no op pays for it. Errors of servers get a domain of their own (MONGOC_ERROR_SERVER).
absl::StatusOr<libmongoc_client> open_client(const std::string& uri, std::chrono::milliseconds timeout);

}  // namespace bench::drivers
