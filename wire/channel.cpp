#include "wire/channel.hpp"

#include "wire/strategy/gather.hpp"
#include "wire/strategy/receiver.hpp"
#include "wire/strategy/sender.hpp"
#include "wire/strategy/staged.hpp"

#include <algorithm>
#include <cerrno>
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

// Where payload is drained to: small enough to stay in a core's own cache.
constexpr std::size_t drain_bytes = 64 * 1024;

}  // namespace

channel::channel(std::unique_ptr<wire::transport> transport, watchdog* dog)
    : channel(std::move(transport), std::make_unique<gather_buffer>(), std::make_unique<staged_buffer>(),
              dog) {}

channel::channel(std::unique_ptr<wire::transport> transport, std::size_t most_unread, watchdog* dog)
    : channel(std::move(transport), std::make_unique<gather_buffer>(),
              std::make_unique<staged_buffer>(most_unread), dog) {}

channel::channel(std::unique_ptr<wire::transport> transport, std::unique_ptr<codecs::send_buffer> out,
                 std::unique_ptr<codecs::receive_buffer> in, watchdog* dog)
    : transport_(std::move(transport)), out_(std::move(out)), in_(std::move(in)) {
  if (dog != nullptr && transport_->native_handle() >= 0) watch_ = dog->add(transport_->native_handle());
}

/// Flat: the steps are functions for async_channel's sake, and calls of them would add 30 instructions to each op.
[[gnu::flatten]] error_code channel::run(codecs::exchange& op) {
  return finish(op, run_to_end(op));
}

error_code channel::finish(codecs::exchange& op, bool good) {
  if (watch_) watch_->disarm();
  counters_.frames_out += op.take_frames_sent();
  return good ? error_code{} : error_;
}

bool channel::run_to_end(codecs::exchange& op) {
  if (!start(op)) return false;
  bool read = in_->data().empty();  // frames may be there already: notices that came between two ops
  while (true) {
    if (out_->size() != 0 && !flush(&op)) return false;
    if (state_ == progress::done) return true;
    if (read && !read_for(op, true)) return false;
    if (!take_frames(op)) return false;
    read = true;
  }
}

bool channel::start(codecs::exchange& op) {
  if (broken_) {
    why_ = "the connection was closed after an earlier error";
    error_ = make_error_code(errc::local_wrong_state);
    return false;
  }
  state_ = op.start(*out_);
  return state_ != progress::failed || fail(op.why());
}

/// Gives every whole frame that has arrived to the exchange, until it wants no more.
bool channel::take_frames(codecs::exchange& op) {
  auto unread = in_->data();
  std::size_t taken = 0;
  while (state_ == progress::more) {
    const auto scan = op.scan(unread);
    if (scan.error) return fail(scan.error);
    if (scan.size == 0) {
      need_ = scan.need;
      break;
    }
    ++counters_.frames_in;
    state_ = op.on_frame(unread.first(scan.size), *out_);
    unread = unread.subspan(scan.size);
    taken += scan.size;
  }
  in_->consume(taken);
  return state_ != progress::failed || fail(op.why());
}

void channel::receive_into(std::unique_ptr<codecs::receive_buffer> in) {
  const auto unread = in_->data();
  if (!unread.empty()) {
    std::ranges::copy(unread, in->prepare(unread.size()).begin());
    in->commit(unread.size());
  }
  earlier_copied_ += in_->copied_bytes();
  in_ = std::move(in);
}

void channel::receive_by(receive_strategy how) {
  receive_ = how;
  if (how == receive_strategy::drain) drain_ = std::make_unique_for_overwrite<std::uint8_t[]>(drain_bytes);
}

error_code channel::serve_some(codecs::conversation& peer) {
  return take_in(peer) && answer_frames(peer) && flush(nullptr) ? error_code{} : error_;
}

error_code channel::serve(codecs::conversation& peer) {
  error_code error;
  while (!error) error = serve_some(peer);
  return error == errc::remote_hang_up ? error_code{} : error;
}

/// One read, of bytes that are kept or of bytes that are not. Draining reads some way ahead, so that small requests take one
/// read; discarding does not, or payload would come with the head of its frame.
bool channel::take_in(codecs::conversation& peer) {
  if (receive_ == receive_strategy::store) return read_once(true);
  const auto wants = peer.skim(in_->data());
  if (wants.keep == 0) return skip(wants.skip);
  const auto room = room_to_read();
  if (room.empty()) return false;
  const auto ahead = receive_ == receive_strategy::drain ? codecs::appetite::kept_bytes : 0;
  return received(transport_->read_some(room.first(std::min(room.size(), std::max(wants.keep, ahead)))));
}

/// The frame keeps its length: room for the payload is reserved and not touched.
bool channel::skip(std::size_t size) {
  if (in_->prepare(size).empty()) return fail(codecs::fault{errc::remote_bad_length, "message"});
  const auto got = receive_ == receive_strategy::discard
                       ? transport_->discard_some(size)
                       : transport_->read_some({drain_.get(), std::min(size, drain_bytes)});
  counters_.bytes_skipped += got.bytes;
  return received(got);
}

bool channel::answer_frames(codecs::conversation& peer) {
  while (true) {
    const auto unread = in_->data();
    const auto scan = peer.scan(unread);
    if (scan.error) {
      flush(nullptr);  // replies to what came before
      return fail(scan.error);
    }
    if (scan.size == 0) {
      need_ = scan.need;
      return true;
    }
    ++counters_.frames_in;
    auto answer = peer.on_frame(unread.first(scan.size), *out_);
    counters_.frames_out += peer.take_frames_sent();
    in_->consume(scan.size);
    while (answer == codecs::answer::partly) {
      if (!flush(nullptr)) return false;
      answer = peer.go_on(*out_);
      counters_.frames_out += peer.take_frames_sent();
    }
    if (answer == codecs::answer::close) {
      flush(nullptr);
      return fail(codecs::fault{errc::remote_hang_up});
    }
    if (out_->size() > flush_bytes && !flush(nullptr)) return false;
  }
}

