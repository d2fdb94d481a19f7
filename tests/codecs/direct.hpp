#pragma once
// What a channel that receives directly does with a frame, read by read, without a socket.

#include "codecs/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tests {

struct received_frame {
  std::vector<std::uint8_t> bytes;  ///< as it stands in the receive buffer: 0xee where payload was
  std::size_t landed = 0;
  std::size_t reads = 0;
};

/// `frame` arrives in pieces of at most `step` bytes, the first `ahead` bytes of it before anybody was asked.
inline received_frame receive_directly(codecs::exchange& op, codecs::bytes_view frame, std::size_t step,
                                       std::size_t ahead = 0) {
  received_frame got;
  got.bytes.reserve(frame.size());
  got.bytes.assign(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(ahead));
  while (got.bytes.size() < frame.size()) {
    const auto wanted = op.land(got.bytes);
    auto rest = frame.subspan(got.bytes.size());
    rest = rest.first(std::min(rest.size(), step));
    const auto placed = std::min(wanted.place.size(), rest.size());
    if (placed > 0) std::memcpy(wanted.place.data(), rest.data(), placed);
    got.bytes.insert(got.bytes.end(), placed, 0xee);
    const auto kept = rest.subspan(placed).first(std::min(rest.size() - placed, wanted.keep));
    got.bytes.insert(got.bytes.end(), kept.begin(), kept.end());
    got.landed += placed;
    ++got.reads;
    if (placed + kept.size() == 0) {
      ADD_FAILURE() << "nothing is wanted of " << rest.size() << " bytes";
      return got;
    }
  }
  return got;
}

}  // namespace tests
