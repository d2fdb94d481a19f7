#pragma once
// A file that is gone with its handle.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace tests {

class temp_file {
 public:
  /// Written to long ago, as far as its time stamps tell.
  explicit temp_file(std::span<const std::uint8_t> content = {}) {
    const char* const folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/wirebench-test-XXXXXX";
    fd_ = ::mkstemp(path_.data());
    EXPECT_GE(fd_, 0) << path_;
    EXPECT_EQ(::write(fd_, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    grow_old();
  }
  ~temp_file() {
    ::close(fd_);
    ::unlink(path_.c_str());
  }
  temp_file(const temp_file&) = delete;
  temp_file& operator=(const temp_file&) = delete;

  const std::string& path() const { return path_; }
  int fd() const { return fd_; }

  /// Cuts it, or adds a hole.
  void resize(std::int64_t bytes) { EXPECT_EQ(::ftruncate(fd_, bytes), 0); }

  void grow_old() {
    const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    EXPECT_EQ(::futimens(fd_, long_ago), 0);
  }

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace tests
