#include "bench/file_comparison.hpp"

#include "bench/compare.hpp"
#include "bench/report_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace bench {
namespace {

/// A cell of both results, with the parameters that it does not share.
struct match {
  const cell* a;
  const cell* b;
  std::string differs;  ///< "placement same-cpu -> split"; empty when they may be compared
};

/// Other counts per op come of ops that shared a call, or of a driver's in flight when its peer was asked: no two runs agree
/// on them.
bool is_whole(const std::optional<double>& count) {
  return count && std::trunc(*count) == *count;
}

/// "PostgreSQL" of "PostgreSQL 15.20 at host:5432": version and address are the server's, the kind is a parameter. One that
/// did not say what it is goes by its address, which tells no kind.
std::string kind_of(const std::string& peer) {
  const auto end = peer.find(' ');
  const bool address = end == std::string::npos && peer.find(':') != std::string::npos;
  return address ? "named by URI" : peer.substr(0, end);
}

using parameters = std::vector<std::pair<std::string, std::string>>;

/// What makes a cell the one that it is, beside its id; only what its file tells.
parameters parameters_of(const result& file, const cell& measured) {
  const auto& what = measured.what;
  parameters all{{"op", what.op},
                 {"rung", what.rung},
                 {"client", what.client},
                 {"server", kind_of(what.peer)},
                 {"transport", what.transport},
                 {"placement", what.placement}};
  if (what.profile) all.emplace_back("profile", *what.profile);
  if (what.payload_bytes) all.emplace_back("payload bytes", std::to_string(*what.payload_bytes));
  if (what.delay_mode) all.emplace_back("delay mode", *what.delay_mode);
  if (const auto& load = measured.load) {
    if (load->sql) {
      all.emplace_back("statement", *load->sql);
      all.emplace_back("parameters", load->parameters.empty()
                                         ? "none"
                                         : fmt::format("{}", fmt::join(load->parameters, " ")));
    }
    all.emplace_back("io", load->io);
    all.emplace_back("connections", std::to_string(load->connections));
    all.emplace_back("threads", std::to_string(load->threads));
    all.emplace_back("pipeline", std::to_string(load->pipeline));
    all.emplace_back("rate", load->schedule ? fmt::format("{:g}", load->schedule->rate) : "closed loop");
  }
  for (const auto& row : file.docs) {
    if (row.cell != what.id) continue;
    all.emplace_back("threads", std::to_string(row.threads));
    all.emplace_back("documents per command", std::to_string(row.batch));
    all.emplace_back("document bytes", std::to_string(row.document_bytes));
  }
  for (const auto& row : file.files) {
    if (row.cell != what.id) continue;
    all.emplace_back("threads", std::to_string(row.threads));
    all.emplace_back("file bytes", std::to_string(row.file_bytes));
    all.emplace_back("form", row.how);
  }
  return all;
}

std::string differing_parameters(const parameters& a, const parameters& b) {
  std::string found;
  for (const auto& [name, of_a] : a) {
    const auto same = [&name = name](const auto& other) { return other.first == name; };
    const auto of_b = std::find_if(b.begin(), b.end(), same);
    if (of_b == b.end() || of_b->second == of_a) continue;
    found += fmt::format("{}{} {} -> {}", found.empty() ? "" : ", ", name, of_a, of_b->second);
  }
  return found;
}

/// Values per round, and the connection set and process of each.
struct by_round {
  std::vector<double> values;
  std::vector<std::uint64_t> sets;
  std::vector<std::uint64_t> processes;

