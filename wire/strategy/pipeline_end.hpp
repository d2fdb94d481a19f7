#pragma once
// What the two ends of a pipeline count of themselves; what crosses the socket is counted by the channel.

#include <cstdint>

namespace wire {

struct end_counters {
  std::int64_t payload_bytes = 0;     ///< taken from a source, put into a sink
  std::uint64_t syscalls = 0;         ///< of its own: reads, writes, maps
  std::uint64_t copied_bytes = 0;     ///< payload copied in user space; what read(2) and write(2) copy is not
  std::uint64_t zerocopy_sends = 0;   ///< that the kernel was asked not to copy
  std::uint64_t zerocopy_copies = 0;  ///< those of them that it copied anyway
};

class pipeline_end {
 public:
  /// Since it was made; exact.
  const end_counters& counters() const { return counters_; }

 protected:
  ~pipeline_end() = default;

  end_counters counters_;
};

}  // namespace wire
