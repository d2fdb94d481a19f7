#include "bench/environment.hpp"

#include "bench/placement.hpp"
#include "bench/schedule.hpp"
#include "bench/system_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace bench {
namespace {

/// The value behind "name<blanks>: " in a text like /proc/cpuinfo, of the first such line.
std::string field_of(const std::string& text, const std::string& name) {
  const auto line = text.find(name);
  if (line == std::string::npos) return {};
  const auto colon = text.find(':', line);
  if (colon == std::string::npos) return {};
  const auto begin = text.find_first_not_of(" \t", colon + 1);
  return begin == std::string::npos ? std::string() : text.substr(begin, text.find('\n', begin) - begin);
}

std::string kernel() {
  utsname names;
  uname(&names);
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

std::string host() {
  utsname names;
  uname(&names);
  return names.nodename;
}

std::string start_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc;
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

/// "always [madvise] never" has its choice in brackets.
std::string chosen(const std::string& choices) {
  const auto open = choices.find('[');
  const auto close = choices.find(']', open);
  return close == std::string::npos ? choices : choices.substr(open + 1, close - open - 1);
}

std::string turbo() {
  const auto boost = read_system_file("/sys/devices/system/cpu/cpufreq/boost");
  if (!boost.empty()) return boost == "1" ? "on" : "off";
  const auto no_turbo = read_system_file("/sys/devices/system/cpu/intel_pstate/no_turbo");
  return no_turbo.empty() ? "" : no_turbo == "0" ? "on" : "off";
}

/// glibc's MALLOC_* variables move thresholds of the heap under every client.
std::string malloc_variables() {
  std::vector<std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("MALLOC_")) found.emplace_back(*variable);
  }
  return fmt::format("{}", fmt::join(found, " "));
}

