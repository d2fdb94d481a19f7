#pragma once
// What one attribution rests on: the cells of a ladder that belong together, and their rounds as samples.

#include "bench/calibration.hpp"
#include "bench/result.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace bench {

/// The cells that one attribution rests on, pointing into the ladder's; null where it has none.
struct attribution_evidence {
  const cell* target = nullptr;
  const cell* zero = nullptr;
  std::vector<const cell*>
      points;  ///< on rung tcpD, by the time that the server takes; the target is none of them
  const cell* stamped = nullptr;      ///< the target once more, with stamps
  const cell* stamped_cpu = nullptr;  ///< and by the thread's clock
  const cell* told = nullptr;
  bool known = false;  ///< the target is the null server, whose own stamps are the truth
};

/// One for the real server, or else one for each service time between two others; none without rung tcpD or tcp0.
std::vector<attribution_evidence> evidence_of(const std::vector<cell>& cells);

/// The raw client's cell on that rung, with those stamps and at that service time; null where there is none or it has no rounds.
const cell* find_raw(const std::vector<cell>& cells, std::string_view rung, std::string_view stamps = {},
                     std::optional<std::int64_t> service_ns = std::nullopt);

/// Rounds of one row group, by row.
using rounds_by_row = std::map<std::uint64_t, const round*>;

/// Of the cell's own row group.
rounds_by_row rounds_of(const cell& one);

/// The rounds of an anchor beside those of another cell, where it stands there; else those of its own group.
rounds_by_row rounds_beside(const cell& anchor, const cell& other);

/// Null where that row is not among them.
const round* at(const rounds_by_row& rounds, std::uint64_t row);

double per_op(const round& timed, double total);
double op_ns(const round& timed);

/// How many connection sets the cell's rounds are of.
std::size_t connection_sets(const cell& one);

/// One value per round; intervals are over connection sets where they are enough for one, since connections differ in
/// themselves, else over rows.
class round_sample {
 public:
  void add(const round& timed, double value) {
    values_.push_back(value);
    sets_.push_back(timed.connection_set);
  }

  /// Empty without values.
  std::optional<estimate> estimated() const;

 private:
  std::vector<double> values_;
  std::vector<std::uint64_t> sets_;
};

/// Of the rows in which all of its cells stand, set by set or row by row as round_sample has it; all of one length. Times are
/// those of the target's row group: of a point in another one, what it is longer than the null server there is added to the
/// null server's time beside the target.
calibration_rows calibration_rows_of(const attribution_evidence& from);

}  // namespace bench
