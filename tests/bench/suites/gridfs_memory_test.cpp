#include "bench/suites/gridfs_memory.hpp"

#include "bench/report_json.hpp"
#include "bench/result_reader.hpp"
#include "bench/suites/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bench::suites {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

gridfs_memory_options two_by_two() {
  return {.clients = {"gather", libmongoc_legacy},
          .chunk_bytes = {255 * 1024, 256 * 1024},
          .file_bytes = 2 * mib};
}

/// One file of each cell: 255K costs the driver more page faults.
result made() {
  result of;
  mark(of, gridfs_memory, 0.1);
  for (auto& what : plan_gridfs_memory(two_by_two(), "null")) {
    const bool driver = what.client == libmongoc_bucket;
    const bool small = what.chunk_bytes == 255 * 1024;
    of.memory.push_back({.cell = what.id,
                         .iteration = 0,
                         .file_id = "0123456789abcdef01234567",
                         .file_bytes = 2 * mib,
                         .live_heap_peak_bytes = mib / 2,
                         .allocations = 4,
                         .rss_peak_bytes = 20 * mib,
                         .anon_peak_bytes = 3 * mib,
                         .minor_faults = driver && small ? 3000 : 1000,
                         .mmap_calls = 4,
                         .brk_calls = driver && small ? 80 : 40});
    of.cells.push_back({.what = std::move(what)});
  }
  return of;
}

bool shows(const std::string& report, const std::string& words) {
  std::string one_line = report;
  std::ranges::replace(one_line, '\n', ' ');
  const auto blanks =
      std::unique(one_line.begin(), one_line.end(), [](char a, char b) { return a == ' ' && b == ' '; });
  one_line.erase(blanks, one_line.end());
  return one_line.find(words) != std::string::npos;
}

TEST(gridfs_memory, has_every_client_at_every_chunk_size) {
  auto options = two_by_two();
  options.clients = gridfs_memory_clients();
  const auto cells = plan_gridfs_memory(options, "null");
  EXPECT_EQ(cells.size(), 2 * options.clients.size());
  std::set<std::string> ids;
  for (const auto& what : cells) ids.insert(what.id);
  EXPECT_EQ(ids.size(), cells.size());
  for (const auto* id :
       {"upload/gridfs/mmap/255K", "upload/gridfs/libmongoc/256K", "upload/gridfs/libmongoc-legacy/255K"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(gridfs_memory, runs_each_cell_once_in_an_order_of_the_seed) {
  auto order = order_of(24, 1);
  EXPECT_EQ(order, order_of(24, 1));
  EXPECT_NE(order, order_of(24, 2));
  EXPECT_FALSE(std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(gridfs_memory, a_chunk_fits_a_document) {
  auto options = two_by_two();
  options.chunk_bytes = {16 * mib - 62};
  EXPECT_TRUE(check(options).ok());
  options.chunk_bytes = {16 * mib - 61};
  EXPECT_NE(check(options).message().find("at most 16777154 do"), std::string::npos);
}

TEST(gridfs_memory, reports_its_rows_beside_what_was_published) {
  const auto text = report_gridfs_memory(made(), false);
  EXPECT_TRUE(shows(text, "a file of 2.10 MB, 0.1 x the published size")) << text;
  EXPECT_TRUE(shows(text, "gather 255K 0 0123456789abcdef01234567 2.10 0.50 20.00 3.00 1000 4 40")) << text;
  EXPECT_TRUE(shows(text, "php, 2015 255K logical 2.34 / 2.38 / 2.40 real 217.75 / 230.00 / 230.00")) << text;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    EXPECT_LE(text.find('\n', begin) - begin, 110u) << text.substr(begin, 120);
}

TEST(gridfs_memory, names_a_cause_that_was_counted_and_no_other) {
  auto of = made();
  EXPECT_TRUE(shows(
      report_gridfs_memory(of, false),
      "page faults 3000 against 1000; calls of mmap 4 against 4, of brk 80 against 40: glibc gives the end"));
  auto& small = of.memory[2];
  small.brk_calls = 40;
  EXPECT_TRUE(shows(report_gridfs_memory(of, false), "of brk 40 against 40: these do not tell why"));
  small.mmap_calls = 90;
  EXPECT_TRUE(shows(report_gridfs_memory(of, false),
                    "of mmap 90 against 4, of brk 40 against 40: glibc gives a block"));
  small.mmap_calls.reset();
  EXPECT_TRUE(shows(report_gridfs_memory(of, false), "were not counted"));
  small.minor_faults = 1100;
  EXPECT_TRUE(shows(report_gridfs_memory(of, false), "20.00 against 20.00 MiB; page faults alike"));
}

TEST(gridfs_memory, a_saved_result_knows_its_suite) {
  const auto read = read_result(report_json(made()));
  ASSERT_TRUE(read.ok()) << read.status();
  const auto* suite = find_suite(*read);
  ASSERT_NE(suite, nullptr);
  EXPECT_EQ(suite->report(*read, false), report_gridfs_memory(made(), false));
  EXPECT_EQ(find_suite(result{}), nullptr);
}

}  // namespace
}  // namespace bench::suites
