#include "bench/server_process.hpp"

#include "bench/system_file.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
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

std::set<std::string> inodes_at(const wire::endpoint& at) {
  if (at.is_unix()) return inodes_of_path(at.path);
  auto found = listening_inodes(read_system_file("/proc/net/tcp"), at.port);
  found.merge(listening_inodes(read_system_file("/proc/net/tcp6"), at.port));
  return found;
}

}  // namespace

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
