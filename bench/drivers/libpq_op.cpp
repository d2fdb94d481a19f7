#include "bench/drivers/libpq_op.hpp"

#include "bench/server_error.hpp"

#include <fmt/format.h>

namespace bench::drivers {
namespace {

/// The watchdog needs a socket, which is there only afterwards; until then libpq's own limit holds, in whole
/// seconds and at least two.
connection connect(const std::string& uri, std::chrono::milliseconds timeout) {
  const auto seconds = std::to_string(std::chrono::ceil<std::chrono::seconds>(timeout).count());
  const char* const keywords[] = {"dbname", "connect_timeout", nullptr};
  const char* const values[] = {uri.c_str(), seconds.c_str(), nullptr};
  constexpr int dbname_is_uri = 1;
  return connection(PQconnectdbParams(keywords, values, dbname_is_uri));
}

}  // namespace

absl::StatusOr<shared_connection> open_connection(const std::string& uri, wire::watchdog& dog) {
  auto shared = std::make_shared<watched_connection>();
  shared->pg = connect(uri, dog.timeout());
  auto* pg = shared->pg.get();
  if (PQstatus(pg) != CONNECTION_OK) {
    const std::string message = PQerrorMessage(pg);
    return absl::UnavailableError(
        fmt::format("libpq: {}", message.substr(0, message.find_last_not_of('\n') + 1)));
  }
  shared->watch = dog.add(PQsocket(pg));
  return shared;
}

absl::Status libpq_op::execute(const char* sql) {
  const bool executed = watched([&] { return good(result(PQexec(pg(), sql)), PGRES_COMMAND_OK); });
  return executed ? absl::OkStatus() : failed();
}

absl::Status libpq_op::prepare_statement(const char* sql) {
  const bool prepared =
      watched([&] { return good(result(PQprepare(pg(), statement(), sql, 0, nullptr)), PGRES_COMMAND_OK); });
  return prepared ? absl::OkStatus() : failed();
}

absl::Status libpq_op::failed() const {
  if (shared_->watch->fired()) return absl::DeadlineExceededError("libpq: the peer did not answer in time");
  const std::string message = PQerrorMessage(pg());
  const auto end = message.find_last_not_of('\n');
  if (end == std::string::npos) return absl::DataLossError("libpq: the reply is not the expected one");
  const auto sentence = fmt::format("libpq: {}", message.substr(0, end + 1));
  if (PQstatus(pg()) != CONNECTION_OK) return absl::UnavailableError(sentence);
  return with_server_code(absl::FailedPreconditionError(sentence), sqlstate_);
}

}  // namespace bench::drivers
