#pragma once
// What all ops through libpq share: a connection under a watch, and errors in libpq's own words.

#include "wire/watchdog.hpp"

#include "bench/workload.hpp"

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/statusor.h"

namespace bench::drivers {

struct free_connection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using connection = std::unique_ptr<PGconn, free_connection>;

struct free_result {
  void operator()(PGresult* result) const { PQclear(result); }
};
using result = std::unique_ptr<PGresult, free_result>;

/// A connection with the watch on its socket; all ops of the connection share it.
struct watched_connection {
  connection pg;
  wire::watchdog::handle watch;
};
using shared_connection = std::shared_ptr<watched_connection>;

/// libpq has no time-out for an answer, so `dog`, which must outlive the connection, shuts its socket down when one does not come.
absl::StatusOr<shared_connection> open_connection(const std::string& uri, wire::watchdog& dog);

/// An op of such a connection, again and again.
class libpq_op : public workload {
 public:
  /// `statement` is a name that no other op of the connection has.
  libpq_op(shared_connection shared, std::string statement)
      : shared_(std::move(shared)), statement_(std::move(statement)) {}

  absl::Status run(std::uint64_t ops) final {
    for (std::uint64_t i = 0; i < ops; ++i) {
      if (!watched([this] { return op(); })) return failed();
    }
    return absl::OkStatus();
  }

  std::optional<pid_t> server_pid() const override { return PQbackendPID(pg()); }

  virtual absl::Status prepare() { return absl::OkStatus(); }

 protected:
  virtual bool op() = 0;

  PGconn* pg() const { return shared_->pg.get(); }
  const char* statement() const { return statement_.c_str(); }

  /// libpq waits for ever: every call that waits is made under the watch.
  template <typename Call>
  std::invoke_result_t<Call> watched(Call call) {
    shared_->watch->arm();
    const auto answer = call();
    shared_->watch->disarm();
    return answer;
  }

  /// Whether the server has done it; if not, failed() tells the result's SQLSTATE.
  bool good(const result& done, ExecStatusType wanted) {
    if (PQresultStatus(done.get()) == wanted) [[likely]]
      return true;
    const char* code = PQresultErrorField(done.get(), PG_DIAG_SQLSTATE);
    sqlstate_ = code == nullptr ? "" : code;
    return false;
  }

  absl::Status execute(const char* sql);
  absl::Status prepare_statement(const char* sql);
  absl::Status failed() const;

 private:
  shared_connection shared_;
  std::string statement_;
  std::string sqlstate_;
};

}  // namespace bench::drivers
