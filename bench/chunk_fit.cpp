#include "bench/chunk_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bench {
namespace {

constexpr std::size_t fewest_sizes = 3;

/// Of the normal equations' determinant against the product of their diagonal: below it the two columns are one.
constexpr double smallest_determinant = 1e-12;

}  // namespace

std::optional<double> chunk_fit::knee_bytes() const {
  return alpha_ns > 0 && beta_ns > 0 ? std::optional(alpha_ns / beta_ns) : std::nullopt;
}

double chunk_fit::worst() const {
  double most = 0;
  for (const double residual : residuals) most = std::max(most, std::abs(residual));
  return most;
}

// With u = chunks / T and v = bytes / T the relative error of a point is 1 - (alpha u + beta v): least squares for 1.
absl::StatusOr<chunk_fit> fit_chunks(std::span<const chunk_point> points) {
  std::set<double> sizes;
  double uu = 0, uv = 0, vv = 0, u_sum = 0, v_sum = 0;
  for (const auto& point : points) {
    sizes.insert(point.chunk_bytes);
    const double u = point.chunks / point.time_ns;
    const double v = point.bytes / point.time_ns;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    u_sum += u;
    v_sum += v;
  }
  if (sizes.size() < fewest_sizes) {
    return absl::InvalidArgumentError(fmt::format(
        "a line and its residuals need {} chunk sizes, and there are {}", fewest_sizes, sizes.size()));
  }
  const double determinant = uu * vv - uv * uv;
  if (determinant <= smallest_determinant * uu * vv)
    return absl::InvalidArgumentError(
        "all sizes make the same number of chunks: chunks and bytes cannot be told apart");
  chunk_fit fit{.alpha_ns = (u_sum * vv - v_sum * uv) / determinant,
                .beta_ns = (v_sum * uu - u_sum * uv) / determinant,
                .residuals = {},
                .smallest_bytes = *sizes.begin(),
                .largest_bytes = *sizes.rbegin()};
  for (const auto& point : points) {
    const double fitted = point.chunks * fit.alpha_ns + point.bytes * fit.beta_ns;
    fit.residuals.push_back((point.time_ns - fitted) / point.time_ns);
  }
  return fit;
}

}  // namespace bench
