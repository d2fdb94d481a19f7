#pragma once
// OP_MSG, the message of every command and reply (specification message/OP_MSG):
//
//   header | flagBits | section | section ... | CRC-32C when flag bit 0 is set
//   section, kind 0   | 0 | document |                                  the body; exactly one
//   section, kind 1   | 1 | size | identifier\0 | document ... |        a sequence; any number, before or
//   after the body
//
// What is decoded are views into the frame, what is encoded as a sequence is borrowed.

#include "codecs/mongo/bson.hpp"
#include "codecs/mongo/frame.hpp"

#include <array>

namespace codecs::mongo {

namespace flag {
inline constexpr std::uint32_t checksum_present = 1U << 0;
inline constexpr std::uint32_t more_to_come = 1U << 1;  ///< in a request: no reply wanted
inline constexpr std::uint32_t exhaust_allowed = 1U << 16;
inline constexpr std::uint32_t required =
    0xffff;  ///< an unknown one of these is an error; others are ignored
}  // namespace flag

/// One kind 1 section. `documents` lie back to back; each length was checked, so that document_cursor is
/// safe.
struct document_sequence {
  std::string_view identifier;
  bytes_view documents;
};

/// Walks the documents of a sequence.
class document_cursor {
 public:
  explicit document_cursor(bytes_view documents) : left_(documents) {}

  /// The next document; false behind the last.
  bool next(bytes_view& document) {
    if (left_.empty()) return false;
    document = left_.first(load_le<std::uint32_t>(left_.data()));
    left_ = left_.subspan(document.size());
    return true;
  }

 private:
  bytes_view left_;
};

enum class checksum { absent, valid, wrong };

/// A decoded message: views into the frame, valid as long as the frame is.
struct op_msg {
  /// mongod takes two sequences at most (its TooManyDocumentSequences), so there is room for as many.
  static constexpr std::size_t max_sequences = 2;

  message_header header;
  std::uint32_t flags = 0;
  mongo::checksum checksum = checksum::absent;
  bytes_view body;
  std::size_t sequence_count = 0;
  std::array<document_sequence, max_sequences> sequence_store;

  std::span<const document_sequence> sequences() const { return {sequence_store.data(), sequence_count}; }

  /// The documents of the sequence with that identifier; empty when there is none.
  bytes_view sequence(std::string_view identifier) const;
};

/// Decodes one frame into a fresh `message`. The fault names the field: messageLength, opCode, flagBits,
/// section kind, section size, section identifier, document length, document end, sections (too many), body
/// (none, or a second one). A wrong checksum is no fault, so that a trace can still show the message: whoever
/// acts on messages looks at `checksum` first. Elements of documents are not looked at.
fault decode(bytes_view frame, op_msg& message);

/// What an encoder is given: views of the caller's.
struct message_parts {
  std::int32_t request_id = 0;
  std::int32_t response_to = 0;
  std::uint32_t flags = 0;

  bytes_view body;

  /// Not empty: the body gets a last element `$db` with this text. The user's document stays as it is
  /// (specification message/OP_MSG):
  /// the element goes into the copy, in front of the terminator.
  std::string_view database;

  /// Not empty: a kind 1 section follows, of all these documents. A view may hold several.
  std::string_view identifier;
  std::span<const bytes_view> documents;
};

/// messageLength of the message that encode() makes of `parts`.
std::size_t encoded_size(const message_parts& parts);

/// The same with so many bytes instead of the documents of `parts`.
std::size_t encoded_size(const message_parts& parts, std::size_t more_bytes);

/// Encodes one message, body first. The body is copied, the documents are borrowed until the buffer is
/// cleared. With flag::checksum_present the checksum covers them too. local_message_too_long
/// ("messageLength") past max_message_bytes, before anything is written.
fault encode(send_buffer& out, const message_parts& parts);

/// Encodes all that stands before `more_bytes` bytes that the caller appends himself: the documents where there is an identifier,
/// else the rest of the body, whose length counts it already. There is no checksum. Fails the writer as encode() does.
void encode_head(writer& to, const message_parts& parts, std::size_t more_bytes);

}  // namespace codecs::mongo
