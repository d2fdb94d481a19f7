// In the place of uring_source.cpp where liburing was not there when this was built.

#include "wire/strategy/sources.hpp"

namespace wire {

std::string uring_refusal() {
  return "this program was built without liburing";
}

std::unique_ptr<source> make_uring_source(payload, const source_options&) {
  return nullptr;
}

}  // namespace wire
