#pragma once
// Heap allocations of an op and its reply, once buffers have grown to their size.

#include "codecs/exchange.hpp"

#include "wire/strategy/gather.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/hex.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace tests {

/// `set` tells `op` what to do before each start; `reply` is given the id of each request.
template <typename Set>
std::uint64_t op_allocations(codecs::exchange& op, bytes reply, Set set) {
  wire::gather_buffer out;
  return allocations_once_warm([&] {
    out.clear();
    set();
    op.start(out);
    std::memcpy(reply.data() + 8, out.segments()[0].data() + 4, 4);  // responseTo
    EXPECT_EQ(op.on_frame(reply, out), codecs::progress::done) << op.why().sentence();
  });
}

}  // namespace tests
