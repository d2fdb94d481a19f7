#include "bench/warning.hpp"

#include <algorithm>
#include <string_view>

namespace bench {

void drop_given_flags(std::vector<warning>& warnings, const std::vector<std::string>& command_line) {
  const auto given = [&](const std::string& flag) {
    const std::string_view name = std::string_view(flag).substr(0, flag.find(' '));
    return std::any_of(command_line.begin(), command_line.end(), [&](std::string_view argument) {
      return argument.substr(0, argument.find('=')) == name;
    });
  };
  for (auto& doubt : warnings) {
    if (given(doubt.flag)) doubt.flag.clear();
  }
}

}  // namespace bench
