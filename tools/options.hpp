#pragma once
// Option types that several subcommands share.

#include <CLI/App.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace tools {

/// The share that "1%" or "0.01" is, above 0 and below 1; empty for anything else.
std::optional<double> share_of(std::string_view text);

/// Takes "1%" and "0.01" alike, above 0 and below 1, into `share`.
CLI::Option* add_share(CLI::App& command, const std::string& flags, double& share, const std::string& help);

/// A duration of at least `lowest` seconds and at most a day.
CLI::Option* add_seconds(CLI::App& command, const std::string& flags, double& seconds, double lowest,
                         const std::string& help);

/// A duration with its unit ("200us", "1.5ms", "2s"), from 0 to `most`.
CLI::Option* add_duration(CLI::App& command, const std::string& flags, std::chrono::nanoseconds& duration,
                          std::chrono::nanoseconds most, const std::string& help);

/// --profile: a name of fixtures::mongo_profile.
CLI::Option* add_profile(CLI::App& command, std::string& profile);

/// Refuses --profile where it was given and would change nothing, because no null server of MongoDB is there.
absl::Status check_profile(const CLI::App& command, bool mongo);

/// Durations with their units, separated by commas, sorted, each at least 1 us and at most `most`.
CLI::Option* add_durations(CLI::App& command, const std::string& flags,
                           std::vector<std::chrono::nanoseconds>& durations, std::chrono::nanoseconds most,
                           const std::string& help);

/// A size in bytes, with K, M or G for 2^10, 2^20 and 2^30: at least 1. Empty for anything else.
std::optional<std::int64_t> size_of(std::string_view text);
CLI::Option* add_size(CLI::App& command, const std::string& flags, std::int64_t& bytes,
                      const std::string& help);

/// Sizes separated by commas, sorted, each once.
CLI::Option* add_sizes(CLI::App& command, const std::string& flags, std::vector<std::int64_t>& bytes,
                       const std::string& help);

/// --cpu: the cpu for both sides, of those that this process may use.
CLI::Option* add_cpu(CLI::App& command, int& cpu);

/// --seed: what it is the seed of, in `help`.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help);

/// --timeout: seconds until a silent peer is given up, at least 0.01.
CLI::Option* add_timeout(CLI::App& command, double& timeout_s);

}  // namespace tools
