#include "bench/histogram.hpp"

#include "bench/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace bench {

histogram::histogram(std::int64_t limit_ns) : limit_(limit_ns), counts_(size_for(limit_ns)) {}

std::size_t histogram::size_for(std::int64_t limit_ns) {
  assert(limit_ns >= 2 && limit_ns <= std::int64_t{1} << 62);
  return (static_cast<std::size_t>(doublings(static_cast<std::uint64_t>(limit_ns))) + 2) * half;
}

void histogram::merge(const histogram& other) {
  assert(limit_ == other.limit_);
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  recorded_ += other.recorded_;
  overflow_ += other.overflow_;
  negative_ += other.negative_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

void histogram::clear() noexcept {
  std::fill(counts_.begin(), counts_.end(), 0);
  recorded_ = overflow_ = negative_ = 0;
  min_ = std::numeric_limits<std::int64_t>::max();
  max_ = -1;
  sum_ = 0;
}

std::optional<std::int64_t> histogram::min_ns() const {
  return count() > 0 ? std::optional(min_) : std::nullopt;
}

std::optional<std::int64_t> histogram::max_ns() const {
  return count() > 0 ? std::optional(max_) : std::nullopt;
}

std::optional<double> histogram::mean_ns() const {
  if (count() == 0) return std::nullopt;
  return static_cast<double>(sum_) / static_cast<double>(count());
}

std::optional<double> histogram::stddev_ns() const {
  if (recorded_ == 0) return std::nullopt;
  const double mean = *mean_ns();
  double sum = 0;
  for (const auto& [first_ns, last_ns, count] : buckets()) {
    const double off = static_cast<double>(first_ns) + static_cast<double>(last_ns - first_ns) / 2 - mean;
    sum += static_cast<double>(count) * off * off;
  }
  return std::sqrt(sum / static_cast<double>(recorded_));
}

std::optional<latency> histogram::percentile(std::uint32_t p_ppm) const {
  return count() > 0 ? at_rank(rank_of(count(), p_ppm)) : std::nullopt;
}

std::optional<latency> histogram::at_rank(std::uint64_t rank) const {
  if (rank == 0 || rank > count()) return std::nullopt;
  if (rank == count()) return latency{max_, false};
  if (rank > recorded_) return latency{limit_, true};
  std::size_t index = 0;
  for (std::uint64_t below = counts_[0]; below < rank; below += counts_[index]) ++index;
  return latency{std::min(bounds_of(index).last_ns, max_), false};
}

std::vector<histogram::bucket> histogram::buckets() const {
  std::vector<bucket> filled;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    filled.push_back(bounds_of(i));
    filled.back().count = counts_[i];
  }
  return filled;
}

histogram::bucket histogram::bounds_of(std::size_t index) {
  const std::size_t shift = index < 2 * half ? 0 : index / half - 1;
  const auto first = static_cast<std::int64_t>(index - shift * half) << shift;
  return {.first_ns = first, .last_ns = first + ((std::int64_t{1} << shift) - 1), .count = 0};
}

histogram histogram::of_counts(std::int64_t limit_ns, std::span<const std::uint64_t> counts) {
  histogram made(limit_ns);
  assert(counts.size() <= made.counts_.size());
  std::copy(counts.begin(), counts.end(), made.counts_.begin());
  for (const auto& [first_ns, last_ns, count] : made.buckets()) {
    made.recorded_ += count;
    made.min_ = std::min(made.min_, first_ns);
    made.max_ = last_ns;
    made.sum_ += wide{count} * static_cast<std::uint64_t>(first_ns + (last_ns - first_ns) / 2);
  }
  return made;
}

}  // namespace bench
