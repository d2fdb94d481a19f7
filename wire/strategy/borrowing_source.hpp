#pragma once
// What strategies share that send a file from where it is. A send buffer copies small chunks instead of borrowing them, and
// would read them in user space, where they may be gone (SIGBUS) or have never been: those are read from the file beforehand.

#include "wire/strategy/source.hpp"

#include <deque>

namespace wire {

class borrowing_source : public source {
 public:
  using source::source;

  void release() final;

 protected:
  /// As chunk(), for one that no send buffer looks into.
  virtual codecs::bytes_view borrow(std::int64_t offset, std::size_t size) = 0;

  /// So many chunks are released by now.
  virtual void released(std::uint64_t /*chunks*/) {}

  void rewound() override;

  /// With the one that borrow() is asked for.
  std::uint64_t taken() const { return taken_; }

 private:
  struct small_chunk {
    std::uint64_t number;
    std::unique_ptr<std::uint8_t[]> bytes;
  };

  codecs::bytes_view chunk(std::int64_t offset, std::size_t size) final;
  codecs::bytes_view read(std::int64_t offset, std::size_t size);

  std::deque<small_chunk> small_;
  std::uint64_t taken_ = 0;
  std::uint64_t released_ = 0;
};

}  // namespace wire
