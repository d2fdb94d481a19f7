#include "bench/result_fields.hpp"

#include <algorithm>

namespace bench {

std::vector<std::string> words_of(const round_flags& flags) {
  std::vector<std::string> words;
  for (const auto& [name, flag] : round_flag_names) {
    if (flags.*flag) words.emplace_back(name);
  }
  return words;
}

round_flags flags_of(const std::vector<std::string>& words) {
  round_flags flags;
  for (const auto& [name, flag] : round_flag_names) {
    flags.*flag = std::find(words.begin(), words.end(), name) != words.end();
  }
  return flags;
}

std::string method_of(const comparison& pair) {
  if (pair.by_process) return "sign interval over processes";
  if (pair.by_connection_set) return "sign interval over connection sets";
  return "sign interval over rows";
}

void set_sample(comparison& pair, const std::string& method) {
  pair.by_connection_set = method.ends_with("connection sets");
  pair.by_process = method.ends_with("processes");
}

}  // namespace bench
