#pragma once
// A download into a file: one write(2) per chunk, from where the chunk was received.

#include "wire/strategy/sink.hpp"

namespace wire {

class file_sink : public sink {
 public:
  /// When the bytes are called written: `page_cache`: the system has them; `disk`: they would survive a power cut (fsync).
  enum class durability { page_cache, disk };

  file_sink() = default;
  file_sink(const file_sink&) = delete;
  file_sink& operator=(const file_sink&) = delete;
  ~file_sink() override;

  /// Creates the file, or empties it. False: see why(). What was written of a download that failed stays there.
  bool open(const std::string& path);

  bool put(codecs::bytes_view bytes) override;

  /// After the last put(); a file system may say only here that there was no space.
  bool close(durability until);

 protected:
  /// With the words of errno.
  bool fail_system();

  int fd() const { return fd_; }

 private:
  int fd_ = -1;
  std::string path_;
};

}  // namespace wire
