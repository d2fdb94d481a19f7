#include "codecs/pg/chunk_upload.hpp"

#include "codecs/pg/large_object.hpp"
#include "codecs/pg/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace codecs::pg {

progress chunk_upload::start(send_buffer& out) {
  assert(source_ != nullptr);
  begin();
  stopped_.reset();
  if (auto refused = large_object::refuse_chunk_size(static_cast<std::int64_t>(chunk_bytes_)))
    return fail(*std::move(refused));
  flight_.begin(*source_, chunk_bytes_, window_bytes_);
  if (auto refused = refuse(flight_.layout())) return fail(*std::move(refused));
  const auto half_window = std::max<std::size_t>(1, flight_.window_bytes() / chunk_bytes_ / 2);
  batch_bytes_ = static_cast<std::int64_t>(half_window * chunk_bytes_);
  after_is_due_ = undone_ = synced_ = false;
  writer to(out);
  const auto frames = encode_before(to);
  before_is_over_ = frames == 0;
  expected_ = expected::bind_complete;
  if (sent(to, frames) == progress::failed || fill(out) == progress::failed) return progress::failed;
  expected_ = next_expected();
  return progress::more;
}

// --- what is sent ---

std::uint64_t chunk_upload::encode_execution(writer& out, const named_statement& what,
                                             std::span<const value> parameters) {
  encode_bind(out, "", what.name, parameters);
  encode(out, execute{});
  return 2;
}

bool chunk_upload::has_room_for_batch() const {
  if (flight_.all_taken()) return false;
  const auto in_flight = flight_.bytes_in_flight();
  return in_flight == 0 || in_flight + batch_bytes_ <= static_cast<std::int64_t>(flight_.window_bytes());
}

/// As many batches as the window has room for, and behind the last chunk the end.
progress chunk_upload::fill(send_buffer& out) {
  while (!stopped_ && has_room_for_batch()) {
    if (encode_batch(out) == progress::failed) return progress::failed;
  }
  return !stopped_ && flight_.all_taken() ? finish(out) : progress::more;
}

progress chunk_upload::encode_batch(send_buffer& out) {
  const auto end = flight_.next() + batch_bytes_;
  while (flight_.next() < end && !flight_.all_taken()) {
    if (encode_next_chunk(out) == progress::failed) return progress::failed;
    if (stopped_) return progress::more;
  }
  return flight_.all_taken() ? progress::more : encode_flush(out);
}

progress chunk_upload::encode_next_chunk(send_buffer& out) {
  const auto at = flight_.next();
  const auto chunk = flight_.take();
  if (chunk.empty()) return stop(errc::local_payload, flight_.layout().name(at), source_->why(), out);
  writer to(out);
  const auto frames = encode_chunk(to, at, chunk);
  if (sent(to, frames) == progress::more) return progress::more;
  auto bad = why();
  bad.out_of_step = true;
  return fail(std::move(bad));
}

progress chunk_upload::encode_flush(send_buffer& out) {
  writer to(out);
  const auto frames = end_batch(to);
  encode_bare(to, request::flush);
  return sent(to, frames + 1);
}

// A portal of that name there never is.
std::uint64_t chunk_upload::encode_undo(writer& out) {
  encode(out, execute{"undo", 0});
  return 1;
}

/// Ends the transaction: for good, or for nothing when the upload has stopped. When it was the server who stopped it, it takes
/// nothing but the Sync.
progress chunk_upload::finish(send_buffer& out) {
  synced_ = true;
  writer to(out);
  std::uint64_t frames = 1;
  if (!stopped_) {
    if (flight_.layout().file_bytes != 0) frames += end_batch(to);
    const auto last = encode_after(to);
    after_is_due_ = last != 0;
    frames += last;
  } else if (!refused()) {
    undone_ = true;
    frames += encode_undo(to);
  }
  encode_bare(to, request::sync);
  return sent(to, frames);
}

