#include "tools/result_file.hpp"

#include "bench/report_json.hpp"
#include "bench/result_reader.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

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

/// The whole file; of one that is larger than any result, more than a result may have.
absl::StatusOr<std::string> text_of(const std::string& path) {
  const auto refused = [&path] {
    return absl::InvalidArgumentError(
        fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return refused();
  std::string text;
  char block[1 << 16];
  std::size_t got = sizeof block;
  while (got == sizeof block && text.size() <= bench::largest_result_bytes) {
    got = std::fread(block, 1, sizeof block, file.get());
    text.append(block, got);
  }
  if (std::ferror(file.get()) != 0) return refused();  // a folder opens, and cannot be read
  return text;
}

}  // namespace

absl::Status write_file(const std::string& path, const std::string& text) {
  const fs::path target = path;
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (error || !(is_file_or_missing(target) ? replace(target, text) : write_to(target, text))) {
    return absl::UnavailableError(
        fmt::format("cannot write the result to '{}'; choose another place with -o", path));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> save(const bench::result& measured, const std::string& kind,
                                 const std::string& path) {
  const std::string target = path.empty() ? (state_directory() / file_name(kind)).string() : path;
  if (auto status = write_file(target, bench::report_json(measured)); !status.ok()) return status;
  return target;
}

absl::StatusOr<bench::result> load(const std::string& path) {
  const auto text = text_of(path);
  if (!text.ok()) return text.status();
  auto measured = bench::read_result(*text);
  if (!measured.ok())
    return absl::DataLossError(fmt::format("'{}' {}", path, std::string(measured.status().message())));
  return measured;
}

}  // namespace tools
