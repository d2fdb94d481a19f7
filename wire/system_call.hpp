#pragma once
// What a system call that moves bytes has answered.

#include "wire/transport.hpp"

#include <sys/types.h>

#include <cerrno>

namespace wire {

inline io_result outcome(ssize_t moved) {
  return moved >= 0 ? io_result{static_cast<std::size_t>(moved), 0} : io_result{0, errno};
}

/// Calls again what a signal has interrupted.
template <typename Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace wire
