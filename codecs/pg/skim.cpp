#include "codecs/pg/skim.hpp"

#include "codecs/pg/frame.hpp"

#include <algorithm>
#include <optional>

namespace codecs::pg {
namespace {

/// Where the text that begins at `at` has its end behind it; empty when that has not arrived.
std::optional<std::size_t> behind_text(bytes_view unread, std::size_t at) {
  const auto left = unread.subspan(std::min(at, unread.size()));
  const auto nul = std::ranges::find(left, std::uint8_t{0});
  if (nul == left.end()) return std::nullopt;
  return at + static_cast<std::size_t>(nul - left.begin()) + 1;
}

/// Where the format codes begin.
std::optional<std::size_t> formats_at(bytes_view unread) {
  if (unread[0] == request::function_call) return head_bytes + sizeof(std::uint32_t);
  const auto statement = behind_text(unread, head_bytes);
  return statement ? behind_text(unread, *statement) : std::nullopt;
}

}  // namespace

appetite skim(bytes_view unread) {
  if (unread.size() < head_bytes) return appetite::more(head_bytes - unread.size());
  const bool has_values = unread[0] == request::function_call || unread[0] == request::bind;
  const std::size_t end = load_be<std::uint32_t>(unread.data() + 1) + std::size_t{1};
  const auto rest = appetite::more(end - unread.size());
  if (!has_values || end <= appetite::kept_bytes) return rest;

  const auto formats = formats_at(unread);
  if (!formats) return appetite::more(1);
  std::size_t at = *formats;
  const auto there = [&](std::size_t bytes) { return at + bytes <= unread.size(); };
  const auto missing = [&](std::size_t bytes) { return appetite::more(at + bytes - unread.size()); };

  if (!there(2)) return missing(2);
  at += 2 + 2 * std::size_t{load_be<std::uint16_t>(unread.data() + at)};
  if (!there(2)) return missing(2);
  auto values = load_be<std::uint16_t>(unread.data() + at);
  at += 2;
  for (; values > 0; --values) {
    if (!there(4)) return missing(4);
    const auto size = load_be<std::int32_t>(unread.data() + at);
    at += 4;
    if (size < 0) continue;  // NULL
    const auto value_end = at + static_cast<std::size_t>(size);
    if (value_end > end) break;  // for the decoder to name
    if (static_cast<std::size_t>(size) > appetite::kept_bytes && unread.size() < value_end)
      return appetite::without(value_end - unread.size());
    at = value_end;
  }
  return rest;
}

}  // namespace codecs::pg
