#include "bench/steadiness.hpp"

#include "bench/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace bench {
namespace {

constexpr std::size_t fewest = 8;
constexpr double least = 0.01;
constexpr double standing_out = 3.5;

/// A curve through the rounds.
struct fit {
  double change = 0;          ///< that it stands for, in ns
  double standard_error = 0;  ///< of `change` if what is left were independent
  std::size_t at = 0;         ///< of a step
  std::vector<double> left;   ///< round time less curve

  double squares() const { return std::inner_product(left.begin(), left.end(), left.begin(), 0.0); }

  /// Rounds that hang together are worth fewer, which widens the error.
  bool stands_out() const {
    const double worth = effective_size(left) / static_cast<double>(left.size());
    return std::abs(change) > standing_out * standard_error / std::sqrt(worth);
  }
};

fit fit_line(std::span<const double> times) {
  const auto n = static_cast<double>(times.size());
  const double middle_x = (n - 1) / 2, middle = mean(times);
  const double xx = n * (n * n - 1) / 12;
  double xy = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    xy += (static_cast<double>(i) - middle_x) * (times[i] - middle);
  const double slope = xy / xx;

  fit line{.change = slope * (n - 1)};
  for (std::size_t i = 0; i < times.size(); ++i) {
    line.left.push_back(times[i] - middle - slope * (static_cast<double>(i) - middle_x));
  }
  line.standard_error = (n - 1) * std::sqrt(line.squares() / (n - 2) / xx);
  return line;
}

fit fit_step(std::span<const double> times) {
  const auto n = static_cast<double>(times.size());
  const auto shortest = std::max<std::size_t>(4, times.size() / 10);
  const double middle = mean(times);

  // With the first i times above their mean by s together, two levels explain s^2 n / (i (n - i)) of the squares.
  double best = -1, s = 0;
  fit step;
  for (std::size_t i = 1; i + shortest <= times.size(); ++i) {
    s += times[i - 1] - middle;
    const auto first = static_cast<double>(i);
    const double explained = s * s * n / (first * (n - first));
    if (i >= shortest && explained > best) best = explained, step.at = i;
  }
  const double before = mean(times.first(step.at)), after = mean(times.subspan(step.at));
  step.change = after - before;
  for (std::size_t i = 0; i < times.size(); ++i)
    step.left.push_back(times[i] - (i < step.at ? before : after));
  const auto first = static_cast<double>(step.at);
  step.standard_error = std::sqrt(step.squares() / (n - 2) * (1 / first + 1 / (n - first)));
  return step;
}

/// The twentieth at either end counts as the value next to it: single disturbed rounds make no level, and what a level holds,
/// a tenth, is never hidden.
std::vector<double> clipped(std::span<const double> times) {
  std::vector<double> sorted(times.begin(), times.end());
  std::sort(sorted.begin(), sorted.end());
  const double lowest = sorted[sorted.size() / 20], highest = sorted[sorted.size() - 1 - sorted.size() / 20];
  std::vector<double> clipped;
  for (const double time : times) clipped.push_back(std::clamp(time, lowest, highest));
  return clipped;
}

/// Ranks from 1, equal values sharing their mean.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return values[left] < values[right]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    while (next < order.size() && values[order[next]] == values[order[first]]) ++next;
    for (std::size_t i = first; i < next; ++i) ranks[order[i]] = static_cast<double>(first + next + 1) / 2;
  }
  return ranks;
}

}  // namespace

double spearman(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  const auto of_x = ranks(x), of_y = ranks(y);
  const double middle = (static_cast<double>(x.size()) + 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    const double dx = of_x[i] - middle, dy = of_y[i] - middle;
    xx += dx * dx, yy += dy * dy, xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

std::optional<steadiness> course_of(std::span<const double> times) {
  if (times.size() < fewest) return std::nullopt;
  const double middle = median(times);
  const auto judged = clipped(times);
  const auto line = fit_line(judged), step = fit_step(judged);
  steadiness found{.drift = fit_line(times).change / middle,
                   .step = step.change / middle,
                   .neighbours = spearman(times.first(times.size() - 1), times.subspan(1))};
  if (step.squares() < line.squares()) {
    if (std::abs(found.step) > least && step.stands_out()) found.label = course::step;
  } else {
    if (std::abs(found.drift) > least && line.stands_out()) found.label = course::drifting;
  }
  return found;
}

const char* name(course label) {
  switch (label) {
    case course::steady:
      return "steady";
    case course::drifting:
      return "drifting";
    case course::step:
      return "step";
  }
  return "";
}

}  // namespace bench
