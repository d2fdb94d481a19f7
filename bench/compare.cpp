#include "bench/compare.hpp"

#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// Below this effect the interval is taken over medians of connection sets (measurement method, part 10): two
/// connections differ by some 0.2 % in themselves, which a tight interval over rows would report as a
/// difference. Where they differ by more (256 KiB messages, whose copies depend on the alignment that a connection happens
/// to have), the rows are worth less than half their number and sets are the sample whatever the effect.
constexpr double small_effect = 0.005;

struct pair {
  question asks;
  const cell* a;
  const cell* b;
  const cell* raw_of_a = nullptr;  // interaction alone
  const cell* raw_of_b = nullptr;
};

/// Times per op of the rows in which both cells stand, and floor in the same rows where it stands in all of
/// them.
struct paired_rows {
  std::vector<double> a, b, floor;
  std::vector<std::uint64_t> sets;
  std::vector<std::uint64_t> processes;
  std::uint64_t tied = 0;
};

double op_ns(const round& timed) {
  return static_cast<double>(timed.elapsed_ns) / static_cast<double>(timed.ops);
}

bool stands_in(const cell& one, std::uint64_t group) {
  return std::any_of(one.rounds.begin(), one.rounds.end(),
                     [group](const round& timed) { return timed.group == group; });
}

/// The groups of the rounds that are paired: that of one of the cells in which the other one stands as well, where there
/// is one. Cells that share none are paired across the row.
struct paired_groups {
  std::uint64_t of_a, of_b;
};

paired_groups groups_of(const cell& a, const cell& b) {
  if (stands_in(a, b.group)) return {b.group, b.group};
  if (stands_in(b, a.group)) return {a.group, a.group};
  return {a.group, b.group};
}

/// Walks rounds, which are in the order of rows, to the one of that row and group; null when there is none.
class round_cursor {
 public:
  round_cursor(const cell& one, std::uint64_t group) : rounds_(one.rounds), group_(group) {}

  const round* at(std::uint64_t row) {
    while (next_ < rounds_.size() && (rounds_[next_].row < row || rounds_[next_].group != group_)) ++next_;
    const bool found = next_ < rounds_.size() && rounds_[next_].row == row;
    return found ? &rounds_[next_] : nullptr;
  }

 private:
  const std::vector<round>& rounds_;
  std::uint64_t group_;
  std::size_t next_ = 0;
};

paired_rows rows_of(const cell& a, const cell& b, const cell* floor) {
  paired_rows rows;
  const auto groups = groups_of(a, b);
  round_cursor of_a(a, groups.of_a);
  std::optional<round_cursor> of_floor;
  if (floor != nullptr) of_floor.emplace(*floor, floor->group);
  for (const auto& timed : b.rounds) {
    if (timed.group != groups.of_b) continue;
    const round* other = of_a.at(timed.row);
    if (other == nullptr || other->elapsed_ns <= 0 || timed.elapsed_ns <= 0) continue;
    rows.a.push_back(op_ns(*other));
    rows.b.push_back(op_ns(timed));
    rows.sets.push_back(timed.connection_set);
    rows.processes.push_back(timed.process);
    rows.tied += timed.elapsed_ns == other->elapsed_ns;
    const round* bare = of_floor ? of_floor->at(timed.row) : nullptr;
    if (bare != nullptr && bare->elapsed_ns > 0) rows.floor.push_back(op_ns(*bare));
  }
  return rows;
}

/// Rows of an interaction: `a` is what the driver would take on the real server if it cost there what it costs on the null
/// server, `b` what it takes, so that b - a is the difference of the two differences.
paired_rows rows_of_interaction(const pair& which, const cell* floor) {
  const auto on_null = rows_of(*which.raw_of_a, *which.a, nullptr);
  auto rows = rows_of(*which.raw_of_b, *which.b, floor);
  if (on_null.b.size() != rows.b.size()) return {};  // a clock that stood still left a row out
  for (std::size_t i = 0; i < rows.a.size(); ++i) rows.a[i] += on_null.b[i] - on_null.a[i];
  rows.tied = 0;
  const bool positive = std::all_of(rows.a.begin(), rows.a.end(), [](double ns) { return ns > 0; });
  return positive ? rows : paired_rows{};
}

