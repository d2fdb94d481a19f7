#include "tools/replication.hpp"

#include "bench/counting/subprocess.hpp"
#include "bench/replication.hpp"

#include "fixtures/temp_dir.hpp"

#include "tools/exit_code.hpp"
#include "tools/result_file.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <random>

namespace tools {
namespace {

using bench::counting::subprocess;
using bench::counting::words;

/// Sizes of environments: two processes seldom have their stacks at the same place of a page.
constexpr int most_padding_bytes = 4096;

words command_of(const replication_options& how, std::uint64_t process, const std::string& output) {
  std::error_code ignored;
  words command{std::filesystem::read_symlink("/proc/self/exe", ignored).string(), "ladder"};
  command.insert(command.end(), how.arguments.begin(), how.arguments.end());
  const words own{"--seed",   fmt::format("{}", how.seed + process),
                  "--budget", fmt::format("{}", how.budget_s / static_cast<double>(how.processes)),
                  "--output", output,
                  "--quiet"};
  command.insert(command.end(), own.begin(), own.end());
  return command;
}

/// The process's own complaint with its own meaning: "wirebench: the budget ...", exit code 2.
absl::Status failure_of(const bench::counting::ended& how, std::uint64_t process) {
  auto line = bench::counting::last_line(how.output);
  constexpr std::string_view name = "wirebench: ";
  if (line.starts_with(name)) line.erase(0, name.size());
  const auto message = fmt::format("process {}: {}", process + 1, line);
  switch (WIFEXITED(how.status) ? WEXITSTATUS(how.status) : failure) {
    case usage:
      return absl::InvalidArgumentError(message);
    case undecodable:
      return absl::DataLossError(message);
    default:
      return absl::UnavailableError(message);
  }
}

class replication {
 public:
  explicit replication(const replication_options& how) : how_(how), random_(how.seed) {}

  replicated run() {
    auto folder = fixtures::temp_dir::make();
    if (!folder.ok()) return {folder.status(), {}};
    std::string paddings;
    for (std::uint64_t process = 0; process < how_.processes && !*how_.stop && done_.status.ok(); ++process) {
      const int padding = std::uniform_int_distribution<int>(0, most_padding_bytes)(random_);
      paddings += fmt::format("{}{}", paddings.empty() ? "" : ", ", padding);
      done_.status = run_one(process, padding, folder->path() + "/result.json");
    }
    done_.result.context.emplace_back("environment_padding_bytes", paddings);
    return std::move(done_);
  }

 private:
  absl::Status run_one(std::uint64_t process, int padding, const std::string& output) {
    auto started =
        subprocess::start(command_of(how_, process, output),
                          {"WIREBENCH_PADDING=" + std::string(static_cast<std::size_t>(padding), 'x')});
    if (!started.ok()) return started.status();
    bool told = false;
    const auto began = std::chrono::steady_clock::now();
    const auto ended = started->end([&] {
      const double spent_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      const double share = std::min(spent_s / how_.expected_s, 1.0);
      how_.on_progress((static_cast<double>(process) + share) / static_cast<double>(how_.processes),
                       fmt::format("process {} of {}", process + 1, how_.processes));
      if (!*how_.stop || told) return;
      told = true;  // a second signal would end it before it has saved
      ::kill(started->pid(), SIGINT);
    });
    const bool whole = ended.status == 0;
    if (!whole && !*how_.stop) return failure_of(ended, process);
    if (!whole && process > 0) return absl::OkStatus();
    auto measured = load(output);
    if (!measured.ok()) return *how_.stop ? absl::OkStatus() : measured.status();
    if (process == 0) {
      done_.result = *std::move(measured);
      return absl::OkStatus();
    }
    if (const auto status = bench::append_process(done_.result, *measured); !status.ok()) {
      done_.result.warnings.push_back(
          {"W-GROUPS", fmt::format("process {} of {}", process + 1, how_.processes),
           std::string(status.message()) + ", and is left out", "measure again on a quiet machine", "", ""});
    }
    return absl::OkStatus();
  }

  const replication_options& how_;
  std::mt19937_64 random_;
  replicated done_;
};

}  // namespace

replicated run_replicated(const replication_options& how) {
  return replication(how).run();
}

}  // namespace tools
