#pragma once
// A client's way to a peer that is known by its URI.

#include "wire/connect.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace tests {

/// Longer than any answer takes on a busy machine under a sanitizer; a test that hangs ends so.
inline constexpr std::chrono::seconds patience{60};

/// An exception fails the running test and spares its lines a check.
inline wire::endpoint endpoint_of(const std::string& uri) {
  auto parsed = wire::parse_endpoint(uri);
  if (!parsed.value) throw std::runtime_error(parsed.problem);
  return *std::move(parsed.value);
}

inline std::unique_ptr<wire::transport> connect(const std::string& uri) {
  auto connected = wire::connect(endpoint_of(uri), patience);
  if (!connected.transport) throw std::runtime_error("cannot connect: " + connected.error.message());
  return std::move(connected.transport);
}

}  // namespace tests
