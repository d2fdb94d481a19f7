#include "wire/strategy/memory_sink.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wire {

bool memory_sink::put(codecs::bytes_view bytes) {
  const auto room = into_.subspan(static_cast<std::size_t>(counters_.payload_bytes));
  if (bytes.size() > room.size())
    return fail(fmt::format("there is room for {} bytes, and more came", into_.size()));
  std::ranges::copy(bytes, room.begin());
  counters_.copied_bytes += bytes.size();
  return done(bytes);
}

}  // namespace wire