  bool hang_together() const { return effective_size(values, sets) < static_cast<double>(values.size()) / 2; }
};

by_round times_of(const cell& measured) {
  by_round found;
  for (const auto& timed : measured.rounds) {
    if (timed.group != measured.group || timed.elapsed_ns <= 0) continue;
    found.values.push_back(static_cast<double>(timed.elapsed_ns) / static_cast<double>(timed.ops));
    found.sets.push_back(timed.connection_set);
    found.processes.push_back(timed.process);
  }
  return found;
}

/// A row with its samples, before all rows are judged together.
struct draft {
  compared_row row;
  std::vector<double> a, b;
  std::optional<double> limit;  ///< ln ratio that cannot be told from 1
  bool bimodal = false;
  bool forbidden = false;
};

/// Rounds are the sample, or the medians of connection sets where the rounds of a set hang together and are worth less than
/// half their number (measurement method, part 6).
void take_rounds(by_round a, by_round b, draft& to) {
  const bool by_set = a.hang_together() || b.hang_together();
  to.a = by_set ? set_medians(a.values, a.sets) : std::move(a.values);
  to.b = by_set ? set_medians(b.values, b.sets) : std::move(b.values);
  to.row.sample = by_set ? "connection sets" : "rounds";
}

/// Medians of processes are the sample where both sides have enough of them for a table of so many rows.
void take_samples(by_round a, by_round b, std::size_t rows, draft& to) {
  to.a = set_medians(a.values, a.processes);
  to.b = set_medians(b.values, b.processes);
  to.row.sample = "processes";
  const bool enough = std::min(to.a.size(), to.b.size()) >= unpaired_samples_needed(rows);
  if (!enough) take_rounds(std::move(a), std::move(b), to);
  to.row.values_a = to.a.size();
  to.row.values_b = to.b.size();
}

bool has_modes(const cell& a, const cell& b) {
  return modes_of(a) || modes_of(b);
}

/// What cannot be told from 1. Where the sample is the rounds of one process a side, another process is another layout of
/// memory, which moves ratios by a per cent or two however narrow their intervals (measurement method, part 10): nothing
/// below the threshold is told then.
std::optional<double> limit_of(const draft& one, double delta) {
  const bool one_layout = one.row.sample != std::string_view("processes");
  return one_layout ? std::max(one.limit, std::optional(std::log1p(delta))) : one.limit;
}

std::vector<compared_row> judged(std::vector<draft> drafts, double delta) {
  std::vector<two_samples> samples;
  for (const auto& one : drafts)
    samples.push_back({.a = one.a, .b = one.b, .aa_floor = limit_of(one, delta)});
  const auto table = compare_unpaired(samples, delta);
  std::vector<compared_row> rows;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    auto& row = rows.emplace_back(std::move(drafts[i].row));
    row.found = table[i];
    if (row.found) row.says = drafts[i].bimodal ? verdict::inconclusive : row.found->says;
    if (drafts[i].forbidden) row.says = verdict::different_environment;
  }
  return rows;
}

/// The farther end of |ln| of an interval of ratios.
double farther_end(double lo, double hi) {
  return std::max(std::abs(std::log(lo)), std::abs(std::log(hi)));
}

class builder {
 public:
  builder(const result& a, const result& b, double delta) : a_(a), b_(b), delta_(delta) {}

  file_comparison build() {
    made_.context = compare_contexts(a_.context, b_.context);
    made_.warnings = made_.context.warnings;
    match_cells();
    compare_ratios();
    compare_times();
    compare_counts();
    made_.ratios_lead = (made_.context.machine || machine_moved_) && !made_.ratios.empty();
    return std::move(made_);
  }

 private:
  void match_cells();
  void compare_ratios();
  void compare_times();
  void compare_counts();
  std::optional<double> machine_shift(const std::string& op);
  std::optional<double> aa_of(const std::string& op) const;
  const match* find(const std::string& id) const;

  const result& a_;
  const result& b_;
  double delta_;
  std::vector<match> matches_;
  bool machine_moved_ = false;
  file_comparison made_;
};

void builder::match_cells() {
  for (const auto& of_a : a_.cells) {
    if (!of_a.what.stamps.empty()) continue;  // slower than the op: its rounds are there for their stages
    const auto* of_b = find_cell(b_.cells, of_a.what.id);
    if (of_b == nullptr) {
      made_.only_in_a.push_back(of_a.what.id);
      continue;
    }
    matches_.push_back(
        {&of_a, of_b, differing_parameters(parameters_of(a_, of_a), parameters_of(b_, *of_b))});
    const auto& differs = matches_.back().differs;
    if (!differs.empty()) made_.parameters.push_back(of_a.what.id + ": " + differs);
  }
  for (const auto& of_b : b_.cells) {
    if (of_b.what.stamps.empty() && find_cell(a_.cells, of_b.what.id) == nullptr)
      made_.only_in_b.push_back(of_b.what.id);
  }
}

const match* builder::find(const std::string& id) const {
  const auto found =
      std::find_if(matches_.begin(), matches_.end(), [&](const match& one) { return one.a->what.id == id; });
  return found == matches_.end() ? nullptr : &*found;
}

/// The larger A/A floor of the two files; empty when neither has one.
std::optional<double> builder::aa_of(const std::string& op) const {
  std::optional<double> larger;
  for (const auto* file : {&a_, &b_}) {
    for (const auto& pair : file->comparisons) {
      if (pair.op != op || pair.asks != question::aa || !pair.lo) continue;
      larger = std::max(larger.value_or(0), farther_end(*pair.lo, *pair.hi));
    }
  }
  return larger;
}

void builder::compare_ratios() {
  std::vector<draft> drafts;
  for (const auto& pair : a_.comparisons) {
    const bool in_b = std::any_of(b_.comparisons.begin(), b_.comparisons.end(), [&](const comparison& other) {
      return other.asks == pair.asks && other.a == pair.a && other.b == pair.b;
    });
    // raw against itself is the limit, not a question; an interaction is no ratio of two cells
    if (pair.asks == question::aa || pair.asks == question::interaction || !in_b) continue;
    const auto *below = find(pair.a), *above = find(pair.b);
    if (below == nullptr || above == nullptr) continue;  // a stamped cell
    draft made{.row = {.id = pair.b, .op = pair.op, .title = fmt::format("{}: {}", pair.op, title(a_, pair))},
               .a = {},
               .b = {},
               .limit = aa_of(pair.op),
               .bimodal = has_modes(*below->a, *below->b) || has_modes(*above->a, *above->b),
               .forbidden = made_.context.build || !below->differs.empty() || !above->differs.empty()};
    auto of_a = ratios_by_row(*below->a, *above->a);
    auto of_b = ratios_by_row(*below->b, *above->b);
    take_samples({std::move(of_a.ratios), std::move(of_a.sets), std::move(of_a.processes)},
                 {std::move(of_b.ratios), std::move(of_b.sets), std::move(of_b.processes)}, matches_.size(),
                 made);
    drafts.push_back(std::move(made));
  }
  made_.ratios = judged(std::move(drafts), delta_);
}

