#include "bench/files.hpp"

#include "bench/clock.hpp"
#include "bench/file_lane.hpp"
#include "bench/placement.hpp"
#include "bench/schedule.hpp"
#include "bench/server_process.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <deque>
#include <future>

namespace bench {

using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t most_threads = 100;
constexpr std::uint64_t least_bytes = 16;  // fewer are the same in two files by chance
constexpr std::uint64_t most_bytes = 1'000'000'000'000;

constexpr double entry_weight = 20'000;  // of progress, in bytes: what registering a file is like
constexpr double hash_weight = 0.3;      // of a byte

struct phase_kind {
  const char* name;
  file_work work;
  const lanes& (files_plan::*who)() const;
};

constexpr std::array phases{
    phase_kind{"register", file_work::enter, &files_plan::single},
    phase_kind{"store", file_work::store, &files_plan::single},
    phase_kind{"register_threads", file_work::enter, &files_plan::threaded},
    phase_kind{"store_threads", file_work::store, &files_plan::threaded},
    phase_kind{"read_in_order", file_work::read, &files_plan::single},
    phase_kind{"read_random", file_work::read, &files_plan::random},
};

double weight_of(file_work what, std::uint64_t bytes) {
  return entry_weight + (what == file_work::enter ? 0 : static_cast<double>(bytes));
}

std::vector<load::error_kind> kinds_of(const std::map<std::string, load::error_count>& counts) {
  std::vector<load::error_kind> kinds;
  for (const auto& [kind, errors] : counts) kinds.push_back({kind, errors.count, errors.first});
  return kinds;
}

/// CPU time of all of them; empty when one is not there.
std::optional<std::int64_t> cpu_of(const std::vector<pid_t>& processes) {
  if (processes.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const auto process : processes) {
    const auto cpu = process_cpu_ns(process);
    if (!cpu) return std::nullopt;
    sum += *cpu;
  }
  return sum;
}

void raise(std::optional<std::int64_t>& highest, const std::optional<std::int64_t>& value) {
  if (value) highest = std::max(highest.value_or(0), *value);
}

/// Everything that one phase on one store has come to so far.
struct phase_total {
  cell measured;
  files_row row;
  lane_tally tally;
  std::vector<double> disk;
};

/// A store with its connections.
struct party {
  party(const files_options& options, const workloads::file_contents& contents, const files_plan& plan,
        workloads::file_backend& on)
      : shelf{.contents = contents,
              .files = plan.files(),
              .backend = on,
              .max_tries = options.max_tries,
              .stop = options.stop} {}

  file_shelf shelf;
  std::deque<file_lane> workers;
  std::array<phase_total, phases.size()> totals;
  std::optional<std::int64_t> disk_when_empty;
};

class files_run {
 public:
  files_run(const files_options& options, const file_stores& stores, result& measured);

  absl::Status open(const file_stores& stores);
  void hash_contents();
  absl::Status all_repetitions();
  absl::Status close();
  void finish(const absl::Status& status);

  /// The first answer that could not be right; ok: there was none.
  absl::Status wrong() const;

 private:
  absl::Status one_repetition(party& on, std::uint64_t repetition, std::uint64_t position);
  absl::Status one_phase(party& on, std::size_t index, std::uint64_t repetition, std::uint64_t position);
  void work(party& on, const phase_kind& phase);
  void add_round(party& on, std::size_t index, round timed);
  void begin_totals(party& on, std::size_t group);
  void show(double done, const std::string& doing) const;
  double whole_weight() const;

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  const files_options& options_;
  files_plan plan_;
  workloads::file_contents contents_;
  result& measured_;
  std::deque<party> parties_;
  std::int64_t began_ns_ = now_ns();
  std::uint64_t repetitions_ = 0;  // that were whole
  double done_ = 0;                // weight of the phases behind
};

std::size_t largest_chunk(const file_stores& stores) {
  std::size_t largest = 1;
  for (const auto& store : stores) largest = std::max(largest, store->chunk_bytes());
  return largest;
}

files_run::files_run(const files_options& options, const file_stores& stores, result& measured)
    : options_(options),
      plan_(options),
      contents_(static_cast<std::int64_t>(options.bytes), largest_chunk(stores), options.seed),
      measured_(measured) {}

/// Connections one after the other: a server may refuse many at once.
absl::Status files_run::open(const file_stores& stores) {
  for (const auto& store : stores) {
    auto& on = parties_.emplace_back(options_, contents_, plan_, *store);
    begin_totals(on, parties_.size() - 1);
    if (auto status = store->make_empty(); !status.ok()) return status;
    for (std::uint64_t i = 0; i < options_.threads && !stopped(); ++i) {
      auto connected = store->connect();
      if (!connected.ok()) return connected.status();
      on.workers.emplace_back(on.shelf, *std::move(connected));
    }
  }
  return absl::OkStatus();
}

void files_run::begin_totals(party& on, std::size_t group) {
  auto& backend = on.shelf.backend;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    auto& total = on.totals[i];
    auto& what = total.measured.what;
    what = backend.what();
    what.op = phases[i].name;
    what.id = fmt::format("{}/{}", what.op, backend.name());
    total.measured.group = group;
    total.row.cell = what.id;
    total.row.store = backend.name();
    total.row.how = backend.how();
    total.row.phase = phases[i].name;
    total.row.threads = (plan_.*phases[i].who)().size();
    total.row.file_bytes = options_.bytes;
    if (phases[i].work == file_work::read) total.row.check = backend.keeps() ? "bytes" : "length";
  }
}

