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

op_msg_encoder::op_msg_encoder(send_buffer& out, std::int32_t request_id, std::int32_t response_to,
                               std::uint32_t flags)
    : out_(out),
      writer_(out),
      start_(out.size()),
      flags_(flags),
      length_(begin_message(writer_, request_id, response_to, op_code::msg)) {
  writer_.le(flags);
}

void op_msg_encoder::body(bytes_view document) {
  writer_.u8(body_kind);
  writer_.bytes(document);
}

void op_msg_encoder::body(bytes_view command, std::string_view database) {
  assert(command.size() >= min_document_bytes);
  constexpr std::string_view key = "$db";
  const auto text_bytes = database.size() + 1;
  const auto element_bytes = 1 + (key.size() + 1) + sizeof(std::int32_t) + text_bytes;
  writer_.u8(body_kind);
  writer_.le(static_cast<std::int32_t>(command.size() + element_bytes));
  writer_.bytes(command.subspan(sizeof(std::int32_t), command.size() - min_document_bytes));
  writer_.u8(BSON_TYPE_UTF8);
  writer_.cstring(key, "$db");
  writer_.le(static_cast<std::int32_t>(text_bytes));
  writer_.cstring(database, "$db");
  writer_.u8(0);
}

void op_msg_encoder::sequence(std::string_view identifier, std::span<const bytes_view> documents) {
  writer_.u8(sequence_kind);
  const auto size = writer_.begin_length();
  writer_.cstring(identifier, "section identifier");
  for (const bytes_view document : documents) writer_.refer(document);
  writer_.end_le(size);
}

fault op_msg_encoder::finish() {
  const bool with_checksum = (flags_ & flag::checksum_present) != 0;
  const std::size_t extra = with_checksum ? checksum_bytes : 0;
  if (writer_.size() - start_ + extra > max_message_bytes) {
    writer_.fail(errc::local_message_too_long, "messageLength");
  }
  writer_.end_le(length_, static_cast<std::int32_t>(extra));
  const fault bad = writer_.finish();
  if (bad || !with_checksum) return bad;

  crc32c crc;
  std::size_t earlier = start_;  // bytes of earlier messages in the same buffer
  for (bytes_view segment : out_.segments()) {
    const auto skipped = std::min(earlier, segment.size());
    earlier -= skipped;
    crc.process_bytes(segment.data() + skipped, segment.size() - skipped);
  }
  writer_.le(static_cast<std::uint32_t>(crc.checksum()));
  return writer_.finish();
}

}  // namespace codecs::mongo
