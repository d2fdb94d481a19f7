#pragma once
// What every text report says about one op, as lines without layout: report_console breaks them, report_markdown makes
// paragraphs of them.

#include "bench/result.hpp"

#include <string>
#include <vector>

namespace bench {

/// One op of a result. Points into the result.
struct op_view {
  const result& measured;
  const op_plan& plan;
  std::vector<const cell*>
      cells;  ///< that are compared: not those that only look closer (stamped, told by the server)
  std::vector<const comparison*> pairs;
  std::vector<const attribution*> attributions;

  op_view(const result& measured, const op_plan& op);

  /// The cell of that id, which is there.
  const cell& at(const std::string& id) const { return *find_cell(measured.cells, id); }
};

/// "ping against null".
std::string heading(const op_view& op);

/// "same-cpu on cpu 1, closed loop, 144 rows x 334 ops, ended by budget after 5.0 s".
std::string plan_sentence(const op_view& op);

/// "libmongoc over raw".
std::string title(const result& measured, const comparison& pair);

/// What drivers and raw did not do alike, a line per pair: "unequal work per op, bytes sent: 133 by libmongoc, 97 by raw".
std::vector<std::string> unequal_work(const op_view& op);

/// Which cells are limited by the client's CPU and which by the server's.
std::vector<std::string> limiters(const op_view& op);

/// One attribution: what the time is made of, bounds, stages, what does not add up and what could not be looked at,
/// biases, and last the verdict.
std::vector<std::string> sentences_of(const op_view& op, const attribution& made);

/// What people quote, a sentence per driver: its overhead with intervals, rows and placement.
std::vector<std::string> summaries(const op_view& op);

}  // namespace bench
