#pragma once
// A clock that only the test moves: exact times without waiting for them.

#include <cstdint>

namespace bench {

inline std::int64_t fake_ns = 0;

inline std::int64_t fake_clock() {
  return fake_ns;
}

}  // namespace bench
