#pragma once
// Questions to programs that nobody here wrote, and their answers.

#include "fixtures/datasets.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tests {

/// Runs a script of this folder with the Python of an environment that holds `packages`, named after the first; it reads
/// `question` from a file. Null when it failed, which fails the test.
nlohmann::json ask(const std::string& script, const std::vector<std::string>& packages,
                   const nlohmann::json& question);

/// `count` values around 1000 from a lognormal-like, right-skewed shape, as round times have it. `steps` rounds them to that
/// many values per hundred, so that some are equal; 0 leaves them as they are.
inline std::vector<double> skewed(fixtures::random_source& random, std::size_t count, double shift,
                                  double steps) {
  const auto uniform = [&random] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = shift + 1000 * std::exp(0.2 * (uniform() + uniform() + uniform() - 1.5));
    values.push_back(steps > 0 ? std::round(value * steps / 100) * 100 / steps : value);
  }
  return values;
}

}  // namespace tests
