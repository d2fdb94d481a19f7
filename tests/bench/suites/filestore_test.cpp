#include "bench/suites/filestore.hpp"

#include "bench/suites/suite.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

namespace bench::suites {
namespace {

TEST(filestore, is_as_large_as_what_was_published) {
  const auto whole = filestore_options(1);
  EXPECT_EQ(whole.files, 1000u);
  EXPECT_EQ(whole.bytes, 10'000'000u);
  EXPECT_EQ(whole.threads, 20u);
  EXPECT_EQ(whole.per_thread, 50u);
  EXPECT_EQ(whole.repetitions, 5u);
  const auto least = filestore_options(0.0001);
  EXPECT_EQ(least.files, 20u);  // one for each thread
  EXPECT_EQ(least.per_thread, 1u);
  EXPECT_EQ(least.bytes, 10'000'000u);
}

void add_phase(result& to, const std::string& phase, std::vector<std::int64_t> seconds) {
  cell one;
  one.what = {.id = phase + "/gridfs",
              .op = phase,
              .rung = "real",
              .client = "raw",
              .peer = "MongoDB 9",
              .transport = "tcp",
              .placement = "unpinned"};
  for (std::size_t i = 0; i < seconds.size(); ++i)
    one.rounds.push_back({.row = i, .ops = 10, .elapsed_ns = seconds[i] * 1'000'000'000});
  summarize(one);
  to.files.push_back({.cell = one.what.id,
                      .store = "gridfs",
                      .how = "chunks",
                      .phase = phase,
                      .threads = 1,
                      .file_bytes = 10'000'000,
                      .files = 10 * seconds.size(),
                      .client_peak_bytes = 60'000'000,
                      .server_peak_bytes = 1'627'000'000,
                      .disk_bytes = 12'000'000'000});
  to.cells.push_back(std::move(one));
}

// Registering 1, 2, 3 s and storing 10, 20, 40 s: 11, 22 and 43 s together.
TEST(filestore, shows_registering_and_storing_apart_and_together) {
  result made;
  mark(made, filestore, 0.01);
  add_phase(made, "register", {1, 2, 3});
  add_phase(made, "store", {10, 20, 40});
  add_phase(made, "register_threads", {1, 1, 1});
  add_phase(made, "store_threads", {4, 5, 6});
  const auto text = report_filestore(made, false);
  std::istringstream lines(text.substr(text.find("\n  gridfs ") + 1));
  std::string line;
  std::getline(lines, line);
  std::istringstream words(line);
  EXPECT_EQ((std::vector<std::string>{std::istream_iterator<std::string>(words), {}}),
            (std::vector<std::string>{"gridfs", "22.00", "(11.00-43.00)", "2.00", "20.00", "6.00",
                                      "(5.00-7.00)", "12000", "60.00", "1627"}))
      << text;
  EXPECT_NE(text.find("2015: GridFS"), std::string::npos);
  EXPECT_NE(text.find("store_threads"), std::string::npos) << "the phases are missing";
}

}  // namespace
}  // namespace bench::suites
