#include "wire/strategy/receiving.hpp"

#include "wire/strategy/mirrored.hpp"
#include "wire/strategy/splice_sink.hpp"
#include "wire/strategy/staged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace wire {
namespace {

std::unique_ptr<file_sink> written() {
  return std::make_unique<file_sink>();
}

std::unique_ptr<file_sink> spliced() {
  return std::make_unique<splice_sink>();
}

constexpr receiving strategies[] = {
    {"staged", "frames as a whole into one block, and from there on", false, false, false, written},
    {"direct", "payload into its final place, heads apart", true, false, false, written},
    {"mirrored", "frames as a whole into a ring that never moves them", false, true, false, written},
    {"splice", "moved by the kernel from the socket to the file, never read", true, false, true, spliced},
};

}  // namespace

std::span<const receiving> receive_strategies() {
  return strategies;
}

const receiving* find_receiving(std::string_view name) {
  const auto* const found = std::ranges::find(strategies, name, &receiving::name);
  return found != std::end(strategies) ? found : nullptr;
}

std::string receive_by(channel& over, const receiving& strategy, std::size_t most_unread) {
  std::unique_ptr<codecs::receive_buffer> buffer;
  if (strategy.mirrored) {
    buffer = mirrored_buffer::make(most_unread);
    if (!buffer) return fmt::format("mirrored: no memory can be mapped twice: {}", std::strerror(errno));
  } else {
    buffer = std::make_unique<staged_buffer>(most_unread);
  }
  over.receive_into(std::move(buffer));
  over.receive_directly(strategy.directly);
  return {};
}

}  // namespace wire
