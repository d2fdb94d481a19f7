#include "tools/options.hpp"

#include "bench/placement.hpp"

#include "fixtures/mongo_profile.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "absl/time/time.h"

namespace tools {

std::optional<double> share_of(std::string_view text) {
  const bool percent = text.ends_with('%');
  const char* end = text.data() + text.size() - (percent ? 1 : 0);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (percent) value /= 100;
  return error == std::errc{} && rest == end && value > 0 && value < 1 ? std::optional(value) : std::nullopt;
}

CLI::Option* add_share(CLI::App& command, const std::string& flags, double& share, const std::string& help) {
  const auto take = [&share, flags](const std::string& text) {
    const auto value = share_of(text);
    if (!value) {
      throw CLI::ValidationError(
          flags, fmt::format("'{}' is not a share between 0 and 1, such as 1% or 0.01", text));
    }
    share = *value;
  };
  return command.add_option_function<std::string>(flags, take, help);
}

CLI::Option* add_cpu(CLI::App& command, int& cpu) {
  cpu = bench::default_cpu();
  return command.add_option("--cpu", cpu, "run both sides on this cpu")
      ->check([](const std::string& text) {
        for (const int allowed : bench::allowed_cpus()) {
          if (text == std::to_string(allowed)) return std::string();
        }
        return fmt::format("this process may not run on cpu {}; it may use {}", text,
                           fmt::join(bench::allowed_cpus(), ", "));
      })
      ->type_name("N")
      ->default_str("the last one allowed");
}

CLI::Option* add_seconds(CLI::App& command, const std::string& flags, double& seconds, double lowest,
                         const std::string& help) {
  static constexpr double day = 86400;
  const auto check = [lowest](const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && rest == end && value >= lowest && value <= day)
      return std::string();  // not NaN
    return fmt::format("'{}' is not a number of seconds between {} and {}", text, lowest, day);
  };
  return command.add_option(flags, seconds, help)->check(check)->type_name("S")->capture_default_str();
}

namespace {

/// Throws what CLI11 reports.
std::chrono::nanoseconds duration_of(const std::string& text, absl::Duration least,
                                     std::chrono::nanoseconds most, const std::string& flags) {
  absl::Duration parsed;
  if (absl::ParseDuration(text, &parsed) && parsed >= least && parsed <= absl::FromChrono(most))
    return absl::ToChronoNanoseconds(parsed);
  throw CLI::ValidationError(
      flags, fmt::format("'{}' is not a duration between {} and {}, such as 200us or 1.5ms", text,
                         absl::FormatDuration(least), absl::FormatDuration(absl::FromChrono(most))));
}

}  // namespace

CLI::Option* add_duration(CLI::App& command, const std::string& flags, std::chrono::nanoseconds& duration,
                          std::chrono::nanoseconds most, const std::string& help) {
  const auto take = [&duration, flags, most](const std::string& text) {
    duration = duration_of(text, absl::ZeroDuration(), most, flags);
  };
  return command.add_option_function<std::string>(flags, take, help)->type_name("D");
}

CLI::Option* add_profile(CLI::App& command, std::string& profile) {
  return command
      .add_option("--profile", profile,
                  "which kind of server the null server of MongoDB passes itself off as")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(fixtures::mongo_profile_names),
                                                     std::end(fixtures::mongo_profile_names))))
      ->capture_default_str();
}

absl::Status check_profile(const CLI::App& command, bool mongo) {
  if (mongo || command.count("--profile") == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--profile is for the null server of MongoDB, which nobody asks here: leave it out");
}

CLI::Option* add_durations(CLI::App& command, const std::string& flags,
                           std::vector<std::chrono::nanoseconds>& durations, std::chrono::nanoseconds most,
                           const std::string& help) {
  const auto take = [&durations, flags, most](const std::vector<std::string>& texts) {
    durations.clear();
    for (const auto& text : texts) durations.push_back(duration_of(text, absl::Microseconds(1), most, flags));
    std::sort(durations.begin(), durations.end());
    durations.erase(std::unique(durations.begin(), durations.end()), durations.end());
  };
  return command.add_option_function<std::vector<std::string>>(flags, take, help)
      ->delimiter(',')
      ->type_name("D");
}

std::optional<std::int64_t> size_of(std::string_view text) {
  int shift = 0;
  for (const auto& [letter, bits] : {std::pair('K', 10), std::pair('M', 20), std::pair('G', 30)}) {
    if (text.ends_with(letter)) shift = bits;
  }
  const char* end = text.data() + text.size() - (shift > 0 ? 1 : 0);
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < 1) return std::nullopt;
  if (value > (std::numeric_limits<std::int64_t>::max() >> shift)) return std::nullopt;
  return value << shift;
}

namespace {

/// Throws what CLI11 reports.
std::int64_t size_given(const std::string& text, const std::string& flags) {
  if (const auto bytes = size_of(text)) return *bytes;
  throw CLI::ValidationError(
      flags, fmt::format("'{}' is not a size of at least 1 byte, such as 1000, 255K or 1M", text));
}

}  // namespace

CLI::Option* add_size(CLI::App& command, const std::string& flags, std::int64_t& bytes,
                      const std::string& help) {
  const auto take = [&bytes, flags](const std::string& text) { bytes = size_given(text, flags); };
  return command.add_option_function<std::string>(flags, take, help)->type_name("SIZE");
}

CLI::Option* add_sizes(CLI::App& command, const std::string& flags, std::vector<std::int64_t>& bytes,
                       const std::string& help) {
  const auto take = [&bytes, flags](const std::vector<std::string>& texts) {
    bytes.clear();
    for (const auto& text : texts) bytes.push_back(size_given(text, flags));
    std::sort(bytes.begin(), bytes.end());
    bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  };
  return command.add_option_function<std::vector<std::string>>(flags, take, help)
      ->delimiter(',')
      ->type_name("SIZE");
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  return command.add_option("--seed", seed, help)
      ->check(CLI::NonNegativeNumber)  // "-1" would wrap around
      ->type_name("N")
      ->capture_default_str();
}

CLI::Option* add_timeout(CLI::App& command, double& timeout_s) {
  return add_seconds(command, "--timeout", timeout_s, 0.01,
                     "give up a peer that is silent for so many seconds");
}

}  // namespace tools
