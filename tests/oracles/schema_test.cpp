// The published JSON Schema against what the program writes, judged by PyPI's jsonschema.

#include "bench/compare.hpp"
#include "bench/report_comparison.hpp"
#include "bench/report_json.hpp"

#include "tests/bench/full_result.hpp"
#include "tests/bench/made_result.hpp"
#include "tests/integration/command.hpp"
#include "tests/oracles/questions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace tests {
namespace {

using nlohmann::json;

/// For every document null, or what jsonschema has against it.
json judge(const json& documents, const std::string& by = "result") {
  const auto schema = json::parse(whole_file(SCHEMA_FOLDER "/" + by + ".schema.json"));
  auto faults = ask("schema_answers.py",
                    {"jsonschema==4.26.0", "attrs==26.1.0", "jsonschema-specifications==2025.9.1",
                     "referencing==0.37.0", "rpds-py==2026.9.1", "typing_extensions==4.16.0"},
                    {{"schema", schema}, {"documents", documents}});
  EXPECT_EQ(faults.size(), documents.size());
  return faults;
}

/// A result by hand, with few rounds: jsonschema takes its time.
json sound() {
  auto made = bench::made_result();
  for (auto& one : made.cells) one.rounds.resize(4);
  return json::parse(bench::report_json(made));
}

/// What one run of the program leaves.
json measured(words arguments) {
  const scratch place;
  const auto path = place.path("/result.json");
  arguments.insert(arguments.end(), {"-o", path});
  const auto run = run_wirebench(arguments, place);
  EXPECT_EQ(run.code, 0) << run.err;
  return json::parse(whole_file(path), nullptr, false);
}

TEST(Schema, AcceptsWhatTheProgramWrites) {
  const auto faults = judge({measured({"ladder", "--op", "ping,select1", "--rung", "mem", "--budget", "0.8"}),
                             measured({"ladder", "--op", "ping", "--budget", "2"}),
                             measured({"run", "select1@2", "select_param@1", "--rate", "500", "--duration",
                                       "0.3", "--warm-up", "0.1"}),
                             sound(), json::parse(bench::report_json({}))});
  for (const auto& fault : faults) EXPECT_TRUE(fault.is_null()) << fault;
}

TEST(Schema, AcceptsComparisons) {
  const auto before = bench::made_result();
  auto after = bench::made_result();
  after.context.emplace_back("host", "ci");
  after.cells[2].what.placement = "unpinned";
  after.cells[0].rounds.clear();
  count_as(after.cells[3], {1, 1, 58, 45}, 3, 3'300, 3'400);
  after.cells.erase(after.cells.begin() + 1);
  after.comparisons = bench::compare(after.cells, 0.02);
  const bench::comparison_report report{.a = {"a.json", &before},
                                        .b = {"b.json", &after},
                                        .found = bench::compare_results(before, after, 0.02)};
  auto mutated = json::parse(bench::comparison_json({report}));
  const auto sound = mutated;
  mutated["comparisons"][0]["times_ns"][0]["verdict"] = "better";
  const auto faults = judge(json::array({sound, mutated}), "comparison");
  EXPECT_EQ(faults[0], json()) << sound;
  EXPECT_TRUE(faults[1].is_string()) << faults;
}

/// Adds the names of all properties, of whatever object.
void collect_properties(const json& schema, std::set<std::string>& names) {
  if (schema.is_object() && schema.contains("properties") && schema["properties"].is_object()) {
    for (const auto& [name, of] : schema["properties"].items()) names.insert(name);
  }
  if (!schema.is_structured()) return;
  for (const auto& part : schema) collect_properties(part, names);
}

/// Objects whose keys are data: facts of the machine, kinds of system calls, names of counts.
constexpr std::string_view maps[] = {"context", "syscalls_by_kind", "unknown"};

void collect_keys(const json& document, std::set<std::string>& names) {
  if (!document.is_structured()) return;
  for (const auto& [key, value] : document.items()) {
    if (document.is_object()) names.insert(key);
    if (std::find(std::begin(maps), std::end(maps), key) == std::end(maps)) collect_keys(value, names);
  }
}

/// What is in one of the two sets alone.
std::vector<std::string> differing(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::vector<std::string> found;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found));
  return found;
}

TEST(Schema, NamesEveryKeyAndNoOther) {
  const auto full = json::parse(bench::report_json(bench::full_result()));
  EXPECT_EQ(judge(json::array({full})), json::array({nullptr}));
  std::set<std::string> described, written;
  collect_properties(json::parse(whole_file(SCHEMA_FOLDER "/result.schema.json")), described);
  collect_keys(full, written);
  EXPECT_EQ(differing(described, written), std::vector<std::string>{});
}

TEST(Schema, RefusesWhatTheProgramWouldNotWrite) {
  const std::vector<std::pair<const char*, void (*)(json&)>> mutations{
      {"$", [](json& of) { of.erase("clock"); }},
      {"$", [](json& of) { of["more"] = 1; }},
      {"$.tool", [](json& of) { of["tool"] = "criterion"; }},
      {"$.schema_version", [](json& of) { of["schema_version"] = 2; }},
      {"$.context.kernel", [](json& of) { of["context"]["kernel"] = 6; }},
      {"$.plan.ops[0].ended_by", [](json& of) { of["plan"]["ops"][0]["ended_by"] = "frob"; }},
      {"$.clock.resolution_ns", [](json& of) { of["clock"]["resolution_ns"] = 0.5; }},
      {"$.cells[1]", [](json& of) { of["cells"][1].erase("placement"); }},
      {"$.cells[1].median_ns", [](json& of) { of["cells"][1]["median_ns"] = "7 us"; }},
      {"$.cells[1].rounds[3]", [](json& of) { of["cells"][1]["rounds"][3]["latency"] = 1; }},
      {"$.cells[1].rounds[3].ops", [](json& of) { of["cells"][1]["rounds"][3]["ops"] = 0; }},
      {"$.comparisons[0].verdict", [](json& of) { of["comparisons"][0]["verdict"] = "better"; }},
      {"$.warnings[0].code", [](json& of) { of["warnings"][0]["code"] = "steal"; }},
  };
  auto documents = json::array();
  for (const auto& [place, mutate] : mutations) {
    documents.push_back(sound());
    mutate(documents.back());
  }
  const auto faults = judge(documents);
  for (std::size_t i = 0; i < mutations.size(); ++i) {
    const auto fault = faults[i].is_string() ? faults[i].get<std::string>() : std::string("none");
    EXPECT_TRUE(fault.starts_with(std::string(mutations[i].first) + ": "))
        << mutations[i].first << " " << fault;
  }
}

}  // namespace
}  // namespace tests
