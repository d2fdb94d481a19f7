#include "wire/channel.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/staged.hpp"

#include <climits>

namespace wire {

using codecs::errc;
using codecs::progress;

namespace {

// Replies are handed over before they pile up: a peer that pipelines small requests with large replies must
// not make the server hold them all.
constexpr std::size_t flush_bytes = 64 * 1024;

// The most that is prepared for one read. A longer frame arrives in several reads, so that memory grows by
// what has come and not by what a header claims.
constexpr std::size_t read_bytes = 1024 * 1024;

bool would_block(const error_code& error) {
  return error == boost::system::errc::operation_would_block;
}

}  // namespace

channel::channel(std::unique_ptr<wire::transport> transport, watchdog* dog)
    : channel(std::move(transport), std::make_unique<gather_buffer>(), std::make_unique<staged_buffer>(),
              dog) {}

channel::channel(std::unique_ptr<wire::transport> transport, std::unique_ptr<codecs::send_buffer> out,
                 std::unique_ptr<codecs::receive_buffer> in, watchdog* dog)
    : transport_(std::move(transport)), out_(std::move(out)), in_(std::move(in)) {
  if (dog != nullptr && transport_->native_handle() >= 0) watch_ = dog->add(transport_->native_handle());
}

error_code channel::run(codecs::exchange& op) {
  if (broken_) {
    why_ = "the connection was closed after an earlier error";
    return make_error_code(errc::local_wrong_state);
  }
  if (watch_) watch_->arm();
  const auto error = run_to_end(op);
  counters_.frames_out += op.take_frames_sent();
  if (watch_) watch_->disarm();
  return error;
}

error_code channel::run_to_end(codecs::exchange& op) {
  state_ = op.start(*out_);
  if (state_ == progress::failed) return fail(op.why());
  while (true) {
    if (out_->size() != 0) {
      if (auto error = flush(&op)) return error;
    }
    // Frames may be there already: notices that came between two ops, replies to an earlier part of a
    // pipeline.
    if (state_ == progress::more) {
      if (auto error = take_frames(op)) return error;
    }
    if (state_ == progress::done) return {};
    if (out_->size() == 0) {
      if (auto error = read_once(true)) return error;
    }
  }
}

/// Gives every whole frame that has arrived to the exchange, until it wants no more.
error_code channel::take_frames(codecs::exchange& op) {
  while (state_ == progress::more) {
    const auto unread = in_->data();
    const auto scan = op.scan(unread);
    if (scan.error) return fail(scan.error);
    if (scan.size == 0) {
      need_ = scan.need;
      return {};
    }
    ++counters_.frames_in;
    state_ = op.on_frame(unread.first(scan.size), *out_);
    in_->consume(scan.size);
  }
  return state_ == progress::failed ? fail(op.why()) : error_code{};
}

error_code channel::serve_some(codecs::conversation& peer) {
  if (auto error = read_once(true)) return error;
  if (auto error = answer_frames(peer)) return error;
  return flush(nullptr);
}

error_code channel::serve(codecs::conversation& peer) {
  error_code error;
  while (!error) error = serve_some(peer);
  return error == errc::remote_hang_up ? error_code{} : error;
}

error_code channel::answer_frames(codecs::conversation& peer) {
  while (true) {
    const auto unread = in_->data();
    const auto scan = peer.scan(unread);
    if (scan.error) {
      flush(nullptr);
      return fail(scan.error);
    }
    if (scan.size == 0) {
      need_ = scan.need;
      return {};
    }
    ++counters_.frames_in;
    const auto answer = peer.on_frame(unread.first(scan.size), *out_);
    counters_.frames_out += peer.take_frames_sent();
    in_->consume(scan.size);
    if (answer == codecs::answer::close) {
      flush(nullptr);
      return hang_up();
    }
    if (out_->size() > flush_bytes) {
      if (auto error = flush(nullptr)) return error;
    }
  }
}

/// Sends all of out_. While the kernel takes no more, replies are read and, for a client, given to `op`.
error_code channel::flush(codecs::exchange* op) {
  sent_ = 0;
  while (sent_ < out_->size()) {
    const auto error = write_once();
    if (!error) continue;
    if (!would_block(error)) return fail_system(error);
    const auto ready = transport_->wait(op != nullptr);
    ++counters_.polls;
    if (ready.error) return fail_system(ready.error);
    if (!ready.readable || op == nullptr) continue;
    if (auto broken = read_once(false)) return broken;
    if (auto failed = take_frames(*op)) return failed;
    if (state_ == progress::done) {
      return fail(codecs::fault{errc::remote_unexpected_message, "reply before the request's end"});
    }
  }
  out_->clear();
  sent_ = 0;
  return {};
}

error_code channel::write_once() {
  const auto count = gather();
  const auto written = transport_->write_some({segments_.data(), count});
  ++counters_.writes;
  counters_.bytes_out += written.bytes;
  sent_ += written.bytes;
  return written.error;
}

/// Lists what is still to be sent, as many segments as one call takes.
std::size_t channel::gather() {
  segments_.clear();
  std::size_t skip = sent_;
  for (const auto segment : out_->segments()) {
    if (skip >= segment.size()) {
      skip -= segment.size();
      continue;
    }
    const auto rest = segment.subspan(skip);
    skip = 0;
    segments_.push_back({const_cast<std::uint8_t*>(rest.data()), rest.size()});
    if (segments_.size() == IOV_MAX) break;
  }
  return segments_.size();
}

error_code channel::read_once(bool waiting) {
  const auto room = in_->prepare(std::min(need_, read_bytes));
  if (room.empty()) return fail(codecs::fault{errc::remote_bad_length, "message"});
  const auto got = waiting ? transport_->read_some(room) : transport_->read_now(room);
  ++counters_.reads;
  if (watch_) watch_->arm();
  if (got.error) return would_block(got.error) ? error_code{} : fail_system(got.error);
  if (got.bytes == 0) return hang_up();
  counters_.bytes_in += got.bytes;
  in_->commit(got.bytes);
  return {};
}

io_result channel::read_some(codecs::bytes_span to) {
  const auto got = transport_->read_some(to);
  ++counters_.reads;
  counters_.bytes_in += got.bytes;
  return got;
}

io_result channel::write_some(codecs::bytes_view from) {
  const iovec segment{const_cast<std::uint8_t*>(from.data()), from.size()};
  const auto written = transport_->write_some({&segment, 1});
  ++counters_.writes;
  counters_.bytes_out += written.bytes;
  return written;
}

error_code channel::hang_up() {
  return fail(codecs::fault{errc::remote_hang_up});
}

error_code channel::fail(codecs::fault cause) {
  return fail(codecs::failure{cause, {}});
}

error_code channel::fail(const codecs::failure& failure) {
  const bool half_sent = sent_ != 0;  // half a request is on the wire: no way back
  out_->clear();
  sent_ = 0;
  why_ = failure.sentence();
  if (half_sent || codecs::breaks_stream(failure.cause.code))
    return close(make_error_code(failure.cause.code));
  return make_error_code(failure.cause.code);
}

error_code channel::fail_system(error_code code) {
  why_ = code.message();
  return close(code);
}

/// Gives the connection up. If the watchdog did it first, the peer's silence is the cause and not what
/// followed.
error_code channel::close(error_code code) {
  broken_ = true;
  transport_->shutdown();
  if (!watch_ || !watch_->fired()) return code;
  code = make_error_code(errc::remote_timeout);
  why_ = code.message();
  return code;
}

}  // namespace wire
