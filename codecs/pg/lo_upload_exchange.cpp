#include "codecs/pg/lo_upload_exchange.hpp"

#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>

namespace codecs::pg {

namespace statement_of = large_object::statement;

namespace {

// The first lo_open of a transaction returns it (newLOfd).
constexpr std::int32_t first_descriptor = 0;
// No server ever returns it: closing it is an error, and rolls back.
constexpr std::int32_t no_descriptor = -1;

using number_bytes = std::array<std::uint8_t, 4>;

number_bytes in_wire_form(std::uint32_t number) {
  number_bytes bytes;
  store_be(bytes.data(), number);
  return bytes;
}

void encode_execution(writer& out, const named_statement& what, std::span<const value> parameters) {
  encode_bind(out, "", what.name, parameters);
  encode(out, execute{});
}

/// A row of `count` integers of 4 bytes.
fault read_numbers(bytes_view frame, std::span<std::uint32_t> into) {
  data_row row;
  if (const auto bad = decode(frame, row)) return bad;
  if (row.values.size() != into.size()) return {errc::remote_bad_value, "column count"};
  auto* at = into.data();
  for (const auto each : row.values) {
    if (!each || each->size() != sizeof(std::uint32_t)) return {errc::remote_bad_value, "column"};
    *at++ = load_be<std::uint32_t>(each->data());
  }
  return {};
}

}  // namespace

progress lo_upload_exchange::start(send_buffer& out) {
  assert(source_ != nullptr);
  begin();
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(static_cast<std::int64_t>(chunk_bytes_)))
    return fail(*std::move(refused));
  if (session_.status != transaction_status::idle) {
    return fail(errc::local_wrong_state, "transaction",
                "the upload is a transaction of its own, and one is open");
  }
  expected_ = expected::bind_complete;
  object_ = 0;
  created_ = synced_ = false;
  unflushed_ = 0;
  flight_.begin(*source_, chunk_bytes_, window_bytes_);
  const auto wanted = in_wire_form(wanted_);
  const value object = bytes_view(wanted);
  writer to(out);
  encode_execution(to, statement_of::create, {&object, 1});
  return sent(to, 2) == progress::failed ? progress::failed : fill(out);
}

// --- what is sent ---

/// As many chunks as the window has room for, then a Flush, or behind the last chunk the end.
progress lo_upload_exchange::fill(send_buffer& out) {
  while (flight_.has_room()) {
    const auto at = flight_.next();
    const auto chunk = flight_.take();
    if (chunk.empty()) return stop(errc::local_payload, flight_.layout().name(at), source_->why(), out);
    if (encode_chunk(chunk, out) == progress::failed) return progress::failed;
    unflushed_ += chunk.size();
    if (unflushed_ >= flight_.window_bytes() / 2 && !flight_.all_taken()) encode_flush(out);
  }
  if (flight_.all_taken()) return finish(out);
  return unflushed_ == 0 ? progress::more : encode_flush(out);
}

progress lo_upload_exchange::encode_chunk(bytes_view chunk, send_buffer& out) {
  const auto descriptor = in_wire_form(first_descriptor);
  const value parameters[] = {bytes_view(descriptor), chunk};
  writer to(out);
  encode_execution(to, statement_of::write, parameters);
  if (sent(to, 2) == progress::more) return progress::more;
  auto bad = why();
  bad.out_of_step = true;
  return fail(std::move(bad));
}

progress lo_upload_exchange::encode_flush(send_buffer& out) {
  unflushed_ = 0;
  writer to(out);
  encode_bare(to, request::flush);
  return sent(to);
}

/// Ends the transaction: for good, or for nothing when the upload has stopped. When it was the server who stopped it, it takes
/// nothing but the Sync.
progress lo_upload_exchange::finish(send_buffer& out) {
  synced_ = true;
  const auto number = in_wire_form(static_cast<std::uint32_t>(stopped_ ? no_descriptor : first_descriptor));
  const value descriptor = bytes_view(number);
  writer to(out);
  if (!refused()) encode_execution(to, statement_of::close, {&descriptor, 1});
  encode_bare(to, request::sync);
  return sent(to, refused() ? 1 : 3);
}

