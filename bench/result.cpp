#include "bench/result.hpp"

#include <algorithm>

namespace bench {
namespace {

/// total(round) per op, over the rounds of the cell's own group; empty when a round does not know it.
template <typename Total>
std::optional<std::vector<double>> per_op(const cell& measured, Total total) {
  std::vector<double> values;
  for (const auto& timed : measured.rounds) {
    if (timed.group != measured.group) continue;
    const std::optional<double> value = total(timed);
    if (!value) return std::nullopt;
    values.push_back(*value / static_cast<double>(timed.ops));
  }
  return values;
}

template <typename Total>
std::optional<double> median_per_op(const cell& measured, Total total) {
  const auto values = per_op(measured, total);
  return values && !values->empty() ? std::optional(median(*values)) : std::nullopt;
}

std::optional<double> moved(const cell& measured, std::uint64_t traffic::*part) {
  return median_per_op(measured, [part](const round& timed) -> std::optional<double> {
    if (!timed.moved) return std::nullopt;
    return static_cast<double>((*timed.moved).*part);
  });
}

std::vector<double> times(const cell& measured) {
  return *per_op(measured, [](const round& timed) { return static_cast<double>(timed.elapsed_ns); });
}

}  // namespace

const char* name(question asks) {
  switch (asks) {
    case question::aa:
      return "aa";
    case question::floor:
      return "floor";
    case question::layer:
      return "layer";
    case question::overhead:
      return "overhead";
    case question::server:
      return "server";
    case question::dispatch:
      return "dispatch";
    case question::work:
      return "work";
    case question::interaction:
      return "interaction";
    case question::first_row:
      return "first_row";
  }
  return "";
}

const char* name(ended_by reason) {
  switch (reason) {
    case ended_by::budget:
      return "budget";
    case ended_by::precision:
      return "precision";
    case ended_by::rows:
      return "rows";
    case ended_by::stop:
      return "stop";
    case ended_by::failure:
      return "failure";
  }
  return "";
}

const cell* find_cell(const std::vector<cell>& cells, const std::string& id) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const cell& one) { return one.what.id == id; });
  return found == cells.end() ? nullptr : &*found;
}

std::optional<modes> modes_of(const cell& measured) {
  return two_modes(times(measured));
}

void summarize(cell& measured) {
  auto& per_op = measured.per_op = {};
  if (const auto time = estimate_median(times(measured))) {
    per_op.median_ns = time->value;
    if (time->range) {
      per_op.lo_ns = time->range->lo;
      per_op.hi_ns = time->range->hi;
    }
  }
  per_op.client_cpu_ns =
      median_per_op(measured, [](const round& timed) { return static_cast<double>(timed.client_cpu_ns); });
  per_op.server_cpu_ns = median_per_op(measured, [](const round& timed) { return timed.server_cpu_ns; });
  per_op.frames_out = moved(measured, &traffic::frames_out);
  per_op.frames_in = moved(measured, &traffic::frames_in);
  per_op.bytes_out = moved(measured, &traffic::bytes_out);
  per_op.bytes_in = moved(measured, &traffic::bytes_in);
  per_op.syscalls = median_per_op(measured, [](const round& timed) { return timed.syscalls; });
  per_op.copied_bytes = median_per_op(measured, [](const round& timed) { return timed.copied_bytes; });
  per_op.round_trips = median_per_op(measured, [](const round& timed) { return timed.round_trips; });
}

}  // namespace bench
