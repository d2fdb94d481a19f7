#pragma once
// A program run as a user runs it: words and environment in; exit code, stdout and stderr out.

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace tests {

using words = std::vector<std::string>;

/// A folder of its own, for results and temporary files; it goes with the handle.
class scratch {
 public:
  scratch();
  ~scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  std::string path(const std::string& below = {}) const { return path_ + below; }

  /// The results that a run has left here, whole files alone.
  std::vector<std::string> results() const;

 private:
  std::string path_;
};

struct ended {
  int code = -1;  ///< exit code, 128 + number of the signal, or -1: it had to be killed
  std::string out;
  std::string err;
};

/// A program at work. It is killed with its handle.
class command {
 public:
  /// Runs `arguments[0]` with XDG_STATE_HOME and TMPDIR in `place`.
  command(words arguments, const scratch& place);
  ~command();
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;

  /// The first line of its output; empty when none comes within ten seconds.
  std::string first_line();

  /// Its child processes, of which it waits for the first; empty when none comes within ten seconds.
  std::vector<pid_t> await_children() const;

  /// Waits until it has ended and until nobody holds its output any more: a child process that it leaves
  /// behind holds it. After `seconds` it is killed.
  ended wait(int seconds = 60);

 private:
  bool read_more(int timeout_ms);
  int reap();

  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  ended so_far_;
};

/// The program under test, named by the environment: WIREBENCH, and what stands beside it.
std::string wirebench();
std::string program_beside_wirebench(const std::string& name);

/// `wirebench arguments...`, to its end.
ended run_wirebench(words arguments, const scratch& place);
ended run_wirebench(words arguments);

/// A `wirebench serve` at work.
class served {
 public:
  explicit served(const std::string& protocol, const words& more = {});

  std::string uri() const { return uri_; }
  int port() const;
  command& program() { return program_; }

 private:
  scratch place_;
  command program_;
  std::string uri_;
};

std::size_t lines_of(std::string_view text);

/// `text` without the lines that warn of the machine ("W-LOAD ..."), which a test cannot foresee.
std::string without_warnings(const std::string& text);
std::string whole_file(const std::string& path);

}  // namespace tests
