#include "bench/report_ministat.hpp"

#include "bench/ministat.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

std::vector<double> values_of(const cell& measured) {
  std::vector<double> values;
  for (const auto& timed : measured.rounds) {
    if (timed.group != measured.group) continue;
    values.push_back(static_cast<double>(timed.elapsed_ns) / static_cast<double>(timed.ops));
  }
  return values;
}

std::string line(char mark, const ministat_line& of) {
  return fmt::format("{} {:3d} {:13.8g} {:13.8g} {:13.8g} {:13.8g} {:13.8g}\n", mark, of.n, of.min, of.max,
                     of.median, of.average, of.stddev);
}

std::string conclusion(const ministat& of) {
  if (!of.proven) return "No difference proven at 95.0% confidence\n";
  auto text = fmt::format("Difference at 95.0% confidence\n\t{:g} +/- {:g}\n", of.difference, of.plus_minus);
  if (of.percent) text += fmt::format("\t{:g}% +/- {:g}%\n", *of.percent, *of.plus_minus_percent);
  return text + fmt::format("\t(Student's t, pooled s = {:g})\n", of.pooled_stddev);
}

std::string block(const cell& a, const cell& b) {
  auto text = fmt::format("x {}, ns/op\n+ {}, ns/op\n", a.what.id, b.what.id);
  const auto figures = compare_as_ministat(values_of(a), values_of(b));
  if (!figures) return text + "fewer than three rounds\n";
  text += "    N           Min           Max        Median           Avg        Stddev\n";
  return text + line('x', figures->a) + line('+', figures->b) + conclusion(*figures);
}

}  // namespace

std::string round_values(const cell& measured) {
  std::string text;
  for (const double value : values_of(measured)) text += fmt::format("{}\n", value);
  return text;
}

std::string report_ministat(const result& measured) {
  std::string text;
  for (const auto& pair : measured.comparisons) {
    text += block(*find_cell(measured.cells, pair.a), *find_cell(measured.cells, pair.b));
    text += fmt::format("in pairs of rounds: {}\n\n", name(pair.says));
  }
  return text;
}

}  // namespace bench
