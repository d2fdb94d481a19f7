#include "tools/result_file.hpp"

#include "bench/report_json.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace tools {
namespace {

namespace fs = std::filesystem;

fs::path state_directory() {
  const auto from = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  const auto state = from("XDG_STATE_HOME");
  return (state.is_absolute() ? state : from("HOME") / ".local" / "state") / "wirebench";
}

/// The pid keeps two runs of one second apart.
std::string file_name(const std::string& kind) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
  return fmt::format("{}-{}-{}.json", kind, stamp, ::getpid());
}

}  // namespace

absl::StatusOr<std::string> save(const bench::result& measured, const std::string& kind,
                                 const std::string& path) {
  const fs::path target = path.empty() ? state_directory() / file_name(kind) : fs::path(path);
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  const fs::path partial = target.string() + ".partial";
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  file << bench::report_json(measured);
  file.close();
  if (!error && file) fs::rename(partial, target, error);
  if (error || !file) {
    return absl::UnavailableError(
        fmt::format("cannot write the result to '{}'; choose another place with -o", target.string()));
  }
  return target.string();
}

}  // namespace tools