double files_run::whole_weight() const {
  double weight = 0;
  for (const auto& phase : phases) {
    for (const auto& lane : (plan_.*phase.who)())
      weight += static_cast<double>(lane.size()) * weight_of(phase.work, options_.bytes);
  }
  return weight * static_cast<double>(options_.repetitions * parties_.size()) +
         hash_weight * static_cast<double>(plan_.files().size() * options_.bytes);
}

void files_run::show(double done, const std::string& doing) const {
  if (options_.on_progress) options_.on_progress(std::min(1.0, done / whole_weight()), doing);
}

void files_run::hash_contents() {
  auto& files = plan_.files();
  for (std::size_t i = 0; i < files.size() && !stopped(); ++i) {
    files[i].key.hash =
        files[i].content == i ? contents_.sha256(files[i].content) : files[files[i].content].key.hash;
    done_ += hash_weight * static_cast<double>(options_.bytes);
    show(done_, "hashing");
  }
}

absl::Status files_run::all_repetitions() {
  for (std::uint64_t repetition = 0; repetition < options_.repetitions && !stopped(); ++repetition) {
    const auto order = latin_row(parties_.size(), repetition, options_.seed);
    for (std::size_t position = 0; position < order.size() && !stopped(); ++position) {
      if (auto status = one_repetition(parties_[order[position]], repetition, position); !status.ok())
        return status;
    }
    if (!stopped()) ++repetitions_;
  }
  return absl::OkStatus();
}

absl::Status files_run::one_repetition(party& on, std::uint64_t repetition, std::uint64_t position) {
  auto& backend = on.shelf.backend;
  on.shelf.clear();
  if (auto status = backend.make_empty(); !status.ok()) return status;
  on.disk_when_empty = backend.disk_bytes();
  for (std::size_t i = 0; i < phases.size() && !stopped(); ++i) {
    if ((plan_.*phases[i].who)().empty()) continue;
    if (auto status = one_phase(on, i, repetition, position); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status files_run::one_phase(party& on, std::size_t index, std::uint64_t repetition,
                                  std::uint64_t position) {
  auto& backend = on.shelf.backend;
  auto& total = on.totals[index];
  auto server = backend.server_processes();
  total.row.peaks_of_phase &= reset_peak_memory(::getpid());
  for (const auto process : server) total.row.peaks_of_phase &= reset_peak_memory(process);
  const auto cpu_before = cpu_of(server);
  round timed{
      .row = repetition, .position = position, .group = total.measured.group, .cpu_start = current_cpu()};
  work(on, phases[index]);
  const auto cpu_after = cpu_of(server);
  if (cpu_before && cpu_after) timed.server_cpu_ns = *cpu_after - *cpu_before;
  timed.cpu_end = current_cpu();

  raise(total.row.client_peak_bytes, peak_memory_bytes({::getpid()}));
  server = backend.server_processes();
  raise(total.row.server_peak_bytes, peak_memory_bytes(server));
  total.row.server_processes = std::max<std::uint64_t>(total.row.server_processes, server.size());
  if (const auto disk = backend.disk_bytes(); disk && on.disk_when_empty)
    total.disk.push_back(static_cast<double>(*disk - *on.disk_when_empty));
  add_round(on, index, timed);

  absl::Status status;
  const auto members = (plan_.*phases[index].who)().size();
  for (std::size_t i = 0; i < members; ++i) status.Update(on.workers[i].lost());
  return status;
}

/// Every lane in a thread of its own, so that this one can show how far they are.
void files_run::work(party& on, const phase_kind& phase) {
  const auto& shares = (plan_.*phase.who)();
  on.shelf.done = 0;
  std::barrier start(static_cast<std::ptrdiff_t>(shares.size()));
  std::vector<std::future<void>> working;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    working.push_back(std::async(std::launch::async, [&, i] {
      start.arrive_and_wait();
      on.workers[i].work(phase.work, shares[i]);
    }));
  }
  const auto each = weight_of(phase.work, options_.bytes);
  const auto doing = fmt::format("{} {}", on.shelf.backend.name(), phase.name);
  for (auto& one : working) {
    while (one.wait_for(100ms) != std::future_status::ready)
      show(done_ + each * static_cast<double>(on.shelf.done.load()), doing);
    one.get();
  }
  for (const auto& share : shares) done_ += each * static_cast<double>(share.size());
  show(done_, doing);
}

void files_run::add_round(party& on, std::size_t index, round timed) {
  auto& total = on.totals[index];
  lane_tally all;
  auto began = on.workers.front().began_ns();
  auto ended = on.workers.front().ended_ns();
  timed.moved.emplace();
  const auto members = (plan_.*phases[index].who)().size();
  for (std::size_t i = 0; i < members; ++i) {
    const auto& one = on.workers[i];
    began = std::min(began, one.began_ns());
    ended = std::max(ended, one.ended_ns());
    all.add(one.tally());
    timed.client_cpu_ns += one.used().client_cpu_ns;
    timed.voluntary_switches += one.used().voluntary_switches;
    timed.involuntary_switches += one.used().involuntary_switches;
    timed.minor_faults += one.used().minor_faults;
    timed.major_faults += one.used().major_faults;
    timed.moved = timed.moved && one.moved() ? std::optional(*timed.moved + *one.moved()) : std::nullopt;
  }
  timed.ops = all.files;
  timed.elapsed_ns = ended - began;
  total.tally.add(all);
  if (timed.ops > 0) total.measured.rounds.push_back(timed);
}

absl::Status files_run::close() {
  absl::Status status;
  for (auto& on : parties_) {
    on.workers.clear();  // no connection stands in the way of dropping what it used
    status.Update(on.shelf.backend.remove());
  }
  return status;
}

void files_run::finish(const absl::Status& status) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    op_plan plan{.op = phases[i].name, .groups = {}, .reason = ended_by::rows, .failure = {}};
    for (auto& on : parties_) {
      auto& [measured, row, tally, disk] = on.totals[i];
      if (measured.rounds.empty() && tally.failed == 0) continue;
      summarize(measured);
      measured.latency = summarize(tally.latencies);
      row.files = tally.files;
      row.payload_bytes = tally.payload_bytes;
      row.duplicates = tally.duplicates;
      row.failed = tally.failed;
      row.errors = kinds_of(tally.errors);
      row.retries = kinds_of(tally.retries);
      if (!disk.empty()) row.disk_bytes = static_cast<std::int64_t>(median(disk));
      if (tally.failed > 0) {
        measured_.warnings.push_back({"W-ERRORS", fmt::format("{}: {} files", row.cell, tally.failed),
                                      "they failed and are in no figure", "see the errors by kind", plan.op});
      }
      plan.groups.push_back({{row.cell}, measured.rounds.empty() ? 0 : measured.rounds.front().ops});
      plan.rows = std::max<std::uint64_t>(plan.rows, measured.rounds.size());
      measured_.cells.push_back(std::move(measured));
      measured_.files.push_back(std::move(row));
    }
    if (plan.groups.empty()) continue;
    plan.balanced = repetitions_ % parties_.size() == 0;
    plan.elapsed_s = static_cast<double>(now_ns() - began_ns_) / 1e9;
    if (stopped()) plan.reason = ended_by::stop;
    if (!status.ok()) {
      plan.reason = ended_by::failure;
      plan.failure = std::string(status.message());
    }
    measured_.plan.ops.push_back(std::move(plan));
  }
}

