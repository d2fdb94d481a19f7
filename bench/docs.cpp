#include "bench/docs.hpp"

#include "wire/status.hpp"

#include "bench/compare.hpp"
#include "bench/docs_crew.hpp"
#include "bench/docs_target.hpp"
#include "bench/live_cell.hpp"
#include "bench/placement.hpp"
#include "bench/schedule.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {

using workloads::docs_data;
using workloads::docs_share;
using workloads::docs_tally;
using workloads::docs_test;
using workloads::docs_tests;

namespace {

constexpr std::uint64_t rows_wanted = 40;

constexpr std::uint64_t most_batch = 100'000;  // maxWriteBatchSize
constexpr std::uint64_t most_threads = 100;
constexpr std::uint64_t largest_message = 48'000'000;
constexpr std::uint64_t message_overhead = 1'000;  // more than any envelope of ours or of libmongoc

/// Documents of one command of a test.
std::uint64_t per_command(docs_test test, std::uint64_t batch) {
  return test == docs_test::find_equal ? 1 : batch;
}

class docs_run {
 public:
  docs_run(const docs_options& options, wire::watchdog& dog, result& measured)
      : options_(options),
        dog_(dog),
        data_({options.count, options.found, options.document_bytes, options.seed}),
        measured_(measured) {}

  absl::Status open(const docs_peers& peers);
  absl::Status all_tests();
  absl::Status close();

 private:
  /// A round, and what its cell does not keep of it.
  struct worked {
    round timed;
    docs_tally tally;
  };

  /// One client on one server in one test.
  struct party {
    docs_target::client* client = nullptr;
    cell measured;
    docs_row total;
    std::string first_error;
  };

