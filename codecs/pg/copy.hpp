#pragma once
// COPY in binary format (manual, "COPY Operations", and COPY, "Binary Format"). Its data travel in CopyData messages, whose boundaries
// mean nothing:
//
//   signature (11) | flags (4) | length of an extension (4) | extension
//   { count of fields (2) | { length (4), -1: NULL | bytes } .. } ..
//   -1 (2)
//
// The trailer does not replace CopyDone.

#include "codecs/pg/frame.hpp"
#include "codecs/pg/values.hpp"

#include <array>

namespace codecs::pg {

/// CopyInResponse and CopyOutResponse.
struct copy_response {
  format all = format::text;
  format_list columns;
};
/// All of it, and so many columns, in binary format.
void encode_copy_response(writer& out, std::uint8_t type, std::size_t columns);
fault decode(bytes_view frame, copy_response& into);

struct copy_fail {
  std::string_view text;
};
void encode(writer& out, const copy_fail& message);
fault decode(bytes_view frame, copy_fail& into);

/// Signature, no flags, no extension.
void write_copy_head(writer& out);
inline constexpr std::size_t copy_head_bytes = 11 + 4 + 4;

/// The trailer, as a message of its own.
void encode_copy_trailer(writer& out);

/// Takes a stream of COPY apart, in whatever pieces it comes.
class copy_reader {
 public:
  enum class token : std::uint8_t {
    more,     ///< all that was given is taken
    row,      ///< of columns() fields
    field,    ///< of size() bytes, which come as payload
    payload,  ///< piece(), of the last field
    end,      ///< the trailer
    broken,   ///< see bad()
  };

  /// Takes bytes from the front of `left`, up to the next token.
  token next(bytes_view& left);

  std::size_t columns() const { return columns_; }
  bool is_null() const { return size_ < 0; }
  std::size_t size() const { return size_ < 0 ? 0 : static_cast<std::size_t>(size_); }

  /// Points into what was given.
  bytes_view piece() const { return piece_; }

  /// Bytes of the last field that have not come.
  std::size_t payload_left() const { return payload_left_; }

  /// What is certain to come before payload does, or 1.
  std::size_t wanted() const;

  bool at_end() const { return phase_ == phase::end; }
  const fault& bad() const { return bad_; }

 private:
  enum class phase : std::uint8_t { head, extension, count, length, payload, end, broken };

  bool gather(bytes_view& left, std::size_t size);
  token fail(const char* field);
  bool read_head();
  token read_count();
  token read_length();
  token take_payload(bytes_view& left);
  phase behind_field() const { return fields_left_ == 0 ? phase::count : phase::length; }

  phase phase_ = phase::head;
  std::array<std::uint8_t, copy_head_bytes> held_{};  // the beginning of what is not whole
  std::size_t held_bytes_ = 0;
  std::size_t extension_left_ = 0;
  std::size_t columns_ = 0;
  std::size_t fields_left_ = 0;
  std::int32_t size_ = 0;
  std::size_t payload_left_ = 0;
  bytes_view piece_;
  fault bad_;
};

}  // namespace codecs::pg