/// What the floor client's time says: ln ratio within which the machine itself changed, and where it did, the threshold on
/// top. Empty without that client.
std::optional<double> builder::machine_shift(const std::string& op) {
  const auto is_floor = [&](const match& one) {
    return one.a->what.client == "floor" && one.a->what.op == op;
  };
  const auto floor = std::find_if(matches_.begin(), matches_.end(), is_floor);
  if (floor == matches_.end()) return std::nullopt;
  draft sample;
  take_samples(times_of(*floor->a), times_of(*floor->b), 1, sample);
  const auto shift =
      compare_unpaired(std::vector<two_samples>{{.a = sample.a, .b = sample.b}}, delta_).front();
  if (!shift || !shift->bounds) return std::nullopt;
  const auto [lo, hi, coverage] = *shift->bounds;
  const double shifted = farther_end(lo, hi);
  if (lo <= 1 + delta_ && hi >= 1 / (1 + delta_)) return shifted;
  machine_moved_ = true;
  made_.warnings.push_back(
      {.code = "W-MACHINE",
       .number = fmt::format("the floor client's time is {:.3f} [{:.3f}, {:.3f}] times what it was",
                             shift->ratio, lo, hi),
       .cause = "the machine itself changed between the two runs",
       .remedy = "read the ratios",
       .op = op});
  return shifted + std::log1p(delta_);
}

void builder::compare_times() {
  std::vector<draft> drafts;
  std::string op;
  std::optional<double> limit;
  for (const auto& [a, b, differs] : matches_) {
    if (op != a->what.op) {
      op = a->what.op;
      limit = std::max(aa_of(op), machine_shift(op));
    }
    draft made{.row = {.id = a->what.id, .op = op, .title = a->what.id},
               .a = {},
               .b = {},
               .limit = limit,
               .bimodal = has_modes(*a, *b),
               .forbidden = made_.context.machine || made_.context.build || !differs.empty()};
    take_samples(times_of(*a), times_of(*b), matches_.size(), made);
    drafts.push_back(std::move(made));
  }
  made_.times = judged(std::move(drafts), delta_);
}

void builder::compare_counts() {
  constexpr std::pair<const char*, std::optional<double> figures::*> of_rounds[] = {
      {"frames sent", &figures::frames_out}, {"frames received", &figures::frames_in},
      {"bytes sent", &figures::bytes_out},   {"bytes received", &figures::bytes_in},
      {"system calls", &figures::syscalls},
  };
  constexpr std::pair<const char*, std::optional<double> cell_counts::*> of_counting_pass[] = {
      {"allocations", &cell_counts::allocations},
      {"bytes allocated", &cell_counts::allocated_bytes},
      {"payload bytes copied", &cell_counts::payload_copies_bytes},
  };
  for (const auto& [a, b, differs] : matches_) {
    const auto look = [this, &id = a->what.id](const char* unit, const auto& of_a, const auto& of_b) {
      if (of_a && of_b && *of_a != *of_b) made_.counts.push_back({id, unit, *of_a, *of_b});
    };
    for (const auto& [unit, count] : of_rounds) {
      const auto& of_a = a->per_op.*count;
      const auto& of_b = b->per_op.*count;
      if (is_whole(of_a) && is_whole(of_b)) look(unit, of_a, of_b);
    }
    if (!a->counts || !b->counts) continue;
    for (const auto& [unit, count] : of_counting_pass) look(unit, (*a->counts).*count, (*b->counts).*count);
  }
}

}  // namespace

file_comparison compare_results(const result& a, const result& b, double delta) {
  return builder(a, b, delta).build();
}

std::vector<const compared_row*> slower_by_more(const file_comparison& files, double share) {
  std::vector<const compared_row*> found;
  for (const auto& row : files.leading()) {
    if (row.says == verdict::slower && row.found->bounds->lo > 1 + share) found.push_back(&row);
  }
  return found;
}

bool is_conclusive(const file_comparison& files) {
  const auto unclear = [](const compared_row& row) {
    return row.says == verdict::inconclusive || row.says == verdict::different_environment;
  };
  const auto& rows = files.leading();
  return files.only_in_a.empty() && !rows.empty() && std::none_of(rows.begin(), rows.end(), unclear);
}

}  // namespace bench