/// The first failure is the one that counts.
progress lo_upload_exchange::stop(errc code, std::string_view what, std::string_view text, send_buffer& out) {
  if (!stopped_) stopped_ = failure{{code, "upload"}, fmt::format("{}: {}", what, text)};
  return synced_ ? progress::more : finish(out);
}

// --- what is answered ---

lo_upload_exchange::step lo_upload_exchange::current() const {
  if (!created_) return step::create;
  return flight_.bytes_in_flight() != 0 ? step::write : step::close;
}

progress lo_upload_exchange::on_frame(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case reply::bind_complete:
      return advance(expected::bind_complete, expected::rows, decode_bare(frame));
    case reply::data_row:
      return expected_ == expected::rows ? on_row(frame, out) : unexpected();
    case reply::command_complete:
      return expected_ == expected::complete ? on_complete(frame, out) : unexpected();
    case reply::error_response:
      return on_refused(frame, out);
    case reply::ready_for_query:
      return on_end(frame);
    default:
      return on_other(frame);
  }
}

progress lo_upload_exchange::on_row(bytes_view frame, send_buffer& out) {
  expected_ = expected::complete;
  if (current() == step::create) return on_created(frame, out);
  std::uint32_t number = 0;
  if (const auto bad = read_numbers(frame, {&number, 1})) return fail(bad);
  const auto bytes = current() == step::write ? flight_.oldest_bytes() : 0;  // lo_close returns 0
  if (number == bytes) return progress::more;
  return stop(errc::remote_server_error, place(),
              fmt::format("the server returned {} and not {}", number, bytes), out);
}

progress lo_upload_exchange::on_created(bytes_view frame, send_buffer& out) {
  std::uint32_t numbers[2] = {};
  if (const auto bad = read_numbers(frame, numbers)) return fail(bad);
  object_ = numbers[0];
  if (wanted_ != 0 && object_ != wanted_) {
    return stop(errc::remote_server_error, place(),
                fmt::format("made object {} and not {}", object_, wanted_), out);
  }
  const auto descriptor = static_cast<std::int32_t>(numbers[1]);
  if (descriptor == first_descriptor) return progress::more;
  return stop(errc::remote_server_error, place(), fmt::format("the descriptor is {} and not 0", descriptor),
              out);
}

/// Chunks go in batches of half a window: a Flush for each of them would make the server send as often.
progress lo_upload_exchange::on_complete(bytes_view frame, send_buffer& out) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  expected_ = expected::bind_complete;
  switch (current()) {
    case step::create:
      created_ = true;
      return progress::more;
    case step::write:
      flight_.acknowledge();
      break;
    case step::close:
      expected_ = expected::ready;
      return progress::more;
  }
  const bool half_empty = static_cast<std::size_t>(flight_.bytes_in_flight()) <= flight_.window_bytes() / 2;
  return half_empty && !synced_ ? fill(out) : progress::more;
}

progress lo_upload_exchange::on_refused(bytes_view frame, send_buffer& out) {
  const auto refused_at = place();
  const auto how = on_other(frame);
  return how == progress::failed ? how : stop(errc::remote_server_error, refused_at, why().text, out);
}

progress lo_upload_exchange::on_end(bytes_view frame) {
  if (expected_ != expected::ready) return unexpected();
  if (const auto bad = take_status(frame)) return fail(bad);
  if (stopped_) return fail(*stopped_);
  if (!source_->intact()) return fail(errc::local_payload, "upload", source_->why());
  return progress::done;
}

/// What is being answered, for a person.
std::string lo_upload_exchange::place() const {
  if (expected_ == expected::ready) return "commit";
  switch (current()) {
    case step::create:
      return "create";
    case step::write:
      return flight_.layout().name(flight_.oldest());
    default:
      return "close";
  }
}

}  // namespace codecs::pg
