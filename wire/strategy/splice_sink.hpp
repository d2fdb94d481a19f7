#pragma once
// A download into a file whose payload goes from the socket through a pipe into the page cache by splice(2), and is never seen by
// this program: for a channel that receives directly. What else comes, such as small chunks, is written as into a file_sink.

#include "wire/strategy/file_addresses.hpp"
#include "wire/strategy/file_sink.hpp"
#include "wire/strategy/pipe.hpp"
#include "wire/strategy/receiver.hpp"

namespace wire {

class splice_sink final : public file_sink, public receiver {
 public:
  wire::receiver* receiver() override { return this; }
  bool holds(const void* address) const override { return addresses_.hold(address); }
  io_result receive(int socket, codecs::bytes_span place, bool waiting) override;

  /// An address that nobody may write to; empty for more than a GiB.
  codecs::bytes_span place(std::size_t size) override;
  bool put(codecs::bytes_view bytes) override;

 private:
  void write_on();

  file_addresses addresses_;  // of what comes behind the bytes that were put
  pipe pipe_{counters_};
  int refused_ = 0;  // errno of the first write that failed
};

}  // namespace wire
