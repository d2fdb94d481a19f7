#include "bench/load/recording.hpp"

#include "bench/server_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bench::load {
namespace {

/// The drivers hand on the system's sentence and not its number.
bool tells(const absl::Status& error, int number) {
  return std::string(error.message()).find(std::strerror(number)) != std::string::npos;
}

std::string kind_of_lost(const absl::Status& error) {
  if (tells(error, EADDRNOTAVAIL)) return no_free_port;
  if (tells(error, ECONNREFUSED)) return "connection refused";
  return "connection lost";
}

}  // namespace

bool passes(std::string_view kind) {
  return kind == "server error 40001" || kind == "server error 40P01";
}

std::string kind_of(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kFailedPrecondition: {
      const auto code = server_code(error);
      return code.empty() ? "server error" : "server error " + code;
    }
    case absl::StatusCode::kDeadlineExceeded:
      return "timeout";
    case absl::StatusCode::kUnavailable:
      return kind_of_lost(error);
    case absl::StatusCode::kDataLoss:
      return "wrong reply";
    default:
      return "other";
  }
}

recording::recording(std::size_t ops, bool open_loop) : service(ops) {
  if (open_loop) response.emplace();
}

void recording::merge(const recording& other) {
  for (std::size_t i = 0; i < service.size(); ++i) service[i].merge(other.service[i]);
  if (response) response->merge(*other.response);
  lag_sum_ns += other.lag_sum_ns;
  lag_max_ns = std::max(lag_max_ns, other.lag_max_ns);
  last_sent_ns = std::max(last_sent_ns, other.last_sent_ns);
  late_ops += other.late_ops;
  ended_late += other.ended_late;
  never_sent += other.never_sent;
  for (const auto& [kind, errors] : other.by_kind) {
    auto& mine = by_kind[kind];
    if (mine.count == 0) mine.first = errors.first;
    mine.count += errors.count;
  }
  failed_ops += other.failed_ops;
  retried_ops += other.retried_ops;
  retries += other.retries;
  connects_ns.insert(connects_ns.end(), other.connects_ns.begin(), other.connects_ns.end());
}

void recording::clear() {
  for (auto& each : service) each.clear();
  if (response) response->clear();
  lag_sum_ns = 0;
  lag_max_ns = last_sent_ns = 0;
  late_ops = ended_late = never_sent = failed_ops = retried_ops = retries = 0;
  by_kind.clear();
  connects_ns.clear();
}

void recording::add_error(const absl::Status& error) {
  auto& same = by_kind[kind_of(error)];
  if (same.count++ == 0) same.first = std::string(error.message());
}

std::uint64_t recording::errors() const {
  std::uint64_t sum = 0;
  for (const auto& [kind, errors] : by_kind) sum += errors.count;
  return sum;
}

histogram recording::service_of_all() const {
  histogram all = service.front();
  for (std::size_t i = 1; i < service.size(); ++i) all.merge(service[i]);
  return all;
}

}  // namespace bench::load
