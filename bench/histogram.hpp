#pragma once
// Latencies of single ops in constant memory, with a relative error of at most 0.1 %.
//
// The buckets are those of HdrHistogram with three significant digits, so that its tools read ours. Values below 2048 have a
// bucket each; from there on every doubling of the value is cut into 1024 buckets of equal width:
//
//   values        0..2047   2048..4095   4096..8191   ...    bucket width / value is at most 1/1024
//   bucket width  1         2            4
//
// Whatever is not in a bucket is counted (recorded + overflow + negative = ops), because silent clamping looks like real
// data. Nothing is ever back-filled: where a schedule is kept, the response time from the intended start is measured
// (measurement method, parts 7 and 8). Histograms are merged, percentiles never: the mean of two p99s is the p99 of nothing.

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace bench {

/// A value of a histogram, or what is known of one that was too large for it: "at least the limit".
struct latency {
  std::int64_t value_ns = 0;
  bool at_least = false;
  bool operator==(const latency&) const = default;
};

class histogram {
 public:
  static constexpr std::int64_t one_hour_ns = 3'600'000'000'000;
  using wide = unsigned __int128;

  /// Everything that it ever needs is allocated here: 270 KB for one hour. `limit_ns`, the largest value that has a
  /// bucket, is in 2..2^62.
  explicit histogram(std::int64_t limit_ns = one_hour_ns);

  /// Allocates nothing and calls nothing. One thread per histogram; merge() brings them together.
  void record(std::int64_t value_ns) noexcept {
    if (value_ns < 0) {
      ++negative_;
      return;
    }
    sum_ += static_cast<std::uint64_t>(value_ns);
    if (value_ns > max_) max_ = value_ns;
    if (value_ns < min_) min_ = value_ns;
    if (value_ns > limit_) {
      ++overflow_;
      return;
    }
    ++counts_[index_of(value_ns)];
    ++recorded_;
  }

  /// Both have the same limit.
  void merge(const histogram& other);

  /// Forgets all values and keeps the memory.
  void clear() noexcept;

  std::int64_t limit_ns() const { return limit_; }
  std::uint64_t recorded() const { return recorded_; }  ///< in the buckets
  std::uint64_t overflow() const { return overflow_; }  ///< above the limit
  std::uint64_t negative() const {
    return negative_;
  }  ///< below 0: a clock that ran backwards. In nothing else here
  std::uint64_t count() const { return recorded_ + overflow_; }

  /// Exact, whatever the buckets and the limit. Empty for no values.
  std::optional<std::int64_t> min_ns() const;
  std::optional<std::int64_t> max_ns() const;
  std::optional<double> mean_ns() const;
  wide sum_ns() const { return sum_; }

  /// Standard deviation of what is in the buckets, to within their width, around the mean of all values. Empty where nothing
  /// is in them.
  std::optional<double> stddev_ns() const;

  /// The value of nearest rank, max(1, ceil(p n)), where n includes what overflowed. Empty for no values. Below the exact
  /// value by nothing and above it by at most 0.1 %; the last rank is exact.
  std::optional<latency> percentile(std::uint32_t p_ppm) const;

  /// The value of `rank`, counted from 1. Empty when there is no such rank.
  std::optional<latency> at_rank(std::uint64_t rank) const;

  struct bucket {
    std::int64_t first_ns;  ///< smallest and largest value that it stands for
    std::int64_t last_ns;
    std::uint64_t count;
  };

  /// The buckets that hold something, in ascending order.
  std::vector<bucket> buckets() const;

  /// Every count by index of bucket, for the interchange format (histogram_v2); and back. Minimum, maximum and sum are then
  /// known to the width of a bucket only. `counts` may be shorter than the histogram, not longer.
  std::span<const std::uint64_t> counts() const { return counts_; }
  static histogram of_counts(std::int64_t limit_ns, std::span<const std::uint64_t> counts);

  /// How many buckets a histogram of this limit has.
  static std::size_t size_for(std::int64_t limit_ns);

 private:
  static constexpr int half_bits = 10;  // 1024 buckets per doubling: the first power of two above 10^3
  static constexpr std::uint64_t half = 1U << half_bits;

  /// How often a value is halved until it is below 2048.
  static int doublings(std::uint64_t value) noexcept {
    return static_cast<int>(std::bit_width(value | (2 * half - 1))) - (half_bits + 1);
  }
  static std::size_t index_of(std::int64_t value_ns) noexcept {
    const auto value = static_cast<std::uint64_t>(value_ns);
    const int shift = doublings(value);
    return static_cast<std::size_t>(shift) * half + (value >> shift);
  }
  static bucket bounds_of(std::size_t index);

  std::int64_t limit_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t recorded_ = 0;
  std::uint64_t overflow_ = 0;
  std::uint64_t negative_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = -1;
  wide sum_ = 0;
};

}  // namespace bench
