#pragma once
// What is skipped of a message that arrives, and messages put together for that.

#include "codecs/appetite.hpp"

#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace tests {

/// Runs of bytes: where each begins, and its size.
using runs = std::vector<std::pair<std::size_t, std::size_t>>;

/// What `skim` has skipped of a message when every wish is granted to the letter.
inline runs skipped(codecs::appetite (*skim)(codecs::bytes_view), const bytes& whole) {
  runs found;
  std::size_t at = 0;
  while (at < whole.size()) {
    const auto wants = skim(codecs::bytes_view(whole).first(at));
    EXPECT_TRUE((wants.keep == 0) != (wants.skip == 0)) << at;
    if (wants.skip != 0) found.emplace_back(at, wants.skip);
    const auto granted = std::min(wants.keep + wants.skip, whole.size() - at);
    if (granted == 0) break;
    at += granted;
  }
  return found;
}

inline void add(bytes& to, const bytes& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace tests