  absl::Status one_test(docs_test test);
  absl::Status on_target(docs_test test, docs_target& target, op_plan& plan, std::vector<party>& parties);
  absl::Status warm_up(docs_test test, docs_target& target, std::vector<party>& parties,
                       std::uint64_t documents);
  absl::StatusOr<bool> one_row(const docs_share& share, std::uint64_t row, docs_target& target,
                               std::vector<party>& parties);
  absl::StatusOr<worked> one_round(const docs_share& share, docs_target& target, party& who);
  void finish(docs_test test, const op_plan& plan, docs_target& target, std::vector<party>& parties);
  void show_progress(docs_test test, double share_of_rows);

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  const docs_options& options_;
  wire::watchdog& dog_;
  docs_data data_;
  result& measured_;
  std::vector<std::unique_ptr<docs_target>> targets_;
  std::size_t steps_done_ = 0;  // tests on one target each
};

absl::Status docs_run::open(const docs_peers& peers) {
  const auto add = [this](const peer& served_by, bool real, std::optional<pid_t> server_pid) {
    auto target = docs_target::open(served_by, real, server_pid, options_, data_, dog_);
    if (!target.ok()) return target.status();
    if (!(*target)->placed().ok()) {
      measured_.warnings.push_back(
          {"W-PLACEMENT",
           served_by.name(),
           std::string((*target)->placed().message()),
           "its times contain wake-ups of another cpu: compare them with each other alone",
           {}});
    }
    targets_.push_back(*std::move(target));
    return absl::OkStatus();
  };
  if (auto status = add(*peers.null, false, std::nullopt); !status.ok()) return status;
  return peers.real == nullptr ? absl::OkStatus() : add(*peers.real, true, peers.server_pid);
}

absl::Status docs_run::close() {
  absl::Status status;
  for (const auto& target : targets_) status.Update(target->drop_collections());
  return status;
}

absl::Status docs_run::all_tests() {
  for (const auto test : docs_tests) {
    if (stopped()) break;
    if (auto status = one_test(test); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status docs_run::one_test(docs_test test) {
  op_plan plan{.op = name(test), .groups = {}, .reason = ended_by::rows, .failure = {}};
  absl::Status status;
  const auto began = now_ns();
  for (std::size_t i = 0; i < targets_.size() && status.ok() && !stopped(); ++i) {
    std::vector<party> parties;
    status = on_target(test, *targets_[i], plan, parties);
    if (!status.ok()) {
      plan.reason = ended_by::failure;
      plan.failure = std::string(status.message());
    } else if (stopped()) {
      plan.reason = ended_by::stop;
    }
    finish(test, plan, *targets_[i], parties);
    ++steps_done_;
  }
  plan.elapsed_s = static_cast<double>(now_ns() - began) / 1e9;
  if (plan.rows > 0) measured_.plan.ops.push_back(std::move(plan));
  return status;
}

absl::Status docs_run::on_target(docs_test test, docs_target& target, op_plan& plan,
                                 std::vector<party>& parties) {
  const auto group = plan.groups.size();
  plan.groups.emplace_back();
  for (auto& client : target.clients()) {
    party who{
        .client = &client, .measured = {.what = client.what, .group = group}, .total = {}, .first_error = {}};
    who.measured.what.op = plan.op;
    who.measured.what.id = fmt::format("{}/{}/{}", plan.op, client.what.rung, client.what.client);
    plan.groups[group].cells.push_back(who.measured.what.id);
    parties.push_back(std::move(who));
  }
  const auto rows =
      plan_docs_rows(data_.documents_of(test), per_command(test, options_.batch), options_.threads);
  plan.groups[group].ops_per_round = rows.front().second;
  if (auto status = warm_up(test, target, parties, rows.front().second); !status.ok()) return status;
  std::uint64_t row = 0;
  for (; row < rows.size(); ++row) {
    const auto whole = one_row({test, rows[row].first, rows[row].second}, row, target, parties);
    if (!whole.ok()) return whole.status();
    if (!*whole) break;
    plan.rows = std::max(plan.rows, row + 1);
    show_progress(test, static_cast<double>(row + 1) / static_cast<double>(rows.size()));
  }
  plan.balanced = plan.balanced && row % 2 == 0;
  return absl::OkStatus();
}

/// Rounds like those to come. Documents that are inserted for it are taken away again.
absl::Status docs_run::warm_up(docs_test test, docs_target& target, std::vector<party>& parties,
                               std::uint64_t documents) {
  for (auto& who : parties) {
    std::uint64_t pass = 0;
    std::int64_t spent_ns = 0;
    const auto first = test == docs_test::insert ? options_.count : 0;
    while (spent_ns < warm_up_ns && !stopped()) {
      const auto begin = test == docs_test::insert ? first + pass * documents : 0;
      const auto done = who.client->crew.run({test, begin, begin + documents, ++pass});
      if (!done.status.ok()) return done.status;
      if (done.tally.errors > 0) return absl::FailedPreconditionError(done.tally.first_error);
      spent_ns += done.elapsed_ns;
    }
    if (test != docs_test::insert || pass == 0) continue;
    if (auto status = target.remove(*who.client, first, first + pass * documents); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// False when the stop flag was seen half-way; the row is then dropped, since its pairs are not complete.
absl::StatusOr<bool> docs_run::one_row(const docs_share& share, std::uint64_t row, docs_target& target,
                                       std::vector<party>& parties) {
  const auto order = latin_row(parties.size(), row, options_.seed);
  std::vector<std::pair<party*, worked>> row_done;
  for (std::size_t position = 0; position < order.size(); ++position) {
    if (stopped()) return false;
    auto& who = parties[order[position]];
    auto measured = one_round(share, target, who);
    if (!measured.ok()) return measured.status();
    measured->timed.row = row;
    measured->timed.position = position;
    measured->timed.group = who.measured.group;
    row_done.emplace_back(&who, *std::move(measured));
  }
  for (auto& [who, done] : row_done) {
    who->measured.rounds.push_back(done.timed);
    who->total.payload_bytes += done.tally.payload_bytes;
    who->total.errors += done.tally.errors;
    if (who->first_error.empty()) who->first_error = done.tally.first_error;
  }
  return true;
}

absl::StatusOr<docs_run::worked> docs_run::one_round(const docs_share& share, docs_target& target,
                                                     party& who) {
  auto& crew = who.client->crew;
  const auto counted = [&] {
    const auto own = crew.counted();
    return own ? own : target.served_by().counted();
  };
  const auto moved_before = counted();
  const auto syscalls_before = crew.syscalls();
  const auto server_before = target.server_cpu_ns();
  round timed{.cpu_start = current_cpu()};
  const auto done = crew.run(share);
  timed.cpu_end = current_cpu();
  const auto server_after = target.server_cpu_ns();
  if (!done.status.ok()) return done.status;
  if (done.tally.documents == 0) return absl::UnavailableError(done.tally.first_error);

  timed.ops = done.tally.documents;
  timed.elapsed_ns = done.elapsed_ns;
  timed.client_cpu_ns = done.used.client_cpu_ns;
  if (server_before && server_after) timed.server_cpu_ns = *server_after - *server_before;
  timed.voluntary_switches = done.used.voluntary_switches;
  timed.involuntary_switches = done.used.involuntary_switches;
  timed.minor_faults = done.used.minor_faults;
  timed.major_faults = done.used.major_faults;
  if (syscalls_before) timed.syscalls = *crew.syscalls() - *syscalls_before;
  if (moved_before) timed.moved = *counted() - *moved_before;
  return worked{timed, done.tally};
}

/// Adds the sums over the rounds that know them; empty when one does not.
template <typename Value>
void add(std::optional<Value>& sum, const std::optional<Value>& part) {
  sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
}

docs_row summed(const cell& measured, docs_row total) {
  total.cell = measured.what.id;
  total.bytes_out = total.bytes_in = 0;
  total.server_cpu_ns = 0;
  for (const auto& timed : measured.rounds) {
    total.documents += timed.ops;
    total.elapsed_ns += timed.elapsed_ns;
    total.client_cpu_ns += timed.client_cpu_ns;
    add(total.server_cpu_ns, timed.server_cpu_ns);
    add(total.bytes_out, timed.moved ? std::optional(timed.moved->bytes_out) : std::nullopt);
    add(total.bytes_in, timed.moved ? std::optional(timed.moved->bytes_in) : std::nullopt);
  }
  return total;
}

void docs_run::finish(docs_test test, const op_plan& plan, docs_target& target, std::vector<party>& parties) {
  std::vector<cell> cells;
  for (auto& who : parties) {
    if (who.measured.rounds.empty()) return;
    summarize(who.measured);
    auto total = summed(who.measured, who.total);
    total.threads = options_.threads;
    total.batch = per_command(test, options_.batch);
    total.document_bytes = options_.document_bytes;
    total.stored_bytes = target.stored_bytes(*who.client);
    if (total.errors > 0) {
      measured_.warnings.push_back({"W-ERRORS", fmt::format("{}: {} commands", total.cell, total.errors),
                                    fmt::format("the server refused them: {}", who.first_error),
                                    "their documents are not counted", plan.op});
    }
    measured_.docs.push_back(std::move(total));
    cells.push_back(who.measured);
  }
  const auto compared = compare(cells, measured_.plan.delta);
  measured_.comparisons.insert(measured_.comparisons.end(), compared.begin(), compared.end());
  if (cells.front().rounds.size() < rows_needed()) {
    measured_.warnings.push_back({"W-ROWS",
                                  fmt::format("{}: {} of {} rows", target.served_by().name(),
                                              cells.front().rounds.size(), rows_needed()),
                                  "too few rows for an interval",
                                  "more documents, smaller batches or fewer threads make more rows",
                                  plan.op});
  }
  measured_.cells.insert(measured_.cells.end(), cells.begin(), cells.end());
}

void docs_run::show_progress(docs_test test, double share_of_rows) {
  if (!options_.on_progress) return;
  const auto steps = static_cast<double>(docs_tests.size() * targets_.size());
  options_.on_progress((static_cast<double>(steps_done_) + share_of_rows) / steps, name(test));
}

}  // namespace

absl::Status check(const docs_options& options) {
  const auto refuse = [](const std::string& sentence) { return absl::InvalidArgumentError(sentence); };
  if (options.count == 0) return refuse("a count of 0 documents measures nothing; --count takes 1 and more");
  if (options.found == 0 || options.found > options.count) {
    return refuse(fmt::format("{} documents cannot be found among {}; --found takes 1 to the count",
                              options.found, options.count));
  }
  if (options.threads == 0 || options.threads > most_threads)
    return refuse(fmt::format("{} threads; --threads takes 1 to {}", options.threads, most_threads));
  if (options.batch == 0 || options.batch > most_batch) {
    return refuse(fmt::format("a batch of {}; --batch takes 1 to {}, the most that servers take",
                              options.batch, most_batch));
  }
  if (options.document_bytes < workloads::smallest_document ||
      options.document_bytes > workloads::largest_document) {
    return refuse(
        fmt::format("documents of {} bytes; --size takes {} (_id, number and empty data) to {} (16 MiB)",
                    options.document_bytes, workloads::smallest_document, workloads::largest_document));
  }
  if (std::min(options.batch, options.count) * options.document_bytes + message_overhead > largest_message) {
    return refuse(
        fmt::format("{} documents of {} bytes do not fit into one message of {} bytes; lower --batch",
                    options.batch, options.document_bytes, largest_message));
  }
  return absl::OkStatus();
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> plan_docs_rows(std::uint64_t documents,
                                                                    std::uint64_t batch,
                                                                    std::uint64_t threads) {
  const auto unit = batch * threads;  // a full command for every thread
  const auto units = (documents + unit - 1) / unit;
  auto rows = std::min(units, rows_wanted);
  if (rows > 1) rows -= rows % 2;  // each client goes first as often as the other
  std::vector<std::pair<std::uint64_t, std::uint64_t>> planned;
  for (std::uint64_t row = 0; row < rows; ++row) {
    planned.emplace_back(units * row / rows * unit, std::min(units * (row + 1) / rows * unit, documents));
  }
  return planned;
}

absl::Status run_docs(const docs_options& options, const docs_peers& peers, wire::watchdog& dog,
                      result& measured) {
  const auto pinned = pinned_thread::to(options.cpu);
  if (!pinned.ok()) return pinned.status();
  docs_run run(options, dog, measured);
  if (auto status = run.open(peers); !status.ok()) return status;
  auto status = run.all_tests();
  status.Update(run.close());
  return status;
}

}  // namespace bench
