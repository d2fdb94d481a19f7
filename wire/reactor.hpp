#pragma once
// What loop.cpp and async_channel.cpp share of Asio. Included by these two alone.

#include "wire/loop.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>

namespace wire {

struct loop::reactor {
  // Memory of operations that were given up: Asio holds them until the context goes.
  std::vector<std::shared_ptr<void>> given_up;

  // One thread and no locks: a loop is not shared.
  boost::asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};

  // As many as there ever were sleepers at a time.
  std::deque<boost::asio::steady_timer> timers;
  std::vector<boost::asio::steady_timer*> idle_timers;
  boost::asio::steady_timer& take_timer();
};

}  // namespace wire
