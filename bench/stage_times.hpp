#pragma once
// The stages of an op as the raw client went through them.

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

enum class stage { encode, send, wait, recv, decode };

inline constexpr std::array all_stages{stage::encode, stage::send, stage::wait, stage::recv, stage::decode};

constexpr const char* name(stage which) {
  constexpr std::array names{"encode", "send", "wait", "recv", "decode"};
  return names[static_cast<std::size_t>(which)];
}

/// Times per op, in ns, in the order of all_stages.
using stage_figures = std::array<double, all_stages.size()>;

/// Totals over ops. Every interval holds one reading of the clock that is not the client's.
struct stage_times {
  std::array<std::int64_t, all_stages.size()> ns{};
  std::array<std::uint64_t, all_stages.size()> intervals{};
  std::int64_t window_ns = 0;  ///< from entry into an op's last write to the first byte of the answer
  std::uint64_t windows = 0;

  std::int64_t& operator[](stage which) { return ns[static_cast<std::size_t>(which)]; }
  std::uint64_t intervals_of(stage which) const { return intervals[static_cast<std::size_t>(which)]; }

  stage_times operator-(const stage_times& earlier) const {
    stage_times since = *this;
    for (std::size_t i = 0; i < ns.size(); ++i) {
      since.ns[i] -= earlier.ns[i];
      since.intervals[i] -= earlier.intervals[i];
    }
    since.window_ns -= earlier.window_ns;
    since.windows -= earlier.windows;
    return since;
  }
};

}  // namespace bench
