#pragma once
// Two stored results side by side. They were not measured in pairs, so the rules of unpaired.hpp hold, and two tables are
// made of what the files hold:
//
//   ratios   the paired ratios of each file (driver over raw, raw over floor): both halves of a pair saw the same weather,
//            so they travel between machines and days
//   times    of every cell; worth no more than the machine's own constancy, and nothing between machines
//
// How constant the machine was is told by the floor client, which stands in both files and is nobody's to tune: if its time
// changed by x, no change of another cell's time below x means anything (as with the A/A floor of one run).

#include "bench/context_difference.hpp"
#include "bench/result.hpp"
#include "bench/unpaired.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// One row of a table: `found->a` is of the first result, `found->b` of the second, `found->ratio` what changed.
struct compared_row {
  std::string id;  ///< of the cell, or of the comparison's cell b
  std::string op;
  std::string title;         ///< "ping/tcp0/raw", "ping: libmongoc over raw"
  const char* sample = "";   ///< what the values are: "rounds", "connection sets", "processes"
  std::size_t values_a = 0;  ///< how many there are
  std::size_t values_b = 0;
  std::optional<unpaired> found;  ///< empty where a side has no rounds
  verdict says = verdict::inconclusive;
};

/// An exact count per op that is not what it was.
struct count_change {
  std::string id;  ///< of the cell
  const char* unit;
  double a;
  double b;
};

struct file_comparison {
  context_difference context;
  std::vector<std::string> parameters;  ///< a sentence per cell that was measured otherwise: not comparable
  std::vector<compared_row> ratios;
  std::vector<compared_row> times;
  std::vector<count_change> counts;
  std::vector<std::string> only_in_a;  ///< ids of cells
  std::vector<std::string> only_in_b;
  std::vector<warning> warnings;  ///< those of the context, and what the files say of the machine
  bool ratios_lead = false;       ///< times are of two machines, or of one that did not stay the same

  const std::vector<compared_row>& leading() const { return ratios_lead ? ratios : times; }
};

/// Without medians of processes (--processes) a change below `delta` is no verdict but `inconclusive` or `equivalent`: another
/// process lays its memory out otherwise, and one was seen to move libmongoc over raw by 1.7 % with the same code.
///
/// Cells are matched by id; their other labels and a real server's kind are parameters. `delta` is the threshold of the
/// verdicts. Rows whose parameters differ, and rows that the context forbids, are `different_environment`.
file_comparison compare_results(const result& a, const result& b, double delta);

/// Rows of the leading table that got slower by more than `share`: verdict slower, and the whole interval beyond.
std::vector<const compared_row*> slower_by_more(const file_comparison& files, double share);

/// Whether everything that the first file holds was compared with a clear verdict.
bool is_conclusive(const file_comparison& files);

}  // namespace bench
