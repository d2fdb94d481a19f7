#include "codecs/mongo/gridfs_upload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::mongo {

progress gridfs_upload::start(send_buffer& out) {
  layout_ = {source_->size(), command_.chunk_bytes};
  stored_ = 0;
  in_flight_ = 0;
  if (auto unfit = check_storable(layout_, command_.id, server()); unfit.cause) return fail(std::move(unfit));
  files_.assign(command_.bucket).append(".files");
  chunks_.assign(command_.bucket).append(".chunks");
  build(chunks_body_, write_entries{.command = "insert",
                                    .identifier = "documents",
                                    .database = command_.database,
                                    .collection = chunks_,
                                    .entries = {},
                                    .allowance_bytes = 0,
                                    .acknowledged = true});
  head_.set(command_.id);
  return layout_.count() == 0 ? send_file(out) : send_chunks(out);
}

message_parts gridfs_upload::chunk_message() const {
  return {
      .body = chunks_body_.view(), .database = command_.database, .identifier = "documents", .documents = {}};
}

/// How many chunks the next message takes: as wanted, and no more than the limits of server and source allow (case C08: by the
/// size of the real message).
std::size_t gridfs_upload::count_next(std::size_t& documents_bytes) const {
  auto most = std::min({static_cast<std::size_t>(layout_.count() - stored_), source_->most_in_flight(),
                        static_cast<std::size_t>(server().write_batch)});
  if (command_.batch != 0) most = std::min(most, command_.batch);
  const auto limit = static_cast<std::size_t>(server().message_bytes);
  const auto message_bytes = encoded_size(chunk_message(), 0);
  const auto envelope_bytes = chunk_envelope_bytes(command_.id);
  documents_bytes = 0;
  std::size_t count = 0;
  for (; count < most; ++count) {
    const auto payload = layout_.bytes_of(stored_ + static_cast<std::int64_t>(count));
    const auto more = envelope_bytes + payload;
    if (message_bytes + documents_bytes + more > limit) break;
    documents_bytes += more;
  }
  return count;
}

progress gridfs_upload::send_chunks(send_buffer& out) {
  constexpr std::uint8_t terminator = 0;
  std::size_t documents_bytes = 0;
  in_flight_ = count_next(documents_bytes);
  if (in_flight_ == 0) return fail(errc::local_message_too_long, "maxMessageSizeBytes");
  auto message = chunk_message();
  message.request_id = next_id();
  writer to(out);
  encode_head(to, message, documents_bytes);
  const auto end = stored_ + static_cast<std::int64_t>(in_flight_);
  for (auto n = stored_; n < end; ++n) {
    const auto size = layout_.bytes_of(n);
    const auto payload = source_->take(size);
    if (payload.size() != size) return source_failed(fmt::format("chunk {} of {}", n, layout_.count()));
    to.bytes(head_.of(chunk_ids_.next(), static_cast<std::int32_t>(n), size));
    to.refer(payload);
    to.u8(terminator);
  }
  return asked(to.finish());
}

progress gridfs_upload::on_frame(bytes_view frame, send_buffer& out) {
  const bool was_file = in_flight_ == 0;
  const auto answered = take(frame);
  if (answered == progress::failed) return was_file ? blame("files document") : blame_chunks();
  if (reply().n != (was_file ? 1 : static_cast<std::int64_t>(in_flight_)))
    return fail(errc::remote_bad_value, "n");
  if (was_file) return progress::done;
  for (; in_flight_ > 0; --in_flight_, ++stored_) source_->release();
  return stored_ < layout_.count() ? send_chunks(out) : send_file(out);
}

progress gridfs_upload::send_file(send_buffer& out) {
  if (!source_->intact()) return source_failed("files document not written");
  build(file_, file_document{.id = command_.id,
                             .layout = layout_,
                             .uploaded_ms = now_ms_(),
                             .filename = command_.filename,
                             .metadata = command_.metadata});
  file_entry_ = file_.view();
  return write({.command = "insert",
                .identifier = "documents",
                .database = command_.database,
                .collection = files_,
                .entries = {&file_entry_, 1},
                .allowance_bytes = 0,
                .acknowledged = true},
               out);
}

/// The chunk that the server names, or all that were in the message.
progress gridfs_upload::blame_chunks() {
  const auto first = stored_;
  const auto last = stored_ + static_cast<std::int64_t>(in_flight_) - 1;
  const auto index = why().cause.code == errc::remote_server_error ? first_failed(reply()) : std::nullopt;
  const bool known = index && *index >= 0 && *index <= last - first;
  if (known || first == last)
    return blame(fmt::format("chunk {} of {}", known ? first + *index : first, layout_.count()));
  return blame(fmt::format("chunks {} to {} of {}", first, last, layout_.count()));
}

progress gridfs_upload::blame(const std::string& what) {
  auto failed = why();
  failed.text = failed.text.empty() ? what : fmt::format("{}: {}", what, failed.text);
  return fail(std::move(failed));
}

progress gridfs_upload::source_failed(const std::string& what) {
  return fail(errc::local_payload, "source", fmt::format("{}: {}", what, source_->why()));
}

}  // namespace codecs::mongo
