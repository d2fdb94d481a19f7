#pragma once
// Documents on the wire are bytes_view; what is inside is libbson's business. Building happens in one reused
// `document` per connection, reading through bson_iter_t over the bytes in place, so that neither allocates.
//
// libbson checks, step by step, that an element lies inside the range that its iterator was given. It checks
// neither that a document's length field agrees with that range nor that its last byte is NUL, and 1.23.1 has
// no limit of nesting: those three are checked here.

#include "codecs/bytes.hpp"
#include "codecs/errc.hpp"
#include "codecs/reader.hpp"

#include <bson/bson.h>

#include <optional>

namespace codecs::mongo {

/// Embedded documents and arrays below the outermost document that validate() accepts. MongoDB documents 100
/// levels as the limit of stored documents; the double leaves room for commands and replies around them (case
/// C11).
inline constexpr std::size_t max_depth = 200;

/// The bytes of an empty document, the smallest there is.
inline constexpr std::size_t min_document_bytes = 5;

/// An owned document, built with the bson_append_* functions through get().
class document {
 public:
  document() { bson_init(&bson_); }
  ~document() { bson_destroy(&bson_); }
  document(const document&) = delete;
  document& operator=(const document&) = delete;

  /// Empties the document and keeps its memory.
  void clear() { bson_reinit(&bson_); }

  bson_t* get() { return &bson_; }

  /// Valid until the document is changed or destroyed.
  bytes_view view() const { return {bson_get_data(&bson_), bson_.len}; }

 private:
  bson_t bson_;
};

/// Reads one document: its length field is at least 5 and ends inside `in` ("document length") and on a NUL
/// ("document end"). Its elements are not looked at. Empty after a failure.
bytes_view read_document(reader& in);

/// The same checks for bytes that should be one document exactly.
fault check_document(bytes_view document);

/// Walks a whole document iteratively, with 26 KB of stack at any nesting: every element well-formed
/// ("element"), embedded documents and scopes of code too, none deeper than max_depth (remote_too_deep). Text
/// may be any bytes.
fault validate(bytes_view document);

/// The same for what one element embeds; nothing to do for other values.
fault validate_embedded(const bson_iter_t& at);

/// Elements in order, of a document that check_document() or read_document() accepted; bson_iter_next() moves
/// on.
inline bson_iter_t elements(bytes_view document) {
  bson_iter_t at;
  bson_iter_init_from_data(&at, document.data(), document.size());
  return at;
}

/// True when only the terminator is left, so that a false bson_iter_next() before that means a broken
/// element:
///
///   while (!at_end(at)) {
///     if (!bson_iter_next(&at)) return {errc::remote_bad_value, "element"};
inline bool at_end(const bson_iter_t& at) {
  return at.next_off + 1 == at.len;
}

/// The first element with that key, which is what a lookup means where keys repeat, as they may on the wire.
std::optional<bson_iter_t> lookup(bytes_view document, const char* key);

inline std::string_view key_of(const bson_iter_t& at) {
  return {bson_iter_key(&at), bson_iter_key_len(&at)};
}

/// An integer of any numeric type: int32, int64, or a double without a fraction that int64 can hold.
std::optional<std::int64_t> integer(const bson_iter_t& at);

/// The text of a string element, empty for other types. Views of the document; not checked for UTF-8.
std::string_view text(const bson_iter_t& at);

/// The value of an element as it stands on the wire, without type and key.
bytes_view raw_value(const bson_iter_t& at);

/// A value apart from its element: type and bytes. `_id` may be of nearly any type, and is passed on as it is.
struct id_value {
  bson_type_t type;
  bytes_view bytes;

  static id_value of(const bson_iter_t& at) { return {bson_iter_type(&at), raw_value(at)}; }
};

/// The bytes of an embedded document or array, empty for other types; an array is a document with keys "0",
/// "1", ...
bytes_view embedded(const bson_iter_t& at);

/// Elements of an array that check_document() accepted; 0 for an empty view.
std::int64_t count_elements(bytes_view array);

/// Appends a string element.
inline void append_text(bson_t* to, std::string_view key, std::string_view value) {
  bson_append_utf8(to, key.data(), static_cast<int>(key.size()), value.data(),
                   static_cast<int>(value.size()));
}

/// Appends an element with that value. (libbson has no call for it, and its calls for single types cut some at a NUL.)
void append_value(bson_t* to, std::string_view key, const id_value& value);

/// Appends an embedded document, which check_document() would accept.
void append_document(bson_t* to, std::string_view key, bytes_view document);

/// The same for an array, given as the document that it is on the wire.
void append_array(bson_t* to, std::string_view key, bytes_view array);

/// The first key: of a command, its name. Empty for an empty or broken document.
std::string_view first_key(bytes_view document);

}  // namespace codecs::mongo
