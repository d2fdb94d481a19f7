#pragma once
// A transport that shows what goes through it: one line per frame, then its bytes.

#include "codecs/trace.hpp"

#include "wire/transport.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tools {

/// How the bytes of one protocol are cut and named.
struct dialect {
  /// Cuts the next frame; `first` for the first frame of that direction (PostgreSQL's has no type byte).
  std::function<codecs::scan_result(codecs::bytes_view unread, codecs::direction towards, bool first)> cut;
  std::function<std::string(codecs::bytes_view frame, codecs::direction towards)> describe;
};

/// Prints to stdout whatever crosses `inner`.
std::unique_ptr<wire::transport> show(std::unique_ptr<wire::transport> inner, dialect speaks);

}  // namespace tools
