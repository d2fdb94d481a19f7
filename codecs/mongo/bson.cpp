#include "codecs/mongo/bson.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace codecs::mongo {
namespace {

// What validate() has to walk into: embedded() and the scope of a code element.
bytes_view nested_in(const bson_iter_t& at) {
  if (bson_iter_type_unsafe(&at) != BSON_TYPE_CODEWSCOPE) return embedded(at);
  std::uint32_t code_size = 0;
  std::uint32_t size = 0;
  const std::uint8_t* scope = nullptr;
  bson_iter_codewscope(&at, &code_size, &size, &scope);
  return {scope, size};
}

}  // namespace

bytes_view read_document(reader& in) {
  const auto available = in.left();
  reader ahead = in;
  const auto length = ahead.le<std::int32_t>("document length");
  if (length < static_cast<std::int32_t>(min_document_bytes) ||
      static_cast<std::uint32_t>(length) > available) {
    in.fail(errc::remote_bad_length, "document length");
    return {};
  }
  const auto document = in.bytes(static_cast<std::size_t>(length), "document");
  if (document.back() != 0) {
    in.fail(errc::remote_bad_value, "document end");
    return {};
  }
  return document;
}

fault check_document(bytes_view document) {
  reader in(document);
  read_document(in);
  return in.finish("document length");
}

fault validate(bytes_view document) {
  if (const fault bad = check_document(document)) return bad;
  struct level {  // bson_iter_t is aligned beyond its size, which arrays cannot hold
    bson_iter_t at;
  };
  std::array<level, max_depth + 1> levels;
  levels[0].at = elements(document);
  for (std::size_t depth = 0;;) {
    auto& at = levels[depth].at;
    if (at_end(at)) {
      if (depth == 0) return {};
      --depth;
      continue;
    }
    if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
    const bytes_view nested = nested_in(at);
    if (nested.data() == nullptr) continue;
    if (depth == max_depth) return {errc::remote_too_deep, "document"};
    if (const fault bad = check_document(nested)) return bad;
    levels[++depth].at = elements(nested);
  }
}

fault validate_embedded(const bson_iter_t& at) {
  const bytes_view nested = nested_in(at);
  return nested.data() != nullptr ? validate(nested) : fault{};
}

std::optional<bson_iter_t> lookup(bytes_view document, const char* key) {
  bson_iter_t at = elements(document);
  if (!bson_iter_find(&at, key)) return std::nullopt;
  return at;
}

std::optional<std::int64_t> integer(const bson_iter_t& at) {
  switch (bson_iter_type_unsafe(&at)) {
    case BSON_TYPE_INT32:
      return bson_iter_int32_unsafe(&at);
    case BSON_TYPE_INT64:
      return bson_iter_int64_unsafe(&at);
    case BSON_TYPE_DOUBLE: {
      // Both bounds are exact doubles; NaN fails the first comparison.
      const double value = bson_iter_double_unsafe(&at);
      if (!(value >= -0x1p63 && value < 0x1p63)) return std::nullopt;
      const auto whole = static_cast<std::int64_t>(value);
      if (static_cast<double>(whole) != value) return std::nullopt;
      return whole;
    }
    default:
      return std::nullopt;
  }
}

std::string_view text(const bson_iter_t& at) {
  if (bson_iter_type_unsafe(&at) != BSON_TYPE_UTF8) return {};
  std::uint32_t size = 0;
  const char* begin = bson_iter_utf8(&at, &size);
  return {begin, size};
}

bytes_view raw_value(const bson_iter_t& at) {
  const auto begin = at.off + 1 + bson_iter_key_len(&at) + 1;
  return {at.raw + begin, at.next_off - begin};
}

bytes_view embedded(const bson_iter_t& at) {
  std::uint32_t size = 0;
  const std::uint8_t* data = nullptr;
  switch (bson_iter_type_unsafe(&at)) {
    case BSON_TYPE_DOCUMENT:
      bson_iter_document(&at, &size, &data);
      break;
    case BSON_TYPE_ARRAY:
      bson_iter_array(&at, &size, &data);
      break;
    default:
      break;
  }
  return {data, size};
}

std::int64_t count_elements(bytes_view array) {
  std::int64_t count = 0;
  if (array.empty()) return count;
  for (bson_iter_t at = elements(array); bson_iter_next(&at);) ++count;
  return count;
}

void append_value(bson_t* to, std::string_view key, const id_value& value) {
  // As the only element of a document of its own, whose elements libbson appends as they are.
  const auto size = min_document_bytes + 1 + key.size() + 1 + value.bytes.size();
  std::array<std::uint8_t, 128> usual;
  std::vector<std::uint8_t> long_one(size > usual.size() ? size : 0);
  auto* const raw = long_one.empty() ? usual.data() : long_one.data();
  auto* at = raw + sizeof(std::int32_t);
  store_le(raw, static_cast<std::int32_t>(size));
  *at++ = static_cast<std::uint8_t>(value.type);
  at = std::copy(key.begin(), key.end(), at);
  *at++ = 0;
  *std::ranges::copy(value.bytes, at).out = 0;
  bson_t only;
  [[maybe_unused]] const bool whole = bson_init_static(&only, raw, size);
  assert(whole);
  bson_concat(to, &only);
}

void append_document(bson_t* to, std::string_view key, bytes_view document) {
  bson_t view;
  [[maybe_unused]] const bool whole = bson_init_static(&view, document.data(), document.size());
  assert(whole);
  bson_append_document(to, key.data(), static_cast<int>(key.size()), &view);
}

void append_array(bson_t* to, std::string_view key, bytes_view array) {
  bson_t view;
  [[maybe_unused]] const bool whole = bson_init_static(&view, array.data(), array.size());
  assert(whole);
  bson_append_array(to, key.data(), static_cast<int>(key.size()), &view);
}

std::string_view first_key(bytes_view document) {
  bson_iter_t at = elements(document);
  return bson_iter_next(&at) ? key_of(at) : std::string_view{};
}

}  // namespace codecs::mongo
