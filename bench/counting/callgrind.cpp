#include "bench/counting/callgrind.hpp"

#include <fmt/format.h>

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace bench::counting {

namespace fs = std::filesystem;

namespace {

using folder = std::shared_ptr<const std::string>;

absl::StatusOr<folder> make_folder() {
  std::error_code ignored;
  auto path = (fs::temp_directory_path(ignored) / "wirebench-callgrind-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr)
    return absl::ErrnoToStatus(errno, fmt::format("cannot make a folder like {}", path));
  const auto remove = [](const std::string* made) {
    std::error_code gone;
    fs::remove_all(*made, gone);
    delete made;
  };
  return folder(new std::string(std::move(path)), remove);
}

}  // namespace

absl::StatusOr<callgrind_run> callgrind_run::start(const std::string& valgrind, const words& command) {
  auto directory = make_folder();
  if (!directory.ok()) return directory.status();
  // One file per process and thread: <pid>-01 is the first thread's. A forked null server leaves files of its own.
  words counted{valgrind, "--tool=callgrind", "--separate-threads=yes",
                fmt::format("--callgrind-out-file={}/%p", **directory)};
  counted.insert(counted.end(), command.begin(), command.end());
  auto run = subprocess::start(counted);
  if (!run.ok()) return run.status();
  return callgrind_run(*std::move(directory), *std::move(run));
}

absl::StatusOr<std::uint64_t> callgrind_run::instructions() {
  const auto path = fmt::format("{}/{}-01", *directory_, run_.pid());
  if (const auto ended = run_.wait(); !ended.ok()) return ended.status();
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto total = callgrind_total_in(text);
  if (!total) return absl::InternalError("callgrind has left no total");
  return *total;
}

std::optional<std::string> find_valgrind() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto program = folder + "/valgrind";
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> callgrind_total_in(std::string_view file) {
  constexpr std::string_view label = "\ntotals: ";
  const auto found = file.rfind(label);
  if (found == std::string_view::npos) return std::nullopt;
  std::uint64_t total = 0;
  const auto [end, error] =
      std::from_chars(file.data() + found + label.size(), file.data() + file.size(), total);
  return error == std::errc{} ? std::optional(total) : std::nullopt;
}

}  // namespace bench::counting
