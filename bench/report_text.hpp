#pragma once
// What text reports are made of: figures with no more digits than an interval of one per cent can carry, a dash where
// nothing is known, paragraphs that fit a terminal.

#include "bench/verdict.hpp"
#include "bench/warning.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace bench {

/// Four significant digits, at most two or three behind the point.
std::string number(double value);
std::string signed_number(double value);
std::string ratio_number(double value);

/// "12.34"; "-" for an empty one.
std::string microseconds(const std::optional<double>& ns);

/// A count per op is whole unless rounds disagree: "2" or "2.13"; "-" for an empty one.
std::string count(const std::optional<double>& value);

using printer = std::string (*)(double);

/// "[1.02, 1.05]", both divided by `unit`; "[-]" where there is no interval.
std::string range(const std::optional<double>& lo, const std::optional<double>& hi, double unit,
                  printer print);

/// "1.03 [1.02, 1.05]"; "-" without a value.
std::string with_range(const std::optional<double>& value, const std::optional<double>& lo,
                       const std::optional<double>& hi, double unit, printer print);

/// Words broken at column 110; the first line indented by two blanks, the others by four.
std::string paragraph(std::string_view text);

/// "W-STEAL 3.1 % of the time: cause; remedy; try --flag".
std::string sentence(const warning& doubt);

/// The same as a paragraph.
std::string warning_lines(const warning& doubt);

std::string bold(const std::string& text, bool colour);

/// Its name, green or red where it is a difference.
std::string coloured(verdict says, bool colour);

}  // namespace bench
