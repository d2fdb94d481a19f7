#include "tools/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tools {

using namespace std::chrono_literals;

progress_bar::progress_bar(bool quiet)
    : visible_(!quiet && ::isatty(STDERR_FILENO) == 1), began_(clock::now()), redraw_(began_ + 2s) {}

void progress_bar::show(double share, const std::string& text) {
  const auto now = clock::now();
  if (!visible_ || now < redraw_) return;
  redraw_ = now + 100ms;
  drawn_ = true;
  constexpr int width = 30;
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
  const double spent = std::chrono::duration<double>(now - began_).count();
  const double left = share > 0 ? spent / share - spent : 0;
  fmt::print(stderr, "\r\033[K[{:=<{}}{: <{}}] {:3.0f} %  {:.0f} s left  {}", "", full, "", width - full,
             share * 100, std::max(left, 0.0), text);
  std::fflush(stderr);
}

void progress_bar::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace tools
