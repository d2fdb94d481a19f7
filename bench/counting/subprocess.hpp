#pragma once
// A program that is run for what it costs: started, watched from outside, waited for.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace bench::counting {

using words = std::vector<std::string>;

struct ended {
  int status = 0;      ///< as waitpid(2) gives it
  std::string output;  ///< both outputs, as they came
};

class subprocess {
 public:
  /// Runs `command` (its first word is a path) with `variables` ("NAME=value") put before this program's environment, in a
  /// process group of its own: a terminal's Ctrl-C does not reach it. Both outputs are caught. `traced`: it stops at its
  /// first instruction, for the calling thread to trace it; FailedPrecondition where ptrace(2) is not allowed.
  static absl::StatusOr<subprocess> start(const words& command, const words& variables = {},
                                          bool traced = false);
  subprocess(subprocess&& other) noexcept;
  subprocess& operator=(subprocess&&) = delete;
  ~subprocess();  ///< kills it when it is still there

  pid_t pid() const { return pid_; }

  /// Waits for its end. `meanwhile`, when given, is called some ten times a second.
  ended end(const std::function<void()>& meanwhile = {});

  /// The same for who wants its output alone: an end other than exit code 0 is an error that quotes the last line.
  absl::StatusOr<std::string> wait();

  /// The same for who has waited for the process already: `status` as waitpid(2) gave it.
  absl::StatusOr<std::string> reaped(int status);

 private:
  subprocess(std::string name, pid_t pid, int output) : name_(std::move(name)), pid_(pid), output_(output) {}

  std::string name_;
  pid_t pid_;
  int output_;
};

/// The last line that is not blank: a program's last words tell why it ended.
std::string last_line(const std::string& text);

}  // namespace bench::counting
