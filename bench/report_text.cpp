#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bench {
namespace {

constexpr std::size_t columns = 110;

/// At most that many digits behind the point, fewer the larger the value: four significant ones are more than
/// an interval of one per cent can carry.
std::string digits(double value, int most) {
  int after_point = most;
  for (double limit = std::pow(10, 4 - most); after_point > 0 && std::abs(value) >= limit; limit *= 10)
    --after_point;
  return fmt::format("{:.{}f}", value, after_point);
}

}  // namespace

std::string number(double value) {
  return digits(value, 2);
}

std::string signed_number(double value) {
  return (value < 0 ? "" : "+") + digits(value, 2);
}

std::string ratio_number(double value) {
  return digits(value, 3);
}

std::string microseconds(const std::optional<double>& ns) {
  return ns ? number(*ns / 1e3) : "-";
}

std::string count(const std::optional<double>& value) {
  if (!value) return "-";
  return *value == std::floor(*value) ? fmt::format("{:.0f}", *value) : number(*value);
}

std::string range(const std::optional<double>& lo, const std::optional<double>& hi, double unit,
                  printer print) {
  return lo && hi ? fmt::format("[{}, {}]", print(*lo / unit), print(*hi / unit)) : "[-]";
}

std::string with_range(const std::optional<double>& value, const std::optional<double>& lo,
                       const std::optional<double>& hi, double unit, printer print) {
  return value ? print(*value / unit) + " " + range(lo, hi, unit, print) : "-";
}

std::string paragraph(std::string_view text) {
  std::string lines;
  std::string line = "  ";
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    if (line.size() > 4 && line.size() + 1 + word.size() > columns) {
      lines += line + "\n";
      line = "    ";
    }
    if (line.back() != ' ') line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + line + "\n";
}

std::string bold(const std::string& text, bool colour) {
  return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string coloured(verdict says, bool colour) {
  std::string text = name(says);
  if (!colour) return text;
  if (says == verdict::faster) return "\x1b[32m" + text + "\x1b[0m";
  if (says == verdict::slower) return "\x1b[31m" + text + "\x1b[0m";
  return text;
}

std::string sentence(const warning& doubt) {
  const auto flag = doubt.flag.empty() ? "" : "; try " + doubt.flag;
  return fmt::format("{} {}: {}; {}{}", doubt.code, doubt.number, doubt.cause, doubt.remedy, flag);
}

std::string warning_lines(const warning& doubt) {
  return paragraph(sentence(doubt));
}

}  // namespace bench
