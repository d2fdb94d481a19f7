#include "bench/server_process.hpp"

#include "bench/counting/self_count.hpp"
#include "bench/system_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

std::set<std::string> inodes_of_path(const std::string& path) {
  std::set<std::string> found;
  std::istringstream table(read_system_file("/proc/net/unix"));
  for (std::string line; std::getline(table, line);) {
    // Num RefCount Protocol Flags Type St Inode Path
    std::istringstream fields(line);
    std::array<std::string, 8> field;
    for (auto& one : field) fields >> one;
    if (field[7] == path) found.insert(field[6]);
  }
  return found;
}

/// The number behind a label in a text of /proc/<pid>/status.
std::optional<std::int64_t> number_behind(const std::string& text, std::string_view label) {
  const auto at = text.find(label);
  if (at == std::string::npos) return std::nullopt;
  return std::atoll(text.c_str() + at + label.size());
}

std::set<std::string> inodes_at(const wire::endpoint& at) {
  if (at.is_unix()) return inodes_of_path(at.path);
  auto found = listening_inodes(read_system_file("/proc/net/tcp"), at.port);
  found.merge(listening_inodes(read_system_file("/proc/net/tcp6"), at.port));
  return found;
}

}  // namespace

std::optional<pid_t> parent_of(pid_t process) {
  const auto told = number_behind(read_system_file(fmt::format("/proc/{}/status", process)), "\nPPid:");
  return told ? std::optional(static_cast<pid_t>(*told)) : std::nullopt;
}

std::vector<pid_t> with_descendants(pid_t process) {
  std::vector<pid_t> found{process};
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::error_code gone;
    const auto threads = fmt::format("/proc/{}/task", found[i]);
    for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
      std::istringstream children(read_system_file(thread.path() / "children"));
      for (pid_t child = 0; children >> child;) found.push_back(child);
    }
  }
  return found;
}

bool reset_peak_memory(pid_t process) {
  constexpr auto forget_peak = "5";  // proc(5)
  std::ofstream file(fmt::format("/proc/{}/clear_refs", process));
  return static_cast<bool>(file << forget_peak << std::flush);
}

std::optional<std::int64_t> peak_memory_bytes(const std::vector<pid_t>& processes) {
  std::optional<std::int64_t> own;
  std::int64_t shared = 0;
  for (const auto process : processes) {
    const auto status = read_system_file(fmt::format("/proc/{}/status", process));
    const auto peak = counting::peak_rss_bytes_in(status);
    if (!peak) continue;
    const auto in_shared = number_behind(status, "\nRssShmem:").value_or(0) * 1024;
    own = own.value_or(0) + *peak - in_shared;
    shared = std::max(shared, in_shared);
  }
  return own ? std::optional(*own + shared) : std::nullopt;
}

std::set<std::string> listening_inodes(std::string_view table, std::uint16_t port) {
  std::set<std::string> found;
  const auto wanted = fmt::format(":{:04X}", port);
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
    std::istringstream fields(line);
    std::array<std::string, 10> field;
    for (auto& one : field) fields >> one;
    constexpr auto listening = "0A";
    if (field[1].ends_with(wanted) && field[3] == listening) found.insert(field[9]);
  }
  return found;
}

bool listens_on(pid_t process, const wire::endpoint& at) {
  const auto inodes = inodes_at(at);
  std::error_code hidden;
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), hidden)) {
    const auto target = std::filesystem::read_symlink(entry.path(), hidden).string();  // "socket:[4711]"
    constexpr std::string_view head = "socket:[";
    if (!target.starts_with(head)) continue;
    if (inodes.contains(target.substr(head.size(), target.size() - head.size() - 1))) return true;
  }
  return false;
}

}  // namespace bench
