#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace tests {
namespace {

using clock = std::chrono::steady_clock;

std::vector<char*> pointers(words& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// This program's environment with variables of the child's own before it.
words environment(words first) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("XDG_STATE_HOME=") && !text.starts_with("TMPDIR=")) first.emplace_back(text);
  }
  return first;
}

/// What has come is appended; false: the other end is closed.
bool append_some(int fd, std::string& to) {
  char piece[65536];
  const auto got = ::read(fd, piece, sizeof piece);
  if (got > 0) to.append(piece, static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

scratch::scratch() : path_(::testing::TempDir() + "wirebench-cli-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "cannot make " << path_;
  std::filesystem::create_directory(path("/tmp"));
}

scratch::~scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> scratch::results() const {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(path("/wirebench"), none))
    found.push_back(entry.path());
  return found;
}

command::command(words arguments, const scratch& place) {
  int out[2];
  int err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) {
    ADD_FAILURE() << "no pipe";
    return;
  }
  auto variables = environment({"XDG_STATE_HOME=" + place.path(), "TMPDIR=" + place.path("/tmp")});
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  const int error = ::posix_spawn(&pid_, arguments.front().c_str(), &actions, nullptr,
                                  pointers(arguments).data(), pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
  if (error != 0) {
    pid_ = -1;
    ADD_FAILURE() << "cannot run " << arguments.front();
  }
}

command::~command() {
  if (pid_ > 0) {
    signal(SIGKILL);
    reap();
  }
  if (out_ >= 0) ::close(out_);
  if (err_ >= 0) ::close(err_);
}

void command::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

std::vector<pid_t> command::await_children() const {
  const auto pid = std::to_string(pid_);
  std::vector<pid_t> children;
  for (int i = 0; i < 500 && children.empty(); ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::istringstream list(whole_file("/proc/" + pid + "/task/" + pid + "/children"));
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

/// Takes what the program has written; false when nothing came in time or when nobody can write any more.
bool command::read_more(int timeout_ms) {
  pollfd sources[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // a negative descriptor is skipped
  if ((out_ < 0 && err_ < 0) || ::poll(sources, 2, timeout_ms) <= 0) return false;
  const auto take = [](const pollfd& source, int& fd, std::string& to) {
    if (source.revents == 0 || append_some(fd, to)) return;
    ::close(fd);
    fd = -1;
  };
  take(sources[0], out_, so_far_.out);
  take(sources[1], err_, so_far_.err);
  return true;
}

std::string command::first_line() {
  const auto complete = [this] { return so_far_.out.find('\n') != std::string::npos; };
  while (!complete() && read_more(10'000)) {
  }
  return complete() ? so_far_.out.substr(0, so_far_.out.find('\n')) : std::string();
}

int command::reap() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ended command::wait(int seconds) {
  const auto until = clock::now() + std::chrono::seconds(seconds);
  while (out_ >= 0 || err_ >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now()).count();
    if (left > 0 && read_more(static_cast<int>(left))) continue;
    signal(SIGKILL);
    reap();
    return {-1, so_far_.out, so_far_.err + "\n[killed by the test]\n"};
  }
  so_far_.code = reap();
  return so_far_;
}

std::string wirebench() {
  const char* path = std::getenv("WIREBENCH");
  return path != nullptr ? path : "WIREBENCH is not set";
}

std::string program_beside_wirebench(const std::string& name) {
  return std::filesystem::path(wirebench()).parent_path() / name;
}

ended run_wirebench(words arguments, const scratch& place) {
  arguments.insert(arguments.begin(), wirebench());
  return command(std::move(arguments), place).wait();
}

ended run_wirebench(words arguments) {
  return run_wirebench(std::move(arguments), scratch());
}

static words serve_words(const std::string& protocol, const words& more) {
  words all{wirebench(), "serve", protocol, "--port", "0"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

served::served(const std::string& protocol, const words& more)
    : program_(serve_words(protocol, more), place_), uri_(program_.first_line()) {}

int served::port() const {
  const auto colon = uri_.rfind(':');
  return colon == std::string::npos ? 0 : std::atoi(uri_.c_str() + colon + 1);
}

std::size_t lines_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string without_warnings(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("W-")) kept += line + "\n";
  }
  return kept;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tests
