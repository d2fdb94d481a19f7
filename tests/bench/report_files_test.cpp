#include "bench/report_files.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace bench {
namespace {

/// Twice ten files of 1,000,000 bytes in 2 s and in 4 s.
result made_files() {
  result made;
  cell one;
  one.what = {.id = "store/gridfs",
              .op = "store",
              .rung = "real",
              .client = "raw",
              .peer = "MongoDB 9",
              .transport = "tcp",
              .placement = "unpinned"};
  one.rounds = {{.row = 0, .ops = 10, .elapsed_ns = 2'000'000'000},
                {.row = 1, .ops = 10, .elapsed_ns = 4'000'000'000}};
  summarize(one);
  made.cells = {one};
  made.files = {{.cell = "store/gridfs",
                 .store = "gridfs",
                 .how = "chunks of 7 bytes",
                 .phase = "store",
                 .threads = 3,
                 .file_bytes = 1'000'000,
                 .files = 20,
                 .payload_bytes = 20'000'000,
                 .failed = 2,
                 .errors = {{"timeout", 2, "no answer"}},
                 .client_peak_bytes = 60'000'000,
                 .server_peak_bytes = 1'627'000'000,
                 .server_processes = 2,
                 .disk_bytes = 12'000'000}};
  return made;
}

std::vector<std::string> words_behind(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(start) != 2) continue;
    std::istringstream words(line.substr(2 + start.size()));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(ReportFiles, ShowsAPhase) {
  const auto text = report_files(made_files(), false);
  // 10 files in 3 s, the median: 3.33 files and MB per second
  EXPECT_EQ(words_behind(text, "store "),
            (std::vector<std::string>{"3", "20", "3.000", "3.33", "3.33", "-", "-", "-"}))
      << text;
  EXPECT_NE(text.find("client 60.0 MB (store), server 1627.0 MB (store; 2 processes"), std::string::npos)
      << text;
  EXPECT_NE(text.find("disk: 12.0 MB"), std::string::npos) << text;
  EXPECT_NE(text.find("errors: 2 x timeout; the first: no answer"), std::string::npos) << text;
  EXPECT_NE(text.find("retries: none"), std::string::npos) << text;
  EXPECT_NE(text.find("gridfs on MongoDB 9 over tcp"), std::string::npos) << text;
}

TEST(ReportFiles, FitsATerminal) {
  std::istringstream lines(report_files(made_files(), false));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

}  // namespace
}  // namespace bench
