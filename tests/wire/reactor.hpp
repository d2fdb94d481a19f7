#pragma once
// Tests of what waits in a reactor: io_uring may be forbidden.

#include "wire/loop.hpp"

#include <gtest/gtest.h>

#define SKIP_WITHOUT_REACTOR()                  \
  if (const auto refused = wire::loop::probe()) \
  GTEST_SKIP() << wire::loop::reactor_name() << " is not permitted here: " << refused.message()
