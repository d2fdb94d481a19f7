#include "bench/server_time.hpp"

#include "codecs/pg/notice.hpp"

#include "wire/connect.hpp"
#include "wire/mongo/client.hpp"
#include "wire/status.hpp"

#include "bench/workloads/raw.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

namespace bench {
namespace {

using workloads::raw_workload;

/// Workloads whose server tells pass everything else on.
class told_workload : public workload {
 public:
  absl::Status before() override { return raw_->before(); }
  absl::Status run(std::uint64_t ops) override { return raw_->run(ops); }
  absl::Status after() override { return raw_->after(); }
  bool works_in_rounds() const override { return raw_->works_in_rounds(); }
  std::optional<std::uint64_t> syscalls() const override { return raw_->syscalls(); }
  std::optional<traffic> counted() const override { return raw_->counted(); }
  std::optional<pid_t> server_pid() const override { return raw_->server_pid(); }

 protected:
  std::unique_ptr<raw_workload> raw_;
};

// --- PostgreSQL ---

/// Adds up the durations among the LOG notices of a session, while it is asked to.
struct duration_log {
  bool listening = false;
  duration_sum heard;
};

class listening_transport final : public wire::transport {
 public:
  listening_transport(std::unique_ptr<wire::transport> inner, duration_log& log)
      : inner_(std::move(inner)), log_(log) {}

  wire::io_result write_some(std::span<const iovec> segments) override {
    return inner_->write_some(segments);
  }
  wire::io_result read_some(codecs::bytes_span to) override { return heard(inner_->read_some(to), to); }
  wire::io_result read_now(codecs::bytes_span to) override { return heard(inner_->read_now(to), to); }
  readiness wait(bool reading) override { return inner_->wait(reading); }
  void shutdown() noexcept override { inner_->shutdown(); }
  int native_handle() const override { return inner_->native_handle(); }

 private:
  wire::io_result heard(wire::io_result got, codecs::bytes_span to) {
    unread_.insert(unread_.end(), to.begin(), to.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    std::size_t taken = 0;
    for (;;) {
      const auto rest = codecs::bytes_view(unread_).subspan(taken);
      const auto scan = codecs::pg::scan_typed(rest, codecs::direction::to_client);
      if (scan.size == 0) break;  // a broken stream is the client's to report
      take(rest.first(scan.size));
      taken += scan.size;
    }
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(taken));
    return got;
  }

  void take(codecs::bytes_view frame) {
    codecs::pg::notice said;
    if (!log_.listening || frame[0] != codecs::pg::reply::notice_response || decode(frame, said)) return;
    if (const auto duration = logged_duration_ns(said.message)) log_.heard.add(*duration);
  }

  std::unique_ptr<wire::transport> inner_;
  duration_log& log_;
  std::vector<std::uint8_t> unread_;
};

class told_by_log final : public told_workload {
 public:
  absl::Status open(const std::string& op, wire::endpoint to, wire::watchdog& dog) {
    // log_min_messages keeps the lines out of the server's own log, lc_messages keeps them readable.
    to.parameters = {{"log_duration", "on"},
                     {"client_min_messages", "log"},
                     {"log_min_messages", "fatal"},
                     {"lc_messages", "C"}};
    auto raw = workloads::open_raw(op, to, dog, [this](auto transport) {
      return std::make_unique<listening_transport>(std::move(transport), log_);
    });
    if (!raw.ok()) return raw.status();
    raw_ = *std::move(raw);
    return absl::OkStatus();
  }

  absl::Status run(std::uint64_t ops) override {
    log_ = {.listening = true, .heard = {}};
    auto status = raw_->run(ops);
    log_.listening = false;
    return status;
  }

  std::optional<std::int64_t> server_told_ns() const override { return log_.heard.total_ns(); }

  ~told_by_log() override { raw_.reset(); }  // its transport writes into the log

 private:
  duration_log log_;
};

// --- MongoDB ---

class told_by_latencies final : public told_workload {
 public:
  absl::Status open(const op& what, const wire::endpoint& to, wire::watchdog& dog) {
    class_ = what.name == "insert_one" ? "writes" : what.name == "find_one" ? "reads" : "commands";
    auto connected = wire::connect(to, dog.timeout());
    if (!connected.transport) return wire::to_status(connected.error, "asking the server");
    counters_.emplace(std::move(connected.transport), &dog);
    if (const auto error = counters_->hello()) return wire::to_status(error, "hello", counters_->why());
    auto raw = workloads::open_raw(what.name, to, dog);
    if (!raw.ok()) return raw.status();
    raw_ = *std::move(raw);
    return absl::OkStatus();
  }

  /// serverStatus is a command itself and counted once it is over: the difference of two in a row is one of them.
  absl::Status before() override {
    if (auto status = raw_->before(); !status.ok()) return status;
    op_latencies first;
    if (auto status = ask(first); !status.ok()) return status;
    if (auto status = ask(before_); !status.ok()) return status;
    asking_ = {before_.ns - first.ns, before_.ops - first.ops};
    ops_ = 0;
    return absl::OkStatus();
  }