const cell* find(const std::vector<cell>& cells, std::string_view rung, std::string_view client,
                 std::optional<std::int64_t> service_ns = std::nullopt) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const cell& one) {
    return one.what.rung == rung && one.what.client == client && one.what.service_ns == service_ns;
  });
  return found == cells.end() ? nullptr : &*found;
}

/// What needs a real server: its dispatch, its work, and whether a driver costs there what it costs on the null server.
void add_real_pairs(const std::vector<cell>& cells, const cell* raw, std::vector<pair>& pairs) {
  const cell* real = find(cells, "real", "raw");
  if (real == nullptr) return;
  // A comparison across placements would be between wake-ups (measurement method, part 1).
  const bool comparable = raw != nullptr && raw->what.placement == real->what.placement;
  const cell* noop = find(cells, "noop", "raw");
  const cell* noop_on_null = find(cells, "noop0", "raw");
  if (comparable) pairs.push_back({question::server, raw, real});
  if (comparable && noop != nullptr && noop_on_null != nullptr)
    pairs.push_back({question::dispatch, noop_on_null, noop});
  if (noop != nullptr) pairs.push_back({question::work, noop, real});
  for (const auto& one : cells) {
    if (one.what.rung != "real" || &one == real) continue;
    pairs.push_back({question::overhead, real, &one});
    const cell* on_null = find(cells, "driver", one.what.client);
    if (comparable && on_null != nullptr) pairs.push_back({question::interaction, on_null, &one, raw, real});
  }
}

std::vector<pair> pairs_of(const std::vector<cell>& cells) {
  std::vector<pair> pairs;
  const auto add = [&pairs](question asks, const cell* a, const cell* b) {
    if (a != nullptr && b != nullptr && a != b) pairs.push_back({asks, a, b});
  };
  const cell* raw = find(cells, "tcp0", "raw");
  for (const auto& one : cells) {
    if (one.what.rung == "tcp0" && one.what.client == "raw") add(question::aa, raw, &one);
  }
  add(question::floor, find(cells, "floor", "floor"), raw);
  add(question::layer, find(cells, "mem", "raw"), find(cells, "unix", "raw"));
  add(question::layer, find(cells, "unix", "raw"), raw);
  for (const auto& one : cells) {
    if (one.what.rung == "driver") add(question::overhead, raw, &one);
    if (one.what.rung == "tcpD")
      add(question::overhead, find(cells, "tcpD", "raw", one.what.service_ns), &one);
  }
  add_real_pairs(cells, raw, pairs);
  return pairs;
}

/// A comparison on its way: the log ratio at the corrected level is needed until the A/A floor is known.
struct draft {
  comparison shown;
  std::optional<estimate> judged;
  bool bimodal = false;
};

void show(const std::optional<estimate>& of, std::optional<double>& value, std::optional<double>& lo,
          std::optional<double>& hi) {
  if (!of) return;
  value = of->value;
  if (!of->range) return;
  lo = of->range->lo;
  hi = of->range->hi;
}

