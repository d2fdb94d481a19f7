#include "bench/report_gbench.hpp"

#include "bench/environment.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace bench {
namespace {

using nlohmann::ordered_json;

/// "3.10 1.20 ..." as numbers, as many as there are.
ordered_json load_averages(const std::string& load) {
  auto averages = ordered_json::array();
  const char* const end = load.data() + load.size();
  for (const char* at = load.data(); averages.size() < 3;) {
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) break;
    averages.push_back(value);
    at = std::min(rest + 1, end);
  }
  return averages;
}

int whole(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

ordered_json context_of(const context& facts) {
  const auto governor = value_of(facts, "governor");
  return {{"date", value_of(facts, "started")},
          {"host_name", value_of(facts, "host")},
          {"executable", "wirebench"},
          {"num_cpus", whole(value_of(facts, "cpus"))},
          {"cpu_scaling_enabled", !governor.empty() && governor != "performance"},
          {"load_avg", load_averages(value_of(facts, "load"))},
          {"library_build_type", value_of(facts, "build_type").starts_with("debug") ? "debug" : "release"}};
}

ordered_json named(const cell& measured, std::size_t family, std::size_t repetitions) {
  const auto& what = measured.what;
  return {{"name", what.id},
          {"family_index", family},
          {"per_family_instance_index", 0},
          {"run_name", what.id},
          {"run_type", "iteration"},
          {"repetitions", repetitions},
          {"threads", measured.load ? measured.load->threads : 1},
          {"label", fmt::format("{} over {}, {}", what.peer, what.transport, what.placement)}};
}

void add(const cell& measured, std::size_t family, ordered_json& benchmarks) {
  std::vector<const round*> rounds;
  for (const auto& timed : measured.rounds) {
    if (timed.group == measured.group) rounds.push_back(&timed);
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    auto one = named(measured, family, rounds.size());
    const auto ops = static_cast<double>(rounds[i]->ops);
    one["repetition_index"] = i;
    one["iterations"] = rounds[i]->ops;
    one["real_time"] = static_cast<double>(rounds[i]->elapsed_ns) / ops;
    one["cpu_time"] = static_cast<double>(rounds[i]->client_cpu_ns) / ops;
    one["time_unit"] = "ns";
    benchmarks.push_back(std::move(one));
  }
  if (!measured.per_op.median_ns || !measured.per_op.client_cpu_ns) return;
  auto median = named(measured, family, rounds.size());
  median["name"] = measured.what.id + "_median";
  median["run_type"] = "aggregate";
  median["aggregate_name"] = "median";
  median["aggregate_unit"] = "time";
  median["iterations"] = rounds.size();
  median["real_time"] = *measured.per_op.median_ns;
  median["cpu_time"] = *measured.per_op.client_cpu_ns;
  median["time_unit"] = "ns";
  benchmarks.push_back(std::move(median));
}

}  // namespace

std::string report_gbench(const result& measured) {
  auto benchmarks = ordered_json::array();
  for (std::size_t i = 0; i < measured.cells.size(); ++i) add(measured.cells[i], i, benchmarks);
  const ordered_json whole{{"context", context_of(measured.context)}, {"benchmarks", benchmarks}};
  return whole.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bench