  absl::Status run(std::uint64_t ops) override {
    ops_ += static_cast<std::int64_t>(ops);
    return raw_->run(ops);
  }

  absl::Status after() override {
    op_latencies now;
    if (auto status = ask(now); !status.ok()) return status;
    const bool alone = now.ops - before_.ops - asking_.ops == ops_;
    told_ns_ = alone ? std::optional(now.ns - before_.ns - asking_.ns) : std::nullopt;
    return raw_->after();
  }

  std::optional<std::int64_t> server_told_ns() const override { return told_ns_; }

 private:
  absl::Status ask(op_latencies& into) {
    command_.clear();
    bson_append_int32(command_.get(), "serverStatus", -1, 1);
    const auto error = counters_->command("admin", command_.view());
    if (error) return wire::to_status(error, "serverStatus", counters_->why());
    const auto found = read_latencies(counters_->reply().body, class_);
    if (!found) return absl::NotFoundError("its serverStatus has no opLatencies that can be true");
    into = *found;
    return absl::OkStatus();
  }

  std::optional<wire::mongo::client> counters_;
  codecs::mongo::document command_;
  const char* class_ = "";
  op_latencies before_, asking_;
  std::int64_t ops_ = 0;
  std::optional<std::int64_t> told_ns_;
};

}  // namespace

server_timer timer_of(wire::protocol protocol) {
  if (protocol == wire::protocol::mongo) {
    return {"serverStatus.opLatencies",
            "the command from the request read to the reply built; receiving and sending are outside", 1'000};
  }
  return {"log_duration",
          "Query, Bind, Execute or FunctionCall from the request read to the last row or result written, "
          "blocking "
          "while a large reply drains included; receiving the request, and a commit that waits for Sync, are "
          "outside",
          2'000};  // two lines of 1 us each, where Bind and Execute have one of their own
}

absl::StatusOr<std::unique_ptr<workload>> open_told(const op& what, const wire::endpoint& to,
                                                    wire::watchdog& dog) {
  if (what.protocol == wire::protocol::mongo) {
    auto told = std::make_unique<told_by_latencies>();
    if (auto status = told->open(what, to, dog); !status.ok()) return status;
    return told;
  }
  auto told = std::make_unique<told_by_log>();
  if (auto status = told->open(what.name, to, dog); !status.ok()) return status;
  return told;
}

absl::Status check_told(const op& what, const std::string& uri, wire::watchdog& dog) {
  const auto to = wire::parse_endpoint(uri);
  if (!to.value) return absl::InvalidArgumentError(to.problem);
  auto told = open_told(what, *to.value, dog);
  if (!told.ok()) return told.status();
  if (auto status = (*told)->before(); !status.ok()) return status;
  if (auto status = (*told)->run(1); !status.ok()) return status;
  if (auto status = (*told)->after(); !status.ok()) return status;
  if ((*told)->server_told_ns()) return absl::OkStatus();
  return absl::UnavailableError(what.protocol == wire::protocol::mongo
                                    ? "other clients' ops are among the server's counters"
                                    : "no line of log_duration came");
}

std::optional<std::int64_t> logged_duration_ns(std::string_view message) {
  constexpr std::string_view head = "duration: ", unit = " ms";
  if (!message.starts_with(head)) return std::nullopt;
  message.remove_prefix(head.size());
  double ms = 0;
  const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), ms);
  const auto rest = message.substr(static_cast<std::size_t>(end - message.data()));
  if (error != std::errc{} || !rest.starts_with(unit)) return std::nullopt;
  const double ns = ms * 1e6;
  if (!(ns >= 0 && ns <= static_cast<double>(longest_told_ns))) return std::nullopt;  // nor is NaN any time
  return std::llround(ns);
}

void duration_sum::add(std::int64_t ns) {
  any_ = true;
  ns_ = ns_ > longest_told_ns ? ns_ : ns_ + ns;
}

std::optional<std::int64_t> duration_sum::total_ns() const {
  return any_ && ns_ <= longest_told_ns ? std::optional(ns_) : std::nullopt;
}

std::optional<op_latencies> read_latencies(codecs::bytes_view server_status, const char* of_class) {
  using namespace codecs::mongo;
  const auto member = [](codecs::bytes_view document, const char* key) {
    return document.empty() ? std::nullopt : lookup(document, key);
  };
  const auto within = [&member](codecs::bytes_view document, const char* key) {
    const auto found = member(document, key);
    return found ? embedded(*found) : codecs::bytes_view{};
  };
  const auto number = [&member](codecs::bytes_view document, const char* key) {
    const auto found = member(document, key);
    return found ? integer(*found) : std::nullopt;
  };
  const auto counters = within(within(server_status, "opLatencies"), of_class);
  const auto us = number(counters, "latency"), ops = number(counters, "ops");
  const auto within_reason = [](std::int64_t value, std::int64_t most) {
    return value >= 0 && value <= most;
  };
  if (!us || !within_reason(*us, longest_told_ns / 1'000)) return std::nullopt;
  if (!ops || !within_reason(*ops, longest_told_ns)) return std::nullopt;
  return op_latencies{*us * 1'000, *ops};
}

}  // namespace bench
