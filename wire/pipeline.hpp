#pragma once
// One upload or download as a whole: source -> framing -> channel, or channel -> framing -> sink, and what it took.

#include "wire/channel.hpp"
#include "wire/strategy/sink.hpp"
#include "wire/strategy/source.hpp"

namespace wire {

/// All of it from one transfer's first byte to its last; counts are exact.
struct transfer_report {
  std::int64_t payload_bytes = 0;  ///< taken from the source or put into the sink
  std::uint64_t wire_bytes_out = 0;
  std::uint64_t wire_bytes_in = 0;
  std::uint64_t frames_out = 0;
  std::uint64_t frames_in = 0;
  std::uint64_t socket_calls = 0;    ///< system calls of the channel
  std::uint64_t end_calls = 0;       ///< system calls of the source or the sink
  std::uint64_t copied_bytes = 0;    ///< payload copied in user space, by buffers, source or sink
  std::uint64_t zerocopy_sends = 0;  ///< as of end_counters
  std::uint64_t zerocopy_copies = 0;
  std::uint64_t round_trips = 0;  ///< times that this side had sent everything and waited for the peer
  std::int64_t cpu_ns = 0;        ///< of the calling thread, in the kernel too
  std::int64_t minor_faults = 0;  ///< of the calling thread, and so major ones
  std::int64_t major_faults = 0;

  std::uint64_t syscalls() const { return socket_calls + end_calls; }
};

/// How many zero-copy sends the kernel has copied anyway, as a sentence; empty: there were no such sends.
std::string zerocopy_remark(std::uint64_t sends, std::uint64_t copies);

struct transfer_outcome {
  error_code error;
  std::string why;  ///< after an error: one clause for a person
};

struct transfer_result : transfer_outcome {
  transfer_report report;  ///< after an error: up to there
};

/// Runs `framing`, an exchange that takes its chunks from `from`. What is no longer there when it is sent, because a file
/// has shrunk under a strategy that borrows from it, is errc::local_payload, and costs the connection.
transfer_result transfer(channel& over, codecs::exchange& framing, source& from);

/// Runs `framing`, an exchange that puts its chunks into `to`.
transfer_result transfer(channel& over, codecs::exchange& framing, sink& to);

/// The same without the report, and so without what is read for it, for callers that take the time.
transfer_outcome move(channel& over, codecs::exchange& framing, source& from);
transfer_outcome move(channel& over, codecs::exchange& framing, sink& to);

}  // namespace wire
