#include "codecs/mongo/op_msg.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <cassert>

namespace codecs::mongo {
namespace {

constexpr std::size_t checksum_bytes = 4;

// Castagnoli; 123456789 gives 0xe3069283.
using crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

enum kind : std::uint8_t { body_kind = 0, sequence_kind = 1 };

// Type and key of the element that every command ends with.
constexpr std::string_view db_key{"\x02$db\0", 5};

std::size_t bytes_of(std::span<const bytes_view> documents) {
  std::size_t size = 0;
  for (const bytes_view document : documents) size += document.size();
  return size;
}

// The `size` of the section: itself, identifier and documents, but not the kind byte.
std::size_t sequence_size(std::string_view identifier, std::size_t documents_bytes) {
  return sizeof(std::int32_t) + identifier.size() + 1 + documents_bytes;
}

void write_body(writer& to, const message_parts& parts) {
  assert(parts.body.size() >= min_document_bytes);
  to.u8(body_kind);
  if (parts.database.empty()) return to.bytes(parts.body);
  const auto text_bytes = parts.database.size() + 1;
  to.le(static_cast<std::int32_t>(parts.body.size() + db_key.size() + sizeof(std::int32_t) + text_bytes));
  to.bytes(parts.body.subspan(sizeof(std::int32_t), parts.body.size() - min_document_bytes));
  to.bytes(as_bytes(db_key));
  to.le(static_cast<std::int32_t>(text_bytes));
  to.bytes(as_bytes(parts.database));
  to.le(std::uint16_t{0});  // ends the text and the document
}

// Over all bytes of `out` but the first `start`, which are earlier messages.
std::uint32_t checksum_since(send_buffer& out, std::size_t start) {
  crc32c crc;
  for (const bytes_view segment : out.segments()) {
    const auto skipped = std::min(start, segment.size());
    start -= skipped;
    crc.process_bytes(segment.data() + skipped, segment.size() - skipped);
  }
  return crc.checksum();
}

void read_sequence(reader& in, op_msg& message) {
  constexpr std::size_t size_bytes = sizeof(std::int32_t);
  const auto available = in.left();
  const auto size = in.le<std::int32_t>("section size");
  const auto smallest = static_cast<std::int32_t>(size_bytes + 1);  // itself and an empty identifier
  if (size < smallest || static_cast<std::uint32_t>(size) > available) {
    return in.fail(errc::remote_bad_length, "section size");
  }
  reader section(in.bytes(static_cast<std::size_t>(size) - size_bytes, "section size"));
  document_sequence sequence;
  sequence.identifier = section.cstring("section identifier");
  sequence.documents = section.rest();
  for (reader documents(sequence.documents); documents.left() != 0;) {
    read_document(documents);
    if (documents.failed()) section.fail(documents.first_fault().code, documents.first_fault().field);
  }
  if (section.failed()) return in.fail(section.first_fault().code, section.first_fault().field);

  const auto known = message.sequences();
  const auto same = [&](const document_sequence& other) { return other.identifier == sequence.identifier; };
  if (std::ranges::any_of(known, same)) return in.fail(errc::remote_bad_value, "section identifier");
  if (known.size() == op_msg::max_sequences) return in.fail(errc::remote_bad_value, "sections");
  message.sequence_store[message.sequence_count++] = sequence;
}

void read_section(reader& in, op_msg& message) {
  switch (in.u8("section kind")) {
    case body_kind:
      if (!message.body.empty()) return in.fail(errc::remote_bad_value, "body");
      message.body = read_document(in);
      return;
    case sequence_kind:
      return read_sequence(in, message);
    default:
      return in.fail(errc::remote_bad_value, "section kind");
  }
}

}  // namespace

bytes_view op_msg::sequence(std::string_view identifier) const {
  for (const auto& each : sequences()) {
    if (each.identifier == identifier) return each.documents;
  }
  return {};
}

fault decode(bytes_view frame, op_msg& message) {
  reader in(frame);
  message.header = read_header(in, op_code::msg);
  message.flags = in.le<std::uint32_t>("flagBits");
  message.checksum = checksum::absent;
  message.body = {};
  message.sequence_count = 0;
  if (message.flags & flag::required & ~(flag::checksum_present | flag::more_to_come)) {
    in.fail(errc::remote_bad_value, "flagBits");
  }
  if ((message.flags & flag::checksum_present) && !in.failed()) {
    if (in.left() < checksum_bytes) return {errc::remote_truncated, "checksum"};
    const auto covered = frame.first(frame.size() - checksum_bytes);
    crc32c crc;
    crc.process_bytes(covered.data(), covered.size());
    const auto carried = load_le<std::uint32_t>(covered.data() + covered.size());
    message.checksum = crc.checksum() == carried ? checksum::valid : checksum::wrong;
    in = reader(covered.subspan(frame.size() - in.left()));
  }
  while (in.left() != 0) read_section(in, message);
  if (!in.failed() && message.body.empty()) in.fail(errc::remote_bad_value, "body");
  return in.first_fault();
}

std::size_t encoded_size(const message_parts& parts) {
  return encoded_size(parts, bytes_of(parts.documents));
}

std::size_t encoded_size(const message_parts& parts, std::size_t more_bytes) {
  std::size_t size = header_bytes + sizeof parts.flags + 1 + parts.body.size();
  if (!parts.database.empty()) size += db_key.size() + sizeof(std::int32_t) + parts.database.size() + 1;
  size += parts.identifier.empty() ? more_bytes : 1 + sequence_size(parts.identifier, more_bytes);
  if (parts.flags & flag::checksum_present) size += checksum_bytes;
  return size;
}

void encode_head(writer& to, const message_parts& parts, std::size_t more_bytes) {
  assert((parts.flags & flag::checksum_present) == 0 || more_bytes == bytes_of(parts.documents));
  const std::size_t size = encoded_size(parts, more_bytes);
  if (size > max_message_bytes) return to.fail(errc::local_message_too_long, "messageLength");
  write_header(to, {static_cast<std::int32_t>(size), parts.request_id, parts.response_to, op_code::msg});
  to.le(parts.flags);
  write_body(to, parts);
  if (parts.identifier.empty()) return;
  to.u8(sequence_kind);
  to.le(static_cast<std::int32_t>(sequence_size(parts.identifier, more_bytes)));
  to.cstring(parts.identifier, "section identifier");
}

fault encode(send_buffer& out, const message_parts& parts) {
  const std::size_t start = out.size();
  writer to(out);
  encode_head(to, parts, bytes_of(parts.documents));
  for (const bytes_view document : parts.documents) to.refer(document);
  const fault bad = to.finish();
  if (bad || !(parts.flags & flag::checksum_present)) return bad;
  to.le(checksum_since(out, start));
  return to.finish();
}

}  // namespace codecs::mongo
