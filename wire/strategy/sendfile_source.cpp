// Chunks that are sent from the page cache by sendfile(2) and never seen by this program.

#include "wire/strategy/no_waiting.hpp"
#include "wire/strategy/sources.hpp"
#include "wire/strategy/unread_source.hpp"
#include "wire/system_call.hpp"

#include <sys/sendfile.h>

namespace wire {
namespace {

class sendfile_source final : public unread_source {
 public:
  using unread_source::unread_source;

 private:
  io_result send_from(std::int64_t offset, std::size_t size, int socket) override {
    const no_waiting mode(socket, counters_);
    const auto sent = outcome(retry([&] { return ::sendfile(socket, payload_.file(), &offset, size); }));
    return sent.bytes == 0 && sent.error == 0 ? io_result{0, ENODATA} : sent;
  }
};

}  // namespace

std::unique_ptr<source> make_sendfile_source(payload from, const source_options&) {
  return std::make_unique<sendfile_source>(std::move(from));
}

}  // namespace wire
