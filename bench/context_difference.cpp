#include "bench/context_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace bench {
namespace {

constexpr const char* read_ratios = "read the ratios, or measure both on one machine";
constexpr const char* same_build = "measure both with builds of one kind";
constexpr const char* same_setting = "set it alike and measure again";

enum class meaning { machine, build, doubt };

struct kind {
  std::string_view key;
  const char* code;
  meaning means;
  const char* cause;
  const char* remedy;
};

constexpr kind kinds[] = {
    {"host", "W-HOST", meaning::machine, "times do not travel between machines", read_ratios},
    {"kernel", "W-KERNEL", meaning::machine, "system calls cost what the kernel makes of them", read_ratios},
    {"cpu", "W-CPU", meaning::machine, "times do not travel between machines", read_ratios},
    {"cpus", "W-CPU", meaning::machine, "times do not travel between machines", read_ratios},
    {"build_type", "W-BUILD", meaning::build, "the raw clients were compiled otherwise", same_build},
    {"sanitizers", "W-SANITIZER", meaning::build, "the raw clients were compiled otherwise", same_build},
    {"boot", "W-BOOT", meaning::doubt, "memory is laid out anew at every start", "measure both in one go"},
    {"compiler", "W-COMPILER", meaning::doubt, "the raw clients were compiled otherwise", same_build},
    {"libmongoc", "W-DRIVER", meaning::doubt, "the driver is another one", "say so beside the figures"},
    {"libpq", "W-DRIVER", meaning::doubt, "the driver is another one", "say so beside the figures"},
    {"real_server", "W-SERVER", meaning::doubt, "the server is another one", "say so beside the figures"},
    {"null_servers", "W-SERVER", meaning::doubt, "the null servers answer otherwise", "measure again"},
};

constexpr std::string_view of_one_run[] = {"started", "load", "command", "wirebench"};

kind kind_of(const std::string& key) {
  const auto* known =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const kind& one) { return one.key == key; });
  return known != std::end(kinds)
             ? *known
             : kind{key, "W-CONTEXT", meaning::doubt, "this setting moves figures", same_setting};
}

/// All values of a key: there may be two real servers.
std::string values_of(const context& facts, const std::string& key) {
  std::string all;
  for (const auto& [name, value] : facts) {
    if (name == key) all += (all.empty() ? "" : "; ") + value;
  }
  return all;
}

std::vector<std::string> keys_of(const context& a, const context& b) {
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const auto* facts : {&a, &b}) {
    for (const auto& [key, value] : *facts) {
      if (seen.insert(key).second) keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

context_difference compare_contexts(const context& a, const context& b) {
  const auto boot = value_of(a, "boot");
  const bool one_boot = !boot.empty() && boot == value_of(b, "boot");
  context_difference found;
  for (const auto& key : keys_of(a, b)) {
    const auto of_a = values_of(a, key), of_b = values_of(b, key);
    const bool passed_over =
        std::find(std::begin(of_one_run), std::end(of_one_run), key) != std::end(of_one_run);
    if (of_a == of_b || passed_over) continue;
    if (key == "host" && one_boot) continue;  // two containers of one machine
    const auto what = kind_of(key);
    const bool told = !of_a.empty() && !of_b.empty();  // an older version may not have looked
    found.machine |= told && what.means == meaning::machine;
    found.build |= told && what.means == meaning::build;
    const auto shown = [](const std::string& of) { return of.empty() ? "not told" : of; };
    found.warnings.push_back({.code = what.code,
                              .number = fmt::format("{}: {} -> {}", key, shown(of_a), shown(of_b)),
                              .cause = what.cause,
                              .remedy = what.remedy});
  }
  return found;
}

}  // namespace bench