/// Sends all of out_. While the kernel takes no more, replies are read and, for a client, given to `op`.
bool channel::flush(codecs::exchange* op) {
  while (const int error = send_now()) {
    if (error != EAGAIN) return fail_system(error);
    if (watch_) watch_->arm();
    const auto ready = transport_->wait(op != nullptr);
    ++counters_.polls;
    if (ready.error != 0) return fail_system(ready.error);
    if (!ready.readable || op == nullptr) continue;
    if (!read_for(*op, false) || !take_early_frames(*op)) return false;
  }
  return true;
}

/// Takes what has arrived while the request is not sent to its end.
bool channel::take_early_frames(codecs::exchange& op) {
  if (!take_frames(op)) return false;
  return state_ != progress::done ||
         fail(codecs::fault{errc::remote_unexpected_message, "reply before the request's end"});
}

/// Sends what the kernel takes without waiting: all of out_, or EAGAIN.
int channel::send_now() {
  while (out_->size() != 0) {
    if (const int error = write_once(); error != 0) return error;
  }
  return 0;
}

int channel::write_once() {
  if (sender_ != nullptr) return write_once_by_sender();
  return written(transport_->write_some(unsent()));
}

/// What comes first: bytes up to the next ones that are the sender's, or those.
int channel::write_once_by_sender() {
  const auto is_its = [this](const iovec& segment) { return sender_->holds(segment.iov_base); };
  const auto list = unsent();
  const auto next = std::ranges::find_if(list, is_its);
  if (next == list.end()) return written(transport_->write_some(list));
  if (next != list.begin()) return written(transport_->write_more({list.begin(), next}));
  return written(
      sender_->send(native_handle(), {static_cast<const std::uint8_t*>(next->iov_base), next->iov_len}));
}

int channel::written(io_result moved) {
  ++counters_.writes;
  counters_.bytes_out += moved.bytes;
  if (out_->consume(moved.bytes) == 0) {
    half_sent_ = false;
    ++counters_.turns;
  } else if (moved.bytes != 0) {
    half_sent_ = true;
  }
  return moved.error;
}

/// What is still to be sent, as many segments as one call takes.
std::span<const iovec> channel::unsent() {
  const auto all = out_->segments();
  const auto count = std::min(all.size(), segments_.size());
  for (std::size_t i = 0; i < count; ++i) {
    segments_[i] = {const_cast<std::uint8_t*>(all[i].data()), all[i].size()};
  }
  return {segments_.data(), count};
}

bool channel::read_for(codecs::exchange& op, bool waiting) {
  if (!direct_) return read_once(waiting);
  const auto wanted = op.land(in_->data());
  return wanted.place.empty() ? read_once(waiting, wanted.keep) : read_to(wanted, waiting);
}

/// Payload into its place, and what is behind it into the buffer, behind room for the payload that stays untouched.
bool channel::read_to(const codecs::landing& wanted, bool waiting) {
  const auto keep = std::min(wanted.keep, read_bytes);
  const auto room = in_->prepare(wanted.place.size() + keep);
  if (room.empty()) return fail(codecs::fault{errc::remote_bad_length, "message"});
  if (receiver_ != nullptr && receiver_->holds(wanted.place.data())) {
    if (watch_ && waiting) watch_->arm();
    return received(receiver_->receive(native_handle(), wanted.place, waiting));
  }
  const iovec to[] = {{wanted.place.data(), wanted.place.size()}, {room.data() + wanted.place.size(), keep}};
  if (watch_ && waiting) watch_->arm();
  return received(transport_->read_scattered(to, waiting));
}

bool channel::read_once(bool waiting, std::size_t most) {
  auto room = room_to_read();
  if (room.empty()) return false;
  if (most < room.size()) room = room.first(most);
  if (watch_ && waiting) watch_->arm();  // each wait has the whole time-out
  return received(waiting ? transport_->read_some(room) : transport_->read_now(room));
}

/// Empty: the frame is longer than what may be held, and the channel has failed.
codecs::bytes_span channel::room_to_read() {
  const auto room = in_->prepare(std::min(need_, read_bytes));
  if (room.empty()) fail(codecs::fault{errc::remote_bad_length, "message"});
  return room;
}

bool channel::received(io_result got) {
  ++counters_.reads;
  if (got.error != 0) return got.error == EAGAIN || fail_system(got.error);
  if (got.bytes == 0) return fail(codecs::fault{errc::remote_hang_up});
  counters_.bytes_in += got.bytes;
  in_->commit(got.bytes);
  return true;
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

bool channel::fail(codecs::fault cause) {
  return fail(codecs::failure{cause, {}});
}

bool channel::fail(const codecs::failure& failure) {
  const bool half_sent = std::exchange(half_sent_, false);  // half a request is on the wire: no way back
  out_->clear();
  why_ = failure.sentence();
  error_ = make_error_code(failure.cause.code);
  if (half_sent || failure.out_of_step || codecs::breaks_stream(failure.cause.code)) return close(error_);
  return false;
}

bool channel::fail_system(int error) {
  const error_code code(error, boost::system::system_category());
  why_ = code.message();
  return close(code);
}

/// Gives the connection up. If the watchdog did it first, the peer's silence is the cause and not what followed.
bool channel::close(error_code code) {
  broken_ = true;
  transport_->shutdown();
  error_ = code;
  if (watch_ && watch_->fired()) {
    error_ = make_error_code(errc::remote_timeout);
    why_ = error_.message();
  }
  return false;
}

}  // namespace wire
