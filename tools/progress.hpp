#pragma once
// A progress bar on stderr: only on a terminal, and only for what takes longer than two seconds.

#include <chrono>
#include <string>

namespace tools {

class progress_bar {
 public:
  /// `quiet`: never shown.
  explicit progress_bar(bool quiet);
  ~progress_bar() { clear(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// `share` of the whole, 0 to 1. Redrawn at most ten times a second: each redraw costs time on a cpu that is measured.
  void show(double share, const std::string& text);

  /// Takes the bar off the screen, so that a line can be printed.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  bool visible_;
  bool drawn_ = false;
  clock::time_point began_;
  clock::time_point redraw_;
};

}  // namespace tools
