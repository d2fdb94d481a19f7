#pragma once
// For system calls that have no flag for it: as long as this lives, the whole socket is one that does not wait. Two fcntl(2).

#include "wire/strategy/pipeline_end.hpp"

#include <fcntl.h>

namespace wire {

class no_waiting {
 public:
  no_waiting(int socket, end_counters& cost) : socket_(socket) {
    ::fcntl(socket_, F_SETFL, O_RDWR | O_NONBLOCK);
    cost.syscalls += 2;
  }
  ~no_waiting() { ::fcntl(socket_, F_SETFL, O_RDWR); }
  no_waiting(const no_waiting&) = delete;
  no_waiting& operator=(const no_waiting&) = delete;

 private:
  int socket_;
};

}  // namespace wire
