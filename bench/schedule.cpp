#include "bench/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bench {
namespace {

/// Measurement method, part 3: cells whose op times differ more than fivefold are kept apart.
constexpr double widest_group = 5;

/// Cell indices in ascending order of time.
std::vector<std::size_t> by_time(std::span<const double> op_ns) {
  std::vector<std::size_t> order(op_ns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return op_ns[x] < op_ns[y]; });
  return order;
}

}  // namespace

std::vector<std::size_t> latin_row(std::size_t cells, std::uint64_t row, std::uint64_t seed) {
  const std::uint64_t block = row / cells;
  std::seed_seq material{seed & 0xffffffff, seed >> 32, block & 0xffffffff, block >> 32};
  std::mt19937_64 random(material);
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(row % cells), order.end());
  return order;
}

std::uint64_t ops_per_round(double op_ns) {
  static_assert(round_ns / 100'000 >= 20, "an op below 100 us needs at least 20 ops per round");
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(round_ns / op_ns)));
}

std::vector<speed_group> group_by_speed(std::span<const double> op_ns, std::size_t anchor) {
  std::vector<speed_group> groups{{.cells = {}, .ops = ops_per_round(op_ns[anchor])}};
  double fastest = op_ns[anchor];
  for (const auto index : by_time(op_ns)) {
    if (op_ns[index] > widest_group * fastest) {
      fastest = op_ns[index];
      groups.push_back({.cells = {}, .ops = ops_per_round(fastest)});
    }
    groups.back().cells.push_back(index);
  }
  for (auto& group : groups) std::sort(group.cells.begin(), group.cells.end());
  for (std::size_t slow = 1; slow < groups.size(); ++slow) groups[slow].cells.push_back(anchor);
  return groups;
}

std::uint64_t block_rows(const std::vector<speed_group>& groups) {
  std::uint64_t rows = 1;
  for (const auto& group : groups) rows = std::lcm(rows, std::uint64_t{group.cells.size()});
  return rows;
}

}  // namespace bench
