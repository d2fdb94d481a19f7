#pragma once
// A peer of which nothing is known; tests override what they ask for.

#include "bench/peer.hpp"

namespace bench {

class bare_peer : public peer {
 public:
  std::string name() const override { return "null"; }
  std::string tcp_uri() const override { return {}; }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return std::nullopt; }
  std::optional<traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }
};

}  // namespace bench