absl::Status files_run::wrong() const {
  absl::Status first;
  for (const auto& on : parties_) {
    for (const auto& total : on.totals) first.Update(total.tally.wrong);
  }
  return first;
}

absl::Status refuse(const std::string& what) {
  return absl::InvalidArgumentError(what);
}

absl::Status check_duplicates(const files_options& options, const file_stores& stores) {
  for (const auto& store : stores) {
    if (options.duplicates > 0 && !store->keeps()) {
      return refuse(
          fmt::format("a null server knows no hash again, so {} on it would store every duplicate: leave out "
                      "--duplicates, "
                      "or name a server by --real",
                      store->name()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check(const files_options& options) {
  if (options.files == 0 || options.per_thread == 0 || options.repetitions == 0)
    return refuse("--files, --per-thread and --repetitions are at least 1");
  if (options.bytes < least_bytes || options.bytes > most_bytes) {
    return refuse(fmt::format("--bytes is between {} and {}: smaller files would be alike by chance",
                              least_bytes, most_bytes));
  }
  if (options.threads == 0 || options.threads > most_threads)
    return refuse(fmt::format("--threads is between 1 and {}", most_threads));
  if (options.threads > options.files) {
    return refuse(fmt::format("{} threads have more hands than the {} file{}: --files is at least --threads",
                              options.threads, options.files, options.files == 1 ? "" : "s"));
  }
  constexpr auto most_files = workloads::file_contents::pool_bytes;
  if (options.files > most_files || options.per_thread > most_files ||
      options.files + options.threads * options.per_thread > most_files) {
    return refuse(fmt::format("there are {} different files at most: fewer --files, or fewer --per-thread",
                              most_files));
  }
  if (options.duplicates > 99) return refuse("--duplicates is between 0 and 99 per cent");
  if (options.max_tries == 0) return refuse("--max-tries is at least 1");
  return absl::OkStatus();
}

absl::Status run_files(const files_options& options, const file_stores& stores, result& measured) {
  if (auto status = check(options); !status.ok()) return status;
  if (auto status = check_duplicates(options, stores); !status.ok()) return status;
  files_run run(options, stores, measured);
  auto status = run.open(stores);
  if (status.ok()) {
    run.hash_contents();
    status = run.all_repetitions();
  }
  const auto closed = run.close();
  run.finish(status);
  status.Update(run.wrong());
  status.Update(closed);
  return status;
}

}  // namespace bench
