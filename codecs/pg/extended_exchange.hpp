#pragma once
// Base of the exchanges whose replies come one by one in the order of the requests, up to the Z of one Sync. After an
// error the server skips to that Sync, and so nothing but the Z is awaited.

#include "codecs/pg/extended.hpp"
#include "codecs/pg/session.hpp"

namespace codecs::pg {

class extended_exchange : public session_exchange {
 protected:
  using session_exchange::session_exchange;

  enum class expected { parse_complete, parameters, columns, bind_complete, rows, complete, ready };

  /// A reply that has its place at `now` alone, decoded with `bad`; `next` is expected behind it.
  progress advance(expected now, expected next, fault bad) {
    if (expected_ != now) return unexpected();
    expected_ = next;
    return settle(bad);
  }

  /// Messages that are no reply to one of the requests: an error, the Z, and what may come at any time.
  progress on_other(bytes_view frame) {
    if (frame[0] == reply::ready_for_query) {
      return expected_ == expected::ready ? on_ready(frame) : unexpected();
    }
    if (frame[0] == reply::error_response) expected_ = expected::ready;
    return on_any_time(frame);
  }

  expected expected_ = expected::ready;
};

}  // namespace codecs::pg
