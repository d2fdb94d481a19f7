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

bool write_to(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return !file.fail();
}

/// The file that was there before stays until the new one is whole.
bool replace(const fs::path& path, const std::string& text) {
  const fs::path partial = path.string() + ".partial";
  std::error_code error;
  const bool whole = write_to(partial, text);
  if (whole) fs::rename(partial, path, error);
  const bool replaced = whole && !error;
  if (!replaced) ::unlink(partial.c_str());
  return replaced;
}

bool is_file_or_missing(const fs::path& path) {
  std::error_code ignored;
  const auto there = fs::symlink_status(path, ignored);  // a link is not followed: a rename would replace it
  return there.type() == fs::file_type::regular || there.type() == fs::file_type::not_found;
}

}  // namespace

absl::StatusOr<std::string> save(const bench::result& measured, const std::string& kind,
                                 const std::string& path) {
  const fs::path target = path.empty() ? state_directory() / file_name(kind) : fs::path(path);
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  const auto text = bench::report_json(measured);
  if (error || !(is_file_or_missing(target) ? replace(target, text) : write_to(target, text))) {
    return absl::UnavailableError(
        fmt::format("cannot write the result to '{}'; choose another place with -o", target.string()));
  }
  return target.string();
}

}  // namespace tools
