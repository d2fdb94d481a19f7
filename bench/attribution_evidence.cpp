#include "bench/attribution_evidence.hpp"

#include <algorithm>

namespace bench {
namespace {

rounds_by_row rounds_of(const cell& one, std::uint64_t group) {
  rounds_by_row found;
  for (const auto& timed : one.rounds) {
    if (timed.group == group && timed.elapsed_ns > 0) found[timed.row] = &timed;
  }
  return found;
}

/// A round's first op pays for the change of cell, and of 5 ops it is a larger part than of 500. So a point that stands in
/// another row group than the target is compared with the null server's time there, of rounds of as many ops, and what it is
/// longer counts (measurement method, part 3: equal op counts for all cells of a comparison).
struct rounds_beside_zero {
  rounds_by_row timed, zero;
};

/// Per round trip, as the null server's own stamps have it.
double achieved_ns(const round& timed) {
  const auto& [requests, ns] = *timed.delayed;
  return requests == 0 ? 0 : static_cast<double>(ns) / static_cast<double>(requests);
}

/// One value per connection set where they are enough, since connections differ in themselves, else one per row.
std::vector<double> by_set_if_enough(std::vector<double> values, const std::vector<std::uint64_t>& sets) {
  auto by_set = set_medians(values, sets);
  return by_set.size() >= rows_needed() ? std::move(by_set) : std::move(values);
}

/// Raw cells on rung tcpD, by the time that the server takes.
std::vector<const cell*> waiting_cells(const std::vector<cell>& cells) {
  std::vector<const cell*> found;
  for (const auto& one : cells) {
    if (one.what.rung == "tcpD" && one.what.client == "raw" && !one.rounds.empty()) found.push_back(&one);
  }
  std::sort(found.begin(), found.end(),
            [](const cell* a, const cell* b) { return a->what.service_ns < b->what.service_ns; });
  return found;
}

}  // namespace

const cell* find_raw(const std::vector<cell>& cells, std::string_view rung, std::string_view stamps,
                     std::optional<std::int64_t> service_ns) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const cell& one) {
    const auto& what = one.what;
    return what.rung == rung && what.client == "raw" && what.stamps == stamps &&
           what.service_ns == service_ns;
  });
  return found == cells.end() || found->rounds.empty() ? nullptr : &*found;
}

rounds_by_row rounds_of(const cell& one) {
  return rounds_of(one, one.group);
}

rounds_by_row rounds_beside(const cell& anchor, const cell& other) {
  auto near = rounds_of(anchor, other.group);
  return near.empty() ? rounds_of(anchor) : near;
}

const round* at(const rounds_by_row& rounds, std::uint64_t row) {
  const auto found = rounds.find(row);
  return found == rounds.end() ? nullptr : found->second;
}

double per_op(const round& timed, double total) {
  return total / static_cast<double>(timed.ops);
}

double op_ns(const round& timed) {
  return per_op(timed, static_cast<double>(timed.elapsed_ns));
}

std::optional<estimate> round_sample::estimated() const {
  return estimate_median(by_set_if_enough(values_, sets_));
}

calibration_rows calibration_rows_of(const attribution_evidence& from) {
  const auto zero = rounds_beside(*from.zero, *from.target);
  std::vector<rounds_beside_zero> points;
  for (const auto* point : from.points)
    points.push_back({rounds_of(*point), rounds_beside(*from.zero, *point)});

  calibration_rows rows;
  std::vector<std::uint64_t> sets;
  rows.points.resize(points.size());
  for (const auto& [row, timed] : rounds_of(*from.target)) {
    const auto* instant = at(zero, row);
    const bool whole = std::all_of(points.begin(), points.end(), [&, row = row](const auto& point) {
      return at(point.timed, row) && at(point.zero, row);
    });
    if (instant == nullptr || !whole) continue;
    sets.push_back(timed->connection_set);
    rows.real_ns.push_back(op_ns(*timed));
    rows.zero_ns.push_back(op_ns(*instant));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& point = *at(points[i].timed, row);
      rows.points[i].time_ns.push_back(op_ns(point) - op_ns(*at(points[i].zero, row)) + op_ns(*instant));
      rows.points[i].achieved_ns.push_back(achieved_ns(point));
    }
  }
  const auto shorten = [&sets](std::vector<double>& values) {
    values = by_set_if_enough(std::move(values), sets);
  };
  shorten(rows.real_ns);
  shorten(rows.zero_ns);
  for (auto& point : rows.points) {
    shorten(point.time_ns);
    shorten(point.achieved_ns);
  }
  return rows;
}

std::size_t connection_sets(const cell& one) {
  std::vector<double> times;
  std::vector<std::uint64_t> sets;
  for (const auto& [row, timed] : rounds_of(one)) {
    times.push_back(op_ns(*timed));
    sets.push_back(timed->connection_set);
  }
  return set_medians(times, sets).size();
}

std::vector<attribution_evidence> evidence_of(const std::vector<cell>& cells) {
  const auto waiting = waiting_cells(cells);
  const cell* zero = find_raw(cells, "tcp0");
  if (waiting.empty() || zero == nullptr) return {};
  if (const cell* real = find_raw(cells, "real")) {
    return {{.target = real,
             .zero = zero,
             .points = waiting,
             .stamped = find_raw(cells, "reals", "wall"),
             .stamped_cpu = find_raw(cells, "reals", "thread"),
             .told = find_raw(cells, "realt")}};
  }
  std::vector<attribution_evidence> all;  // not the shortest: below it is D = 0, where nobody waits
  for (std::size_t i = 1; i + 1 < waiting.size(); ++i) {
    const auto service_ns = waiting[i]->what.service_ns;
    all.push_back({.target = waiting[i],
                   .zero = zero,
                   .points = waiting,
                   .stamped = find_raw(cells, "tcpDs", "wall", service_ns),
                   .stamped_cpu = find_raw(cells, "tcpDs", "thread", service_ns),
                   .known = true});
    auto& points = all.back().points;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return all;
}

}  // namespace bench
