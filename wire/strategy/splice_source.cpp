// Chunks that go from the page cache through a pipe to the socket by splice(2), and are never seen by this program.

#include "wire/strategy/no_waiting.hpp"
#include "wire/strategy/pipe.hpp"
#include "wire/strategy/sources.hpp"
#include "wire/strategy/unread_source.hpp"
#include "wire/system_call.hpp"

namespace wire {
namespace {

class splice_source final : public unread_source {
 public:
  using unread_source::unread_source;

 private:
  /// What the socket does not take stays in the pipe: it is what is sent next.
  io_result send_from(std::int64_t offset, std::size_t size, int socket) override {
    if (pipe_.held() == 0) {
      ++counters_.syscalls;
      const auto got = pipe_.fill(payload_.file(), &offset, size);
      if (got.error != 0) return got;
      if (got.bytes == 0) return {0, ENODATA};
    }
    const no_waiting mode(socket, counters_);
    return pipe_.empty(socket, nullptr, pipe_.held(), pipe_.held() < size);
  }

  void rewound() override {
    unread_source::rewound();
    if (pipe_.held() != 0) pipe_.close();  // of an upload that failed
  }

  pipe pipe_{counters_};
};

}  // namespace

std::unique_ptr<source> make_splice_source(payload from, const source_options&) {
  return std::make_unique<splice_source>(std::move(from));
}

}  // namespace wire
