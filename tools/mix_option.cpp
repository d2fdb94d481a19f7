#include "tools/mix_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace tools {
namespace {

absl::StatusOr<bench::load::mixed_op> parse_op(const std::string& word, bool has_sql) {
  const auto at = word.find('@');
  bench::load::mixed_op to{.name = word.substr(0, at)};
  if (to.name == bench::workloads::sql_op && !has_sql)
    return absl::InvalidArgumentError("the op 'sql' needs its statement: add --sql TEXT");
  if (find_mixed_op(to.name) == nullptr) {
    std::vector<std::string> names;
    for (const auto& one : bench::op_set()) names.push_back(one.name);
    return absl::InvalidArgumentError(
        fmt::format("there is no op '{}'; there are {}", to.name, fmt::join(names, ", ")));
  }
  if (at == std::string::npos) return to;
  constexpr std::uint32_t heaviest = 1'000'000;
  const auto* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + at + 1, end, to.weight);
  if (error != std::errc{} || rest != end || to.weight == 0 || to.weight > heaviest)
    return absl::InvalidArgumentError(
        fmt::format("'{}': a weight is a whole number from 1 to {}", word, heaviest));
  return to;
}

/// An op whose rounds are transactions would take the others into them.
constexpr char transactional[] = "lowrite_256k";

absl::Status check_together(const std::vector<bench::load::mixed_op>& mix) {
  const auto protocol = find_mixed_op(mix.front().name)->protocol;
  for (std::size_t i = 0; i < mix.size(); ++i) {
    const auto& name = mix[i].name;
    if (find_mixed_op(name)->protocol != protocol)
      return absl::InvalidArgumentError(
          "a connection speaks one protocol: mix ops of MongoDB or of PostgreSQL, not of both");
    const auto same = [&](const bench::load::mixed_op& other) { return other.name == name; };
    if (std::count_if(mix.begin(), mix.end(), same) > 1)
      return absl::InvalidArgumentError(fmt::format("op '{}' stands twice; add its weights up", name));
    if (mix.size() > 1 && name == transactional)
      return absl::InvalidArgumentError(
          fmt::format("{} works inside a transaction of its own and cannot be mixed", name));
  }
  return absl::OkStatus();
}

}  // namespace

const bench::op* find_mixed_op(const std::string& name) {
  static const bench::op own{bench::workloads::sql_op, wire::protocol::pg, "libpq", false,
                             "the statement of --sql"};
  return name == own.name ? &own : bench::find_op(name);
}

absl::StatusOr<bench::workloads::sql_parameter> parse_parameter(const std::string& word) {
  bench::workloads::sql_parameter to;
  to.bytes = word.starts_with("int8:") ? 8 : 4;
  const auto* end = word.data() + word.size();
  const auto dots = word.find("..");
  if ((word.starts_with("int4:") || to.bytes == 8) && dots != std::string::npos) {
    const auto [low_end, low_error] = std::from_chars(word.data() + 5, end, to.lowest);
    const auto [high_end, high_error] = std::from_chars(word.data() + dots + 2, end, to.highest);
    const bool numbers = low_error == std::errc{} && low_end == word.data() + dots &&
                         high_error == std::errc{} && high_end == end;
    using int4 = std::numeric_limits<std::int32_t>;
    const bool fits = to.bytes == 8 || (to.lowest >= int4::min() && to.highest <= int4::max());
    if (numbers && fits && to.lowest <= to.highest) return to;
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}' is no parameter, such as int4:1..100000 or int8:0..9", word));
}

absl::StatusOr<std::vector<bench::load::mixed_op>> parse_mix(const std::vector<std::string>& words,
                                                             bool has_sql) {
  std::vector<bench::load::mixed_op> mix;
  for (const auto& word : words) {
    auto op = parse_op(word, has_sql);
    if (!op.ok()) return op.status();
    mix.push_back(*std::move(op));
  }
  if (auto status = check_together(mix); !status.ok()) return status;
  return mix;
}

std::string mix_text(const std::vector<bench::load::mixed_op>& mix) {
  if (mix.size() == 1) return mix.front().name;
  std::string text;
  for (const auto& each : mix)
    text += fmt::format("{}{}@{}", text.empty() ? "" : ",", each.name, each.weight);
  return text;
}

}  // namespace tools
