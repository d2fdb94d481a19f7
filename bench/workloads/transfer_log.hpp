#pragma once
// What a raw client puts on the wire for one file, in a form that another file can be sent in: payload by its place in the file, all
// else byte by byte; and how many bytes it reads in between.

#include "wire/transport.hpp"

#include "bench/workloads/transfer_payload.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace bench::workloads {

class transfer_log {
 public:
  struct segment {
    bool payload;
    std::size_t begin;  ///< in the file, or in encoded()
    std::size_t size;
  };
  /// All that is sent until the client waits, and what has come when it goes on sending.
  struct trip {
    std::vector<segment> sent;
    std::size_t reply_bytes = 0;
  };

  /// `payload` outlives the log, and the client sends its memory.
  explicit transfer_log(const transfer_payload& payload) : payload_(payload) {}

  /// From here on; until end() what goes over the transport is written down.
  void begin() { on_ = true; }
  void end() { on_ = false; }

  const std::vector<trip>& trips() const { return trips_; }
  codecs::bytes_view encoded() const { return encoded_; }

  // What the transport tells.
  void sent(std::span<const iovec> segments, std::size_t bytes);
  void received(std::size_t bytes, bool waited);

 private:
  void add(codecs::bytes_view bytes);

  const transfer_payload& payload_;
  bool on_ = false;
  bool waited_ = true;
  std::vector<trip> trips_;
  std::vector<std::uint8_t> encoded_;
};

/// `under`, and its reads and writes told to `log`, which outlives it.
std::unique_ptr<wire::transport> log_transport(std::unique_ptr<wire::transport> under, transfer_log& log);

}  // namespace bench::workloads
