#pragma once
// Where an op's time goes inside the raw client, from stamps around its transport calls:
//
//   op begins    write          write returns    first byte     last byte    op ends
//      |--encode--|------send------|------wait------|-----recv-----|---decode---|
//
// On one cpu the peer may run before write returns, so `send` and `wait` together are the time in which the peer had the
// request; from entry into the last write to the first byte is the window that no server time can exceed. Code between
// two reads of one reply is decode; of a conversation with several requests, all that follows the first reply.
//
// Each stamp is one reading of the clock. A stage is what lies between two stamps, so it contains one reading too many,
// which is taken off once per stage (measurement method, part 2).

#include "wire/endpoint.hpp"
#include "wire/watchdog.hpp"

#include "bench/stage_times.hpp"
#include "bench/workload.hpp"

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace bench {

/// On-cpu stages come from the thread's own clock: what it does not count was waiting, wherever it happened.
enum class stamp_clock { wall, thread };

const char* name(stamp_clock clock);

/// Median cost of one reading, measured on the spot; some milliseconds.
std::int64_t reading_cost_ns(stamp_clock clock);

/// The raw client's op with stamps, over a connection to `to`. For rounds of its own: stamps cost a few per cent of a short
/// op. `dog` outlives the workload.
absl::StatusOr<std::unique_ptr<workload>> open_stamped(const std::string& op, const wire::endpoint& to,
                                                       wire::watchdog& dog, stamp_clock clock);

/// Takes the stamps. Tests drive it with a clock of their own.
class stage_ledger {
 public:
  explicit stage_ledger(std::int64_t (*now)()) : now_(now) {}

  /// The first op of a round begins; what happens before that and after end_round() (BEGIN, log-in) is not stamped.
  void begin_round();
  void end_op();
  void end_round() { on_ = false; }

  // Around the transport's calls.
  void before_write();
  void after_write();
  void after_poll();
  void before_read();
  void after_read(std::size_t bytes);

  const stage_times& totals() const { return totals_; }

 private:
  void charge(stage to);

  std::int64_t (*now_)();
  stage_times totals_;
  std::int64_t last_ns_ = 0;
  std::int64_t last_write_ns_ = 0;
  bool on_ = false;
  bool awaiting_ = false;  // a request is out, and nothing has come back yet
  bool replied_ = false;   // something has, in this op
};

}  // namespace bench
