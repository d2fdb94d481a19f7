#pragma once
// How a download's bytes are received, by strategies that are chosen by name.
//
//   const auto* how = wire::find_receiving("mirrored");       // null: there is none
//   auto problem = wire::receive_by(channel, *how);           // for this and all later downloads of the channel
//   auto file = how->make_file();                             // or another sink, unless how->needs_file
//   file->open(path); ... wire::transfer(channel, framing, *file);

#include "wire/channel.hpp"
#include "wire/strategy/file_sink.hpp"

#include <span>
#include <string>
#include <string_view>

namespace wire {

/// One strategy by its name.
struct receiving {
  std::string_view name;
  std::string_view summary;  ///< for help texts: one clause
  bool directly;    ///< payload is read apart from the heads around it, where the sink has a place for it
  bool mirrored;    ///< the receive buffer is mapped twice
  bool needs_file;  ///< it serves the sink that it makes, and no other
  std::unique_ptr<file_sink> (*make_file)();
};

/// All of them.
std::span<const receiving> receive_strategies();

/// Null: no strategy has this name.
const receiving* find_receiving(std::string_view name);

/// From here on `over`, on which no op is under way, receives by this strategy; it holds at most so many bytes of what has arrived. A
/// problem is a sentence; empty: there is none.
std::string receive_by(channel& over, const receiving& strategy, std::size_t most_unread = 49'000'000);

}  // namespace wire
