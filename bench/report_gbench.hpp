#pragma once
// A result as Google Benchmark's JSON, for tools that read that: its compare.py, dashboards, bots.

#include "bench/result.hpp"

#include <string>

namespace bench {

/// A cell is a benchmark and a round of its own row group a repetition, in ns per op; `cpu_time` is the client's. The
/// aggregate is the median. Their U test takes rounds for independent and knows no pairs: what wirebench compares itself
/// holds more.
std::string report_gbench(const result& measured);

}  // namespace bench
