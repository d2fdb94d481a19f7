#pragma once
// The bytes of an upload, where their owner has them: in memory, or in a file.

#include "codecs/bytes.hpp"

#include "wire/strategy/pipeline_end.hpp"

#include <sys/types.h>

#include <time.h>

#include <string>
#include <variant>

namespace wire {

struct file_path {
  std::string path;
};

/// Memory outlives the upload; a file is opened for it. Neither may change before its end.
using owner = std::variant<codecs::bytes_view, file_path>;

class payload {
 public:
  payload() = default;
  payload(payload&& other) noexcept;
  payload& operator=(payload&&) = delete;
  ~payload();

  /// False when the file cannot be read or is none (a pipe and a directory have no size), see why().
  bool open(const owner& from);

  std::int64_t size() const { return size_; }
  bool in_memory() const { return fd_ < 0; }

  /// All of it, or empty for a file.
  codecs::bytes_view memory() const { return memory_; }

  /// The file's descriptor, or -1; it stays the payload's.
  int file() const { return fd_; }

  /// Copies the bytes from `offset` on, all that `to` holds, by as many reads as it takes. What that cost is added to `cost`.
  bool read(std::int64_t offset, codecs::bytes_span to, end_counters& cost);

  /// False when the file was cut or written to since open(), see why(). One fstat(2).
  bool intact(end_counters& cost);

  /// One clause for a person, with the file's name.
  const std::string& why() const { return why_; }

 private:
  bool fail(std::string why);

  codecs::bytes_view memory_;
  int fd_ = -1;
  std::int64_t size_ = 0;
  timespec written_{};  // when the file was last written to
  std::string path_;
  std::string why_;
};

}  // namespace wire
