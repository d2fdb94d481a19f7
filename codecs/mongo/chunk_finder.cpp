#include "codecs/mongo/chunk_finder.hpp"

#include "codecs/mongo/bson.hpp"
#include "codecs/mongo/op_msg.hpp"

#include <algorithm>
#include <optional>

namespace codecs::mongo {
namespace {

constexpr std::size_t length_bytes = sizeof(std::int32_t);
constexpr std::size_t most_key_bytes = 256;

// Elements with which payload begins; every one has a type, a key and its end, and a length.
constexpr std::size_t data_bytes = 1 + sizeof "data" + length_bytes + 1;
constexpr std::size_t chunk_bytes = 1 + sizeof "0" + length_bytes + data_bytes;
constexpr std::size_t batch_bytes = 1 + sizeof "nextBatch" + length_bytes + chunk_bytes;
constexpr std::size_t cursor_bytes = 1 + sizeof "cursor" + length_bytes + batch_bytes;

/// Bytes of a value whose size does not stand in front of it.
std::optional<std::size_t> fixed_size(std::uint8_t type) {
  switch (type) {
    case BSON_TYPE_DOUBLE:
    case BSON_TYPE_DATE_TIME:
    case BSON_TYPE_TIMESTAMP:
    case BSON_TYPE_INT64:
      return 8;
    case BSON_TYPE_INT32:
      return 4;
    case BSON_TYPE_OID:
      return 12;
    case BSON_TYPE_BOOL:
      return 1;
    case BSON_TYPE_NULL:
      return 0;
    default:
      return std::nullopt;
  }
}

/// What the length in front of a value leaves out; nothing for types that are not looked through.
std::optional<std::size_t> beyond_length(std::uint8_t type) {
  switch (type) {
    case BSON_TYPE_UTF8:
      return length_bytes;
    case BSON_TYPE_BINARY:
      return length_bytes + 1;
    case BSON_TYPE_DOCUMENT:
    case BSON_TYPE_ARRAY:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

chunk_finder::found chunk_finder::next(bytes_view unread) {
  constexpr auto before_body = header_bytes + sizeof(std::uint32_t) + 1 + length_bytes;
  if (where_ == where::header) {
    if (unread.size() < before_body) return {.more = before_body - unread.size()};
    const auto header = peek_header(unread);
    const auto flags = load_le<std::uint32_t>(unread.data() + header_bytes);
    const bool plain = header.op == op_code::msg && flags == 0 && unread[header_bytes + sizeof flags] == 0;
    end_ = static_cast<std::size_t>(header.length);
    at_ = before_body;
    where_ = plain ? where::body : where::nowhere;
  }
  return walk(unread);
}

chunk_finder::found chunk_finder::walk(bytes_view unread) {
  while (where_ != where::nowhere) {
    const auto got = take_element(unread);
    if (got.more != 0 || got.size != 0) return got;
  }
  return {};
}

/// All zeros: there is more to be taken, or nothing.
chunk_finder::found chunk_finder::take_element(bytes_view unread) {
  if (at_ >= end_) return stop();
  if (at_ >= unread.size()) return wait_for(at_ + 1, unread);
  const auto type = unread[at_];
  if (type == 0) {
    leave();
    return {};
  }
  const auto rest = unread.subspan(at_ + 1);
  const auto key_at = rest.first(std::min(most_key_bytes, rest.size()));
  const auto key_end = std::ranges::find(key_at, 0);
  if (key_end == key_at.end())
    return key_at.size() < most_key_bytes ? wait_for(unread.size() + 1, unread) : stop();
  const auto key = as_text({key_at.begin(), key_end});
  const auto value_at = at_ + 1 + key.size() + 1;
  if (const auto size = fixed_size(type)) {
    at_ = value_at + *size;
    return {};
  }
  return take_value(unread, type, key, value_at);
}

/// A value with its length in front: one that is gone into, payload, or one that is passed by.
chunk_finder::found chunk_finder::take_value(bytes_view unread, std::uint8_t type, std::string_view key,
                                             std::size_t value_at) {
  const auto beyond = beyond_length(type);
  if (!beyond) return stop();
  const auto inside = value_at + *beyond;
  const auto head_end = std::max(inside, value_at + length_bytes);
  if (unread.size() < head_end) return wait_for(head_end, unread);
  const std::size_t length = load_le<std::uint32_t>(unread.data() + value_at);
  if (leads_to_payload(type, key)) {
    document_end_ = value_at + length;
    where_ = static_cast<where>(static_cast<int>(where_) + 1);
    at_ = head_end;
    return {};
  }
  at_ = inside + length;
  const bool is_payload = where_ == where::chunk && key == "data" && type == BSON_TYPE_BINARY &&
                          unread[inside - 1] != BSON_SUBTYPE_BINARY_DEPRECATED;
  if (!is_payload) return {};
  if (at_ >= document_end_ || document_end_ >= end_) return stop();
  where_ = where::batch;
  at_ = document_end_;
  return {.more = 0, .at = inside, .size = length};
}

bool chunk_finder::leads_to_payload(std::uint8_t type, std::string_view key) const {
  switch (where_) {
    case where::body:
      return key == "cursor" && type == BSON_TYPE_DOCUMENT;
    case where::cursor:
      return (key == "firstBatch" || key == "nextBatch") && type == BSON_TYPE_ARRAY;
    case where::batch:
      return type == BSON_TYPE_DOCUMENT;
    default:
      return false;
  }
}

/// What is missing up to `end`, or as many bytes from here on as stand before any payload, if that is more.
chunk_finder::found chunk_finder::wait_for(std::size_t end, bytes_view unread) const {
  const std::size_t least = where_ == where::body     ? cursor_bytes
                            : where_ == where::cursor ? batch_bytes
                            : where_ == where::batch  ? chunk_bytes
                                                      : data_bytes;
  return {.more = std::max(end, at_ + least) - unread.size()};
}

void chunk_finder::leave() {
  ++at_;
  where_ = where_ == where::body ? where::nowhere : static_cast<where>(static_cast<int>(where_) - 1);
}

}  // namespace codecs::mongo
