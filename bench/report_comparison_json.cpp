#include "bench/field_writer.hpp"
#include "bench/report_comparison.hpp"
#include "bench/report_json.hpp"

namespace bench {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const estimate& of) {
  return {{"median", of.value},
          {"lo", of.range ? ordered_json(of.range->lo) : ordered_json()},
          {"hi", of.range ? ordered_json(of.range->hi) : ordered_json()}};
}

ordered_json to_json(const compared_row& row) {
  ordered_json to{{"id", row.id},
                  {"op", row.op},
                  {"title", row.title},
                  {"sample", row.sample},
                  {"values_before", row.values_a},
                  {"values_after", row.values_b}};
  const auto& found = row.found;
  to["before"] = found ? to_json(found->a) : ordered_json();
  to["after"] = found ? to_json(found->b) : ordered_json();
  to["ratio"] = found ? ordered_json(found->ratio) : ordered_json();
  const bool bounded = found && found->bounds;
  to["lo"] = bounded ? ordered_json(found->bounds->lo) : ordered_json();
  to["hi"] = bounded ? ordered_json(found->bounds->hi) : ordered_json();
  to["p"] = found ? ordered_json(found->p) : ordered_json();
  to["samples_needed"] = found ? ordered_json(found->samples_needed) : ordered_json();
  to["verdict"] = name(row.says);
  return to;
}

ordered_json to_json(const count_change& one) {
  return {{"id", one.id}, {"unit", one.unit}, {"before", one.a}, {"after", one.b}};
}

ordered_json to_json(const warning& doubt) {
  auto to = field_writer::of(doubt);
  to.erase("flag");  // an option for measuring again
  return to;
}

template <typename Item>
ordered_json list(const std::vector<Item>& items) {
  auto all = ordered_json::array();
  for (const auto& item : items) all.push_back(to_json(item));
  return all;
}

ordered_json to_json(const comparison_report& of) {
  const auto& found = of.found;
  return {{"before", of.a.name},
          {"after", of.b.name},
          {"method", "unpaired: Mann-Whitney, Holm; bounds of medians"},
          {"leading", found.ratios_lead ? "ratios" : "times_ns"},
          {"ratios", list(found.ratios)},
          {"times_ns", list(found.times)},
          {"counts", list(found.counts)},
          {"parameters", found.parameters},
          {"only_before", found.only_in_a},
          {"only_after", found.only_in_b},
          {"warnings", list(found.warnings)}};
}

}  // namespace

std::string comparison_json(const std::vector<comparison_report>& all) {
  auto comparisons = ordered_json::array();
  for (const auto& one : all) comparisons.push_back(to_json(one));
  const ordered_json whole{
      {"schema_version", schema_version}, {"tool", "wirebench compare"}, {"comparisons", comparisons}};
  return whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bench