void read_machine(context& facts) {
  const std::string sys_cpu = "/sys/devices/system/cpu/";
  const auto cpuinfo = read_system_file("/proc/cpuinfo");
  facts.emplace_back("host", host());
  facts.emplace_back("boot", read_system_file("/proc/sys/kernel/random/boot_id"));
  facts.emplace_back("kernel", kernel());
  facts.emplace_back("hypervisor",
                     field_of(cpuinfo, "flags").find("hypervisor") != std::string::npos ? "yes" : "no");
  facts.emplace_back("clocksource",
                     read_system_file("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  facts.emplace_back("cpu", field_of(cpuinfo, "model name"));
  facts.emplace_back("cpus", fmt::format("{}", sysconf(_SC_NPROCESSORS_ONLN)));
  facts.emplace_back("affinity", fmt::format("{}", fmt::join(allowed_cpus(), ",")));
  facts.emplace_back("governor", read_system_file(sys_cpu + "cpu0/cpufreq/scaling_governor"));
  facts.emplace_back("turbo", turbo());
  facts.emplace_back("smt", read_system_file(sys_cpu + "smt/control"));
  facts.emplace_back("aslr", read_system_file("/proc/sys/kernel/randomize_va_space"));
  facts.emplace_back("thp", chosen(read_system_file("/sys/kernel/mm/transparent_hugepage/enabled")));
  facts.emplace_back("lo_mtu", read_system_file("/sys/class/net/lo/mtu"));
  facts.emplace_back("tcp_rmem", read_system_file("/proc/sys/net/ipv4/tcp_rmem"));
  facts.emplace_back("tcp_wmem", read_system_file("/proc/sys/net/ipv4/tcp_wmem"));
  facts.emplace_back("load", read_system_file("/proc/loadavg"));
}

void read_build(context& facts) {
  facts.emplace_back("wirebench", WIREBENCH_VERSION);
  facts.emplace_back("compiler", fmt::format("GCC {}", __VERSION__));
  facts.emplace_back("build_type", WIREBENCH_BUILD_TYPE);
  facts.emplace_back("sanitizers", WIREBENCH_SANITIZERS);
}

double leading_number(const std::string& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

context read_environment(const context& libraries, const std::vector<std::string>& command_line) {
  context facts{{"started", start_stamp()}};
  read_machine(facts);
  read_build(facts);
  facts.insert(facts.end(), libraries.begin(), libraries.end());
  facts.emplace_back("malloc", malloc_variables());
  facts.emplace_back("command", shown_command(command_line));
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::string shown_command(const std::vector<std::string>& command_line) {
  std::vector<std::string> shown;
  for (const auto& argument : command_line) shown.push_back(without_secrets(argument));
  return fmt::format("{}", fmt::join(shown, " "));
}

std::string value_of(const context& facts, const std::string& key) {
  for (const auto& [name, value] : facts) {
    if (name == key) return value;
  }
  return {};
}

std::vector<warning> doubts(const context& facts) {
  std::vector<warning> found;
  const auto build = value_of(facts, "build_type");
  if (build.starts_with("debug")) {
    found.push_back({"W-BUILD", build, "wirebench was built without the optimizer",
                     "configure a build with --buildtype=release", ""});
  }
  const auto sanitizers = value_of(facts, "sanitizers");
  if (!sanitizers.empty() && sanitizers != "none") {
    found.push_back({"W-SANITIZER", sanitizers, "sanitizers slow every client by a factor of their own",
                     "configure a build with -Db_sanitize=none", ""});
  }
  // One busy cpu is ours; more than that competes for the pinned one.
  const double load = leading_number(value_of(facts, "load"));
  const double cpus = leading_number(value_of(facts, "cpus"));
  if (load > 1 + cpus) {
    found.push_back({"W-LOAD", fmt::format("load {:.2f} on {} cpus", load, cpus),
                     "other programs take turns on the measured cpu", "stop them, or measure again later",
                     ""});
  }
  const auto governor = value_of(facts, "governor");
  if (governor == "powersave" || governor == "ondemand" || governor == "conservative") {
    found.push_back({"W-GOVERNOR", governor, "the cpu changes its speed while it is measured",
                     "set the performance governor", ""});
  }
  return found;
}

std::vector<warning> doubts(const clock_record& clock) {
  std::vector<warning> found;
  if (clock.backward_steps != 0) {
    found.push_back({"W-CLOCK", fmt::format("{} backward steps between cpus", clock.backward_steps),
                     fmt::format("the clocksource {} is not one clock for all cpus", clock.source),
                     "boot with another clocksource", ""});
  }
  // A round is at least 1000 steps long (measurement method, part 3).
  if (1'000 * clock.resolution_ns > round_ns) {
    found.push_back({"W-CLOCK", fmt::format("steps of {} ns", clock.resolution_ns),
                     fmt::format("rounds of {} ms are measured to {:.1f} % at best", round_ns / 1'000'000,
                                 100.0 * static_cast<double>(clock.resolution_ns) / round_ns),
                     fmt::format("boot with a finer clocksource than {}", clock.source), ""});
  }
  return found;
}

std::vector<warning> doubts(const context& facts, const clock_record& clock) {
  auto found = doubts(facts);
  for (auto& doubt : doubts(clock)) found.push_back(std::move(doubt));
  return found;
}

std::string without_secrets(const std::string& argument) {
  std::string shown = argument;
  const auto blank = [&shown](std::size_t begin, std::size_t end) {
    shown.replace(begin, end - begin, "***");
  };
  // scheme://user:password@host. A password may hold any character that its owner forgot to escape, so rather
  // blank too much: up to the last '@'.
  if (const auto scheme = shown.find("://"); scheme != std::string::npos) {
    const auto colon = shown.find(':', scheme + 3);
    const auto at = shown.rfind('@');
    if (at != std::string::npos && colon < at) blank(colon + 1, at);
  }
  // ?password=...& of a URI; "password = 'a b'" of a conninfo string, where all that follows goes too
  if (const auto setting = shown.find("password"); setting != std::string::npos) {
    const auto equals = shown.find('=', setting);
    if (equals != std::string::npos) blank(equals + 1, std::min(shown.find('&', equals), shown.size()));
  }
  return shown;
}

}  // namespace bench