draft drafted(const pair& which, const cell* floor, std::size_t m) {
  const auto rows = which.asks == question::interaction ? rows_of_interaction(which, floor)
                                                        : rows_of(*which.a, *which.b, floor);
  const auto d = log_ratios(rows.a, rows.b);
  draft made{.shown = {.asks = which.asks,
                       .op = which.b->what.op,
                       .a = which.a->what.id,
                       .b = which.b->what.id,
                       .rows = d.size(),
                       .tied = rows.tied},
             .judged = std::nullopt,
             .bimodal = modes_of(*which.a) || modes_of(*which.b)};
  if (d.empty()) return made;

  const auto by_set = set_medians(d, rows.sets);
  auto& shown = made.shown;
  const auto by_process = set_medians(d, rows.processes);
  const bool small = std::abs(median(d)) < small_effect && by_set.size() >= rows_needed(m);
  shown.effective_rows = effective_size(d, rows.sets);
  const bool connections_differ = *shown.effective_rows < static_cast<double>(d.size()) / 2;
  shown.by_process = by_process.size() >= rows_needed(m);
  shown.by_connection_set = !shown.by_process && (small || connections_differ);
  const auto sample = [&](std::vector<double> values) {
    if (shown.by_process) return set_medians(values, rows.processes);
    return shown.by_connection_set ? set_medians(values, rows.sets) : values;
  };

  const auto ratio = estimate_median(sample(d));
  show(ratio, shown.ratio, shown.lo, shown.hi);
  for (auto* logarithm : {&shown.ratio, &shown.lo, &shown.hi}) {
    if (*logarithm) *logarithm = std::exp(**logarithm);
  }
  if (ratio->range) shown.coverage = ratio->range->coverage;
  show(estimate_median(sample(differences(rows.a, rows.b))), shown.difference_ns, shown.difference_lo_ns,
       shown.difference_hi_ns);
  if (rows.floor.size() == d.size()) {
    show(estimate_median(sample(floor_units(rows.a, rows.b, rows.floor))), shown.floor_units,
         shown.floor_units_lo, shown.floor_units_hi);
  }
  made.judged = estimate_median(sample(d), m);
  return made;
}

std::vector<comparison> answered(const std::vector<pair>& pairs, const cell* floor, double delta) {
  std::vector<draft> drafts;
  std::vector<comparison> compared;
  for (const auto& which : pairs) {
    drafts.push_back(drafted(which, floor, pairs.size()));
    compared.push_back(drafts.back().shown);
  }
  const auto limit = aa_floor(compared);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const bool below_resolution = 2 * compared[i].tied > compared[i].rows;
    if (!drafts[i].judged || below_resolution) continue;
    compared[i].says = judge(*drafts[i].judged, limit, drafts[i].bimodal, delta);
  }
  return compared;
}

}  // namespace

std::vector<comparison> compare(const std::vector<cell>& cells, double delta) {
  return answered(pairs_of(cells), find(cells, "floor", "floor"), delta);
}

std::vector<comparison> compare_with_first(const std::vector<cell>& cells, double delta) {
  std::vector<pair> pairs;
  for (const auto& one : cells) {
    if (&one == &cells.front()) continue;
    const bool again = one.what.id == cells.front().what.id + "/again";
    pairs.push_back({again ? question::aa : question::first_row, &cells.front(), &one});
  }
  return answered(pairs, nullptr, delta);
}

row_ratios ratios_by_row(const cell& a, const cell& b) {
  auto rows = rows_of(a, b, nullptr);
  row_ratios found{.ratios = {}, .sets = std::move(rows.sets), .processes = std::move(rows.processes)};
  for (const double d : log_ratios(rows.a, rows.b)) found.ratios.push_back(std::exp(d));
  return found;
}

std::optional<double> widest_overhead(const std::vector<comparison>& pairs) {
  std::optional<double> widest;
  for (const auto& pair : pairs) {
    if (pair.asks != question::overhead) continue;
    if (!pair.lo) return std::nullopt;
    widest = std::max(widest.value_or(0), (*pair.hi - *pair.lo) / 2 / *pair.ratio);
  }
  return widest;
}

std::optional<double> aa_floor(const std::vector<comparison>& pairs) {
  for (const auto& pair : pairs) {
    if (pair.asks != question::aa || !pair.lo) continue;
    return std::max(std::abs(std::log(*pair.lo)), std::abs(std::log(*pair.hi)));
  }
  return std::nullopt;
}

}  // namespace bench
