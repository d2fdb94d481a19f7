#include "codecs/mongo/skim.hpp"

#include "codecs/mongo/bson.hpp"
#include "codecs/mongo/op_msg.hpp"

namespace codecs::mongo {
namespace {

constexpr std::size_t length_bytes = sizeof(std::int32_t);
constexpr std::size_t section_head_bytes = 1 + length_bytes;  // kind and size, or kind and the body's length
constexpr std::string_view identifier = "documents";

std::size_t length_at(bytes_view unread, std::size_t at) {
  return load_le<std::uint32_t>(unread.data() + at);
}

/// Asks for what is missing up to `end`.
appetite more_to(std::size_t end, bytes_view unread) {
  return appetite::more(end - unread.size());
}

/// The first payload among the documents from `at` to `end` that has not arrived, else all that is missing up to there.
/// A length that cannot be is kept for the decoder to name.
appetite skim_documents(bytes_view unread, std::size_t at, std::size_t end) {
  while (at < end) {
    if (unread.size() < at + length_bytes) return more_to(at + length_bytes, unread);
    const auto length = length_at(unread, at);
    if (length < min_document_bytes || length > end - at) break;
    const auto terminator = at + length - 1;
    if (unread.size() >= terminator) {
      at += length;
      continue;
    }
    if (is_payload(identifier, length)) return appetite::without(terminator - unread.size());
    break;
  }
  return more_to(end, unread);
}

}  // namespace

appetite skim(bytes_view unread) {
  constexpr std::size_t head_bytes = header_bytes + sizeof(std::uint32_t);
  if (unread.size() < head_bytes) return more_to(head_bytes, unread);
  const auto header = peek_header(unread);
  const auto flags = load_le<std::uint32_t>(unread.data() + header_bytes);
  const auto end = static_cast<std::size_t>(header.length);
  if (header.op != op_code::msg || end <= appetite::kept_bytes || (flags & flag::checksum_present))
    return more_to(end, unread);

  for (std::size_t at = head_bytes; at < end;) {
    if (unread.size() < at + section_head_bytes) return more_to(at + section_head_bytes, unread);
    const bool is_sequence = unread[at] == 1;
    const auto size = length_at(unread, at + 1);
    if (size < min_document_bytes || size > end - at - 1) break;  // for the decoder to name
    const auto section_end = at + 1 + size;
    const auto name = at + section_head_bytes;
    const auto first = name + identifier.size() + 1;
    at = section_end;
    if (!is_sequence || first > section_end) continue;
    if (unread.size() < first) return more_to(first, unread);
    if (as_text(unread.subspan(name, first - name)) != std::string_view(identifier.data(), first - name))
      continue;
    if (unread.size() < section_end) return skim_documents(unread, first, section_end);
  }
  return more_to(end, unread);
}

}  // namespace codecs::mongo
