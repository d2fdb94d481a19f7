#pragma once
// Hand-made cells: times per op in, rounds out.

#include "bench/result.hpp"

#include <string>
#include <vector>

namespace bench {

/// One round of 10 ops per entry of `op_ns`, rows counted from 0, `set_rows` rows to a connection set.
inline cell made_cell(std::string id, std::string rung, std::string client, const std::vector<double>& op_ns,
                      std::uint64_t set_rows = 16) {
  cell made{.what = {.id = std::move(id),
                     .op = "mongo.ping",
                     .rung = std::move(rung),
                     .client = std::move(client),
                     .peer = "null",
                     .transport = "tcp",
                     .placement = "same-cpu"}};
  for (std::size_t row = 0; row < op_ns.size(); ++row) {
    round timed{.row = row, .connection_set = row / set_rows, .ops = 10};
    timed.elapsed_ns = static_cast<std::int64_t>(op_ns[row] * 10);
    made.rounds.push_back(timed);
  }
  summarize(made);
  return made;
}

/// `rows` times `op_ns`, wandering up and down by `spread` so that medians have an interval.
inline std::vector<double> wandering(double op_ns, std::size_t rows, double spread) {
  std::vector<double> values(rows);
  for (std::size_t i = 0; i < rows; ++i)
    values[i] = op_ns * (1 + spread * (static_cast<double>(i % 5) - 2) / 2);
  return values;
}

}  // namespace bench
