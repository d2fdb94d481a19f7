#pragma once
// What strategies share that have the kernel send a file, and never see its bytes. What take() answers are addresses with no memory
// behind them: a framing that looks at its payload (a checksum) ends by SIGSEGV. A file that ends too early is an error of the
// write that finds nothing there. Neither sendfile(2) nor splice(2) knows MSG_NOSIGNAL: the program ignores SIGPIPE.

#include "wire/strategy/borrowing_source.hpp"
#include "wire/strategy/file_addresses.hpp"
#include "wire/strategy/sender.hpp"

namespace wire {

class unread_source : public borrowing_source, public sender {
 public:
  using borrowing_source::borrowing_source;

  wire::sender* sender() final { return this; }
  bool holds(const void* address) const final { return addresses_.hold(address); }
  io_result send(int socket, codecs::bytes_view bytes) final {
    return send_from(addresses_.offset_of(bytes.data()), bytes.size(), socket);
  }

 protected:
  /// As send(), of the file's `size` bytes from `offset` on.
  virtual io_result send_from(std::int64_t offset, std::size_t size, int socket) = 0;

 private:
  codecs::bytes_view borrow(std::int64_t offset, std::size_t size) final;

  file_addresses addresses_;
};

}  // namespace wire
