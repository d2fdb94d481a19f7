#pragma once
// Conversations as values, without I/O: an exchange is the client's side of one op, a conversation the peer's
// side of one connection. A channel (or a test) moves the bytes:
//
//   client                                             peer
//   start(out) -> more      --- request frames --->    on_frame(frame, out) -> reply | none | close
//   on_frame(frame, out)    <--- reply frames -----    (or partly, and then go_on(out) until it is all)
//     -> more | done | failed

#include "codecs/appetite.hpp"
#include "codecs/buffers.hpp"
#include "codecs/frame.hpp"

#include <limits>
#include <string>
#include <utility>

namespace codecs {

enum class progress {
  more,    ///< send what was encoded, then wait for a frame
  done,    ///< the op is complete; the stream is in step
  failed,  ///< see failure(); breaks_stream() tells whether the connection survives
};

/// Why an exchange failed. `text` is the server's own message, or empty.
struct failure {
  fault cause;
  std::string text;
  bool out_of_step =
      false;  ///< the connection is lost, whatever the cause: replies to other ops are on their way

  /// One clause for a person: what went wrong, in which field, in the server's words where there are any.
  std::string sentence() const;
};

/// Encoders know how many frames they make; a channel that had to find out would have to take them apart again.
class frame_tally {
 public:
  /// Frames encoded since the last call, for the channel to count.
  std::uint64_t take_frames_sent() { return std::exchange(frames_sent_, 0); }

 protected:
  /// To be called for every frame that is encoded.
  void sent_frames(std::uint64_t frames) { frames_sent_ += frames; }

 private:
  std::uint64_t frames_sent_ = 0;
};

/// Where the bytes go that come next, for a channel that receives directly: payload into its final place, heads around it into
/// the receive buffer. The frame keeps its length there, with nothing in particular where payload was.
struct landing {
  bytes_span place;  ///< takes the next bytes; empty: they are no payload
  /// At most so many of the bytes behind `place` are read along before the question is asked again: what is known to be head.
  std::size_t keep = std::numeric_limits<std::size_t>::max();
};

class exchange : public frame_tally {
 public:
  virtual ~exchange() = default;

  /// Encodes the first frames. `done` when no reply will come (unacknowledged writes, Terminate).
  virtual progress start(send_buffer& out) = 0;

  /// Cuts the next frame of this protocol and phase out of the unread bytes.
  virtual scan_result scan(bytes_view unread) const = 0;

  /// Takes one whole frame, as cut by scan(); it is valid during the call, and views of it until the channel
  /// reads again, which it does only after `more`. May encode further frames into `out`.
  virtual progress on_frame(bytes_view frame, send_buffer& out) = 0;

  /// Where it wants the bytes behind `unread`, in which scan() has found no whole frame. Asked before every read by a channel
  /// that receives directly, and by no other.
  virtual landing land(bytes_view /*unread*/) { return {}; }

  /// Valid after `failed`, until the next start().
  const failure& why() const { return failure_; }

 protected:
  progress fail(fault cause, std::string_view text = {}) {
    failure_.cause = cause;
    failure_.text = text;
    return progress::failed;
  }
  progress fail(errc code, const char* field, std::string_view text = {}) {
    return fail(fault{code, field}, text);
  }
  progress fail(failure why) {
    failure_ = std::move(why);
    return progress::failed;
  }

 private:
  failure failure_;
};

enum class answer {
  reply,   ///< send what was encoded
  partly,  ///< send what was encoded, then ask go_on() for more of the reply
  none,    ///< nothing to send: more frames are needed, or the request wants no reply
  close,   ///< send what was encoded, then close the connection
};

class conversation : public frame_tally {
 public:
  virtual ~conversation() = default;

  /// Cuts the next frame out of the unread bytes. A broken stream is closed by the channel.
  virtual scan_result scan(bytes_view unread) const = 0;

  /// What it wants of the bytes behind `unread`, in which scan() has found no whole frame. Asked by a channel that does not
  /// store what nobody looks at.
  virtual appetite skim(bytes_view /*unread*/) const { return {}; }

  /// Takes one whole frame, valid during the call, and appends the replies to `out`, which may still hold
  /// replies to earlier frames of the same read.
  virtual answer on_frame(bytes_view frame, send_buffer& out) = 0;

  /// After `partly`: appends the next part of the reply. So a long reply needs no memory of its length; no frame is given to the
  /// conversation before it is at its end.
  virtual answer go_on(send_buffer& /*out*/) { return answer::reply; }
};

}  // namespace codecs