/// The first failure is the one that counts.
progress chunk_upload::stop(errc code, std::string_view what, std::string_view text, send_buffer& out) {
  if (!stopped_) stopped_ = failure{{code, "upload"}, fmt::format("{}: {}", what, text)};
  return synced_ ? progress::more : finish(out);
}

// --- what is answered ---

chunk_upload::step chunk_upload::current() const {
  if (!before_is_over_) return step::before;
  return flight_.bytes_in_flight() != 0 ? step::chunks : step::after;
}

/// Between two executions.
chunk_upload::expected chunk_upload::next_expected() const {
  const bool all = synced_ && before_is_over_ && flight_.bytes_in_flight() == 0 && !after_is_due_ && !undone_;
  return all ? expected::ready : expected::bind_complete;
}

std::int64_t chunk_upload::chunks_of_execution() const {
  if (!one_execution_per_batch()) return 1;
  return chunk_layout{std::min(batch_bytes_, flight_.bytes_in_flight()), flight_.layout().chunk_bytes}
      .count();
}

progress chunk_upload::on_frame(bytes_view frame, send_buffer& out) {
  switch (frame[0]) {
    case reply::bind_complete:
      return advance(expected::bind_complete, answer_type() != 0 ? expected::rows : expected::complete,
                     decode_bare(frame));
    case reply::command_complete:
      return expected_ == expected::complete ? on_complete(frame, out) : unexpected();
    case reply::error_response:
      return on_refused(frame, out);
    case reply::ready_for_query:
      return on_end(frame);
    default:
      return expected_ == expected::rows && frame[0] == answer_type() ? on_answer(frame, out)
                                                                      : on_other(frame);
  }
}

progress chunk_upload::on_answer(bytes_view frame, send_buffer& out) {
  expected_ = expected::complete;
  std::string wrong;
  if (const auto bad = read_answer(current(), frame, wrong)) return fail(bad);
  return wrong.empty() ? progress::more : stop(errc::remote_server_error, place(), wrong, out);
}

/// Chunks go in batches: a Flush for each of them would make the server send as often.
progress chunk_upload::on_complete(bytes_view frame, send_buffer& out) {
  command_complete complete;
  if (const auto bad = decode(frame, complete)) return fail(bad);
  std::string wrong;
  read_tag(current(), complete.tag, wrong);
  if (!wrong.empty() && stop(errc::remote_server_error, place(), wrong, out) == progress::failed)
    return progress::failed;
  switch (current()) {
    case step::before:
      before_is_over_ = true;
      break;
    case step::chunks:
      for (auto chunks = chunks_of_execution(); chunks != 0; --chunks) flight_.acknowledge();
      if (!synced_ && fill(out) == progress::failed) return progress::failed;
      break;
    case step::after:
      after_is_due_ = false;
      break;
  }
  expected_ = next_expected();
  return progress::more;
}

progress chunk_upload::on_refused(bytes_view frame, send_buffer& out) {
  const auto refused_at = place();
  const auto how = on_other(frame);
  return how == progress::failed ? how : stop(errc::remote_server_error, refused_at, why().text, out);
}

progress chunk_upload::on_end(bytes_view frame) {
  if (expected_ != expected::ready) return unexpected();
  if (const auto bad = take_status(frame)) return fail(bad);
  if (stopped_) return fail(*stopped_);
  if (!source_->intact()) return fail(errc::local_payload, "upload", source_->why());
  return progress::done;
}

/// What is being answered, for a person.
std::string chunk_upload::place() const {
  if (expected_ == expected::ready) return "commit";
  if (current() == step::before) return "create";
  if (current() == step::after) return "close";
  const auto first = flight_.layout().name(flight_.oldest());
  const auto others = chunks_of_execution() - 1;
  return others == 0 ? first : fmt::format("{} or one of the {} behind it", first, others);
}

}  // namespace codecs::pg
