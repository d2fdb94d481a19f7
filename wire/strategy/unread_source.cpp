#include "wire/strategy/unread_source.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace wire {

codecs::bytes_view unread_source::borrow(std::int64_t offset, std::size_t size) {
  const auto file_bytes = static_cast<std::size_t>(this->size());
  if (addresses_.size() == 0 && !addresses_.reserve(file_bytes, counters_))
    return fail(fmt::format("no room for addresses: {}", std::strerror(errno)));
  return addresses_.at(offset, size);
}

}  // namespace wire
