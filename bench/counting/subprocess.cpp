#include "bench/counting/subprocess.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace bench::counting {
namespace {

constexpr int not_traced = 125;
constexpr int not_found = 127;

std::vector<char*> pointers(const words& texts) {
  std::vector<char*> all;
  for (const auto& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

words environment(words first) {
  for (char** entry = environ; *entry != nullptr; ++entry) first.emplace_back(*entry);
  return first;
}

/// In the child: no allocation, since other threads may have held the heap's locks at the fork.
[[noreturn]] void become(char* const* command, char* const* variables, int output, bool traced) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close_range(3, ~0U, 0);
  if (traced && ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(not_traced);
  ::execve(command[0], command, variables);
  ::_exit(not_found);
}

/// What has come is appended; false: nobody holds the other end any more.
bool read_some(int output, std::string& to) {
  char piece[4096];
  const auto got = ::read(output, piece, sizeof piece);
  if (got > 0) to.append(piece, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

absl::Status failure_of(const std::string& name, const ended& how) {
  if (how.status == 0) return absl::OkStatus();
  if (WIFEXITED(how.status) && WEXITSTATUS(how.status) == not_traced)
    return absl::FailedPreconditionError("this process may not trace another one");
  const auto what = WIFEXITED(how.status) ? fmt::format("exit code {}", WEXITSTATUS(how.status))
                                          : fmt::format("signal {}", WTERMSIG(how.status));
  return absl::InternalError(fmt::format("{} ended with {}: {}", name, what, last_line(how.output)));
}

}  // namespace

absl::StatusOr<subprocess> subprocess::start(const words& command, const words& variables, bool traced) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "cannot make a pipe");
  const auto all_variables = environment(variables);
  const auto command_pointers = pointers(command);
  const auto variable_pointers = pointers(all_variables);
  const pid_t pid = ::fork();
  if (pid == 0) become(command_pointers.data(), variable_pointers.data(), ends[1], traced);
  const int error = errno;
  ::close(ends[1]);
  subprocess started(command.front(), pid, ends[0]);
  if (pid < 0) return absl::ErrnoToStatus(error, fmt::format("cannot start {}", command.front()));
  return started;
}

subprocess::subprocess(subprocess&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)) {}

subprocess::~subprocess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (output_ >= 0) ::close(output_);
}

ended subprocess::end(const std::function<void()>& meanwhile) {
  ended how;
  for (bool open = true; open;) {
    pollfd output{output_, POLLIN, 0};
    if (::poll(&output, 1, meanwhile ? 100 : -1) > 0) open = read_some(output_, how.output);
    if (meanwhile) meanwhile();
  }
  while (::waitpid(pid_, &how.status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return how;
}

absl::StatusOr<std::string> subprocess::wait() {
  auto how = end();
  if (auto status = failure_of(name_, how); !status.ok()) return status;
  return std::move(how.output);
}

absl::StatusOr<std::string> subprocess::reaped(int status) {
  pid_ = -1;
  ended how{.status = status};
  while (read_some(output_, how.output)) {
  }
  if (auto failure = failure_of(name_, how); !failure.ok()) return failure;
  return std::move(how.output);
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "it wrote nothing";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);  // npos + 1 is 0
}

}  // namespace bench::counting
