#include "bench/report_comparison.hpp"

#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

std::string with_interval(const estimate& of, double unit, printer print) {
  return of.range ? with_range(of.value, of.range->lo, of.range->hi, unit, print)
                  : with_range(of.value, std::nullopt, std::nullopt, unit, print);
}

std::string change(const unpaired& row) {
  const auto lo = row.bounds ? std::optional(row.bounds->lo) : std::nullopt;
  const auto hi = row.bounds ? std::optional(row.bounds->hi) : std::nullopt;
  return with_range(row.ratio, lo, hi, 1, ratio_number);
}

/// "0.031"; below a thousandth no digits are worth printing.
std::string p_value(double p) {
  return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p);
}

/// What a table's rows rest on: "39 to 40 connection sets and 600 rounds a side".
std::string samples_of(const std::vector<compared_row>& rows) {
  std::string text;
  for (const char* const sample : {"rounds", "connection sets", "processes"}) {
    std::size_t least = SIZE_MAX, most = 0;
    for (const auto& row : rows) {
      if (std::string_view(row.sample) != sample) continue;
      least = std::min({least, row.values_a, row.values_b});
      most = std::max({most, row.values_a, row.values_b});
    }
    if (most == 0) continue;
    text += text.empty() ? "" : " and ";
    text +=
        least == most ? fmt::format("{} {}", most, sample) : fmt::format("{} to {} {}", least, most, sample);
  }
  return text;
}

/// The row with the fewest values, where they are too few for any verdict.
std::string shortage(const std::vector<compared_row>& rows) {
  const compared_row* shortest = nullptr;
  const auto values = [](const compared_row& row) { return std::min(row.values_a, row.values_b); };
  for (const auto& row : rows) {
    const bool too_few = row.found && row.found->too_few;
    if (too_few && (shortest == nullptr || values(row) < values(*shortest))) shortest = &row;
  }
  if (shortest == nullptr) return "";
  return paragraph(
      fmt::format("{}: {} {} are too few for a verdict among {} rows, which takes {}; raise --budget",
                  shortest->title, values(*shortest), shortest->sample, rows.size(),
                  std::max(shortest->found->samples_needed, samples_advised)));
}

struct table {
  const char* title;
  double unit;
  printer print;
};

class text_report {
 public:
  text_report(const comparison_report& of, bool colour) : of_(of), colour_(colour) {}

  std::string text() const {
    const table ratios{"paired ratios of each file", 1, ratio_number};
    const table times{"times, us/op", 1e3, number};
    const auto& found = of_.found;
    auto lines =
        bold(fmt::format("{} (after) against {} (before), unpaired", of_.b.name, of_.a.name), colour_) +
        "\n" + begins();
    for (const auto& doubt : found.warnings) lines += warning_lines(doubt);
    for (const auto& sentence : found.parameters) lines += paragraph("not comparable: " + sentence);
    lines += found.ratios_lead ? rows(ratios, found.ratios) + rows(times, found.times)
                               : rows(times, found.times) + rows(ratios, found.ratios);
    return lines + counts() + missing("only in " + of_.a.name, found.only_in_a) +
           missing("only in " + of_.b.name, found.only_in_b) + "\n";
  }

 private:
  std::string begins() const;
  std::string rows(const table& shown, const std::vector<compared_row>& rows) const;
  std::string counts() const;
  static std::string missing(const std::string& where, const std::vector<std::string>& ids);

  const comparison_report& of_;
  bool colour_;
};

std::string text_report::begins() const {
  const auto begin = [](const named_result& of) {
    const auto version = value_of(of.measured->context, "wirebench");
    return fmt::format("{} of {}", value_of(of.measured->context, "started"),
                       version.empty() ? "?" : version);
  };
  return paragraph(fmt::format("{}, then {}", begin(of_.a), begin(of_.b)));
}

std::string text_report::rows(const table& shown, const std::vector<compared_row>& rows) const {
  if (rows.empty()) return "";
  std::size_t width = std::string_view(shown.title).size();
  for (const auto& row : rows) width = std::max(width, row.title.size());
  const auto line = [width](const std::string& title, const std::string& a, const std::string& b,
                            const std::string& change, const std::string& p, const std::string& says) {
    return fmt::format("  {:<{}} {:<20} {:<20} {:<20} {:>6}  {}\n", title, width, a, b, change, p, says);
  };
  auto lines = "\n" + line(shown.title, "before", "after", "after / before", "p", "verdict");
  for (const auto& row : rows) {
    const auto says = coloured(row.says, colour_);
    lines += row.found ? line(row.title, with_interval(row.found->a, shown.unit, shown.print),
                              with_interval(row.found->b, shown.unit, shown.print), change(*row.found),
                              p_value(row.found->p), says)
                       : line(row.title, "-", "-", "-", "-", says);
  }
  return lines +
         paragraph(fmt::format(
             "values: {}; p by Mann-Whitney, corrected by Holm for {} rows; after / before bounded "
             "for all rows together",
             samples_of(rows), rows.size())) +
         shortage(rows);
}

std::string text_report::counts() const {
  std::string lines;
  for (const auto& one : of_.found.counts) {
    lines +=
        paragraph(fmt::format("{}: {} {} per op, were {}", one.id, count(one.b), one.unit, count(one.a)));
  }
  return lines.empty() ? lines : "\n" + lines;
}

std::string text_report::missing(const std::string& where, const std::vector<std::string>& ids) {
  return ids.empty() ? "" : paragraph(fmt::format("{}: {}", where, fmt::join(ids, ", ")));
}

}  // namespace

std::string report_comparison(const comparison_report& of, bool colour) {
  return text_report(of, colour).text();
}

}  // namespace bench
