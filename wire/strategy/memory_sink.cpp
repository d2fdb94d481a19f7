#include "wire/strategy/memory_sink.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wire {

codecs::bytes_span memory_sink::place(std::size_t size) {
  return size <= room().size() ? room().first(size) : codecs::bytes_span();
}

bool memory_sink::put(codecs::bytes_view bytes) {
  if (bytes.size() > room().size())
    return fail(fmt::format("there is room for {} bytes, and more came", into_.size()));
  if (bytes.data() == room().data()) return done(bytes);  // received there
  std::ranges::copy(bytes, room().begin());
  counters_.copied_bytes += bytes.size();
  return done(bytes);
}

}  // namespace wire
