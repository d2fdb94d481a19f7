#pragma once
// The polite end: X, to which nothing is answered.

#include "codecs/pg/session.hpp"

namespace codecs::pg {

class terminate_exchange final : public session_exchange {
 public:
  using session_exchange::session_exchange;

  progress start(send_buffer& out) override {
    writer to(out);
    encode_bare(to, request::terminate);
    return sent(to) == progress::more ? progress::done : progress::failed;
  }

  progress on_frame(bytes_view, send_buffer&) override { return unexpected(); }
};

}  // namespace codecs::pg
