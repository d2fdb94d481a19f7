#pragma once
// malloc_probe as the program that it is loaded into finds it.

#include "bench/counting/malloc_probe.hpp"

#include <dlfcn.h>

namespace bench::counting {

class heap_probe {
 public:
  bool loaded() const { return begin_ != nullptr && end_ != nullptr; }
  void begin() const { begin_(); }
  heap_counts end() const { return end_(); }

 private:
  heap_begin_function begin_ = reinterpret_cast<heap_begin_function>(::dlsym(RTLD_DEFAULT, heap_begin_name));
  heap_end_function end_ = reinterpret_cast<heap_end_function>(::dlsym(RTLD_DEFAULT, heap_end_name));
};

}  // namespace bench::counting
