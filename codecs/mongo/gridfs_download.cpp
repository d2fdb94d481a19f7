#include "codecs/mongo/gridfs_download.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::mongo {
namespace {

// As large as mongod makes a batch. Others were seen to send all they have.
constexpr std::int64_t batch_bytes = 16 * 1024 * 1024;

// What is certain to stand between a chunk's payload and the next one, or behind the last one.
constexpr std::size_t tail_bytes = 3;

failure damaged(const char* field, std::string text) {
  return {{errc::remote_bad_file, field}, std::move(text)};
}

std::int32_t chunks_per_reply(const gridfs_download_command& command, const chunk_layout& layout) {
  if (command.batch > 0) return command.batch;
  const auto document_bytes =
      static_cast<std::int64_t>(layout.bytes_of(0) + chunk_envelope_bytes(command.id));
  return static_cast<std::int32_t>(std::max<std::int64_t>(1, batch_bytes / document_bytes));
}

}  // namespace

progress gridfs_download::start(send_buffer& out) {
  end_landing();
  phase_ = phase::file;
  found_ = false;
  layout_ = {};
  next_ = 0;
  trouble_ = {};
  collection_.assign(command_.bucket).append(".files");
  return find("_id", {.limit = 1, .single_batch = true}, out);
}

progress gridfs_download::find(const char* key, const find_command& what, send_buffer& out) {
  filter_.clear();
  append_value(filter_.get(), key, command_.id);
  auto command = what;
  command.database = command_.database;
  command.collection = collection_;
  command.filter = filter_.view();
  find_.set(command, *this);
  return pass(find_.start(out));
}

progress gridfs_download::find_chunks(send_buffer& out) {
  phase_ = phase::chunks;
  collection_.assign(command_.bucket).append(".chunks");
  sort_.clear();
  BSON_APPEND_INT32(sort_.get(), "n", 1);
  return find(
      "files_id",
      {.sort = sort_.view(), .limit = layout_.count() + 1, .batch_size = chunks_per_reply(command_, layout_)},
      out);
}

progress gridfs_download::on_frame(bytes_view frame, send_buffer& out) {
  const auto reached = pass(find_.on_frame(frame, out));
  end_landing();
  if (reached != progress::done) return reached;
  if (trouble_.cause) return fail(trouble_);
  if (phase_ == phase::file) {
    if (!found_) return fail(errc::remote_bad_file, "files document", "there is none with this _id");
    return layout_.file_bytes == 0 ? progress::done : find_chunks(out);
  }
  if (next_ == layout_.count()) return progress::done;
  return fail(
      damaged("n", fmt::format("chunk {} of {} is missing, as are all behind it", next_, layout_.count())));
}

/// What the query in front has reached. What is wrong with the file goes before a server's refusal to close the cursor.
progress gridfs_download::pass(progress reached) {
  sent_frames(find_.take_frames_sent());
  if (reached != progress::failed) return reached;
  const bool in_step = !breaks_stream(find_.why().cause.code);
  return fail(trouble_.cause && in_step ? trouble_ : find_.why());
}

bool gridfs_download::take(bytes_view document) {
  trouble_ = phase_ == phase::file ? take_file(document) : take_chunk(document);
  return !trouble_.cause;
}

failure gridfs_download::take_file(bytes_view document) {
  file_document file;
  auto bad = decode(document, file);
  found_ = true;
  if (!bad.cause) layout_ = file.layout;
  return bad;
}

failure gridfs_download::take_chunk(bytes_view document) {
  chunk got;
  auto bad = decode(document, got);
  if (bad.cause) {
    bad.text.insert(0, fmt::format("chunk {} of {}: ", next_, layout_.count()));
    return bad;
  }
  if (got.n != next_ || next_ == layout_.count()) return damaged("n", misplaced(got.n));
  const auto expected = layout_.bytes_of(next_);
  if (got.data.size() != expected) {
    return damaged("data", fmt::format("chunk {} of {}: {} bytes where {} were expected", next_,
                                       layout_.count(), got.data.size(), expected));
  }
  if (landed_ > 0) {
    got.data = sink_->place(got.data.size());
    --landed_;
  }
  if (!sink_->put(got.data)) {
    return {{errc::local_payload, "sink"},
            fmt::format("chunk {} of {}: {}", next_, layout_.count(), sink_->why())};
  }
  ++next_;
  return {};
}

/// Payload lands as long as the chunks are those that are expected: the first one that is not stays in the frame, as do all behind
/// it, and is judged when the frame is whole.
landing gridfs_download::land(bytes_view unread) {
  constexpr std::int64_t worth_landing = 4096;  // below it, a copy is cheaper than the reads around it
  if (phase_ != phase::chunks || trouble_.cause || layout_.chunk_bytes < worth_landing) return {};
  while (unread.size() >= landing_.end()) {
    const auto found = finder_.next(unread);
    if (found.size == 0) return {.place = {}, .keep = found.more != 0 ? found.more : landing().keep};
    if (!find_place(found, unread)) finder_.stop();
  }
  const bool is_last = next_ + landed_ == layout_.count() || between_bytes_ == 0;
  return {.place = landing_.place.subspan(unread.size() - landing_.at),
          .keep = is_last ? tail_bytes : between_bytes_};
}

bool gridfs_download::find_place(const chunk_finder::found& payload, bytes_view unread) {
  const auto n = next_ + landed_;
  const bool as_expected = n < layout_.count() && payload.size == layout_.bytes_of(n);
  const bool came_along = unread.size() > payload.at;  // some of it, with its head
  if (!as_expected || came_along) return false;
  const auto place = sink_->place(landed_bytes_ + payload.size);
  if (place.empty()) return false;
  if (landed_ > 0) between_bytes_ = payload.at - landing_.end();
  landing_ = {payload.at, place.subspan(landed_bytes_)};
  landed_bytes_ += payload.size;
  ++landed_;
  return true;
}

void gridfs_download::end_landing() {
  finder_.reset();
  landing_ = {};
  landed_ = 0;
  landed_bytes_ = 0;
  between_bytes_ = 0;
}

/// What it means that chunk `n` comes where next_ was expected.
std::string gridfs_download::misplaced(std::int64_t n) const {
  const auto chunks = layout_.count();
  if (n >= 0 && n < next_) return fmt::format("chunk {} of {} is there twice", n, chunks);
  if (n < 0 || next_ == chunks) return fmt::format("chunk {} is there, of a file of {} chunks", n, chunks);
  return fmt::format("chunk {} of {} is missing, chunk {} follows", next_, chunks, n);
}

}  // namespace codecs::mongo
