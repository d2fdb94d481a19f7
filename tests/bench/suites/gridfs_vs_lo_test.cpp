#include "bench/suites/gridfs_vs_lo.hpp"

#include "bench/compare.hpp"
#include "bench/report_json.hpp"
#include "bench/result_reader.hpp"
#include "bench/suites/suite.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace bench::suites {
namespace {

/// A peer that nobody asks for anything but its name and address.
class named_peer final : public peer {
 public:
  explicit named_peer(std::string uri) : uri_(std::move(uri)) {}
  std::string name() const override { return "null"; }
  std::string tcp_uri() const override { return uri_; }
  std::optional<std::string> unix_uri() const override { return std::nullopt; }
  std::optional<pid_t> pid() const override { return std::nullopt; }
  std::optional<traffic> counted() const override { return std::nullopt; }
  std::unique_ptr<codecs::conversation> converse() const override { return nullptr; }

 private:
  std::string uri_;
};

TEST(gridfs_vs_lo, sets_both_against_each_other_level_by_level) {
  const named_peer mongo("mongodb://127.0.0.1:1/"), pg("postgresql://127.0.0.1:1/");
  const auto payload = workloads::transfer_payload::make({.file_bytes = 1024}, "");
  ASSERT_TRUE(payload.ok());
  wire::watchdog dog(std::chrono::seconds(1));
  const sweep_peers all{.mongo = &mongo, .pg = &pg, .real_mongo = &mongo, .real_pg = &pg};
  const auto contests = plan_gridfs_vs_lo(1024, all, **payload, dog);
  ASSERT_EQ(contests.size(), 4u);
  std::vector<std::string> ops;
  std::set<std::string> ids;
  std::size_t cells = 0;
  for (const auto& one : contests) {
    ops.push_back(one.op);
    cells += one.cells.size();
    for (const auto& cell : one.cells) {
      ids.insert(cell.what.id);
      EXPECT_EQ(cell.what.op, one.op);
      EXPECT_EQ(cell.group_with, one.op);
    }
    EXPECT_EQ(one.cells[0].what.framing, "gridfs");
    EXPECT_EQ(one.cells[1].what.id, one.cells[0].what.id + "/again");
  }
  EXPECT_EQ(ops,
            (std::vector<std::string>{"1K raw null", "1K driver null", "1K raw real", "1K driver real"}));
  EXPECT_EQ(cells, 14u);  // raw: GridFS twice, two kinds of large object; drivers: GridFS twice, large object
  EXPECT_EQ(ids.size(), cells);
  EXPECT_EQ(plan_gridfs_vs_lo(1024, {.mongo = &mongo, .pg = &pg}, **payload, dog).size(), 2u);
}

/// GridFS at 1 ms per file, large objects at 0.5 ms.
result made() {
  result of;
  mark(of, gridfs_vs_lo, 0.1);
  const std::pair<const char*, double> times[] = {{"gridfs", 1e6}, {"gridfs/again", 1e6}, {"lo-trip", 5e5}};
  for (const auto& [name, ns] : times) {
    auto one = made_cell(name, "null", "raw", wandering(ns, 24, 0.01));
    one.what.op = "1K raw null";
    one.what.framing = std::string(name).substr(0, std::string(name).find('/'));
    one.what.payload_bytes = 1024;
    of.cells.push_back(std::move(one));
  }
  of.comparisons = compare_with_first(of.cells, 0.02);
  return of;
}

std::vector<std::string> words_of_line(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream words(line);
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(gridfs_vs_lo, reports_ops_per_second_with_verdict_and_what_was_published) {
  const auto text = report_gridfs_vs_lo(made(), false);
  const auto row = words_of_line(text, " 1K    240 null");
  ASSERT_EQ(row.size(), 15u) << text;
  EXPECT_EQ(row[4], "1000");  // files per second, and of large objects
  EXPECT_EQ(row[8], "2000");
  EXPECT_EQ(row[11], "0.500");
  EXPECT_EQ(row.back(), "faster");
  // 10,000 files in 21.73 s and in 23.52 s
  EXPECT_EQ(
      words_of_line(text, " 1K  10000 2013"),
      (std::vector<std::string>{"1K", "10000", "2013", "pymongo", "460.2", "psycopg2", "425.2", "1.082"}))
      << text;
  EXPECT_NE(text.find("x gridfs, ns/op\n+ lo-trip, ns/op\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("again, ns/op"), std::string::npos) << text;
  EXPECT_NE(text.find("Difference at 95.0% confidence"), std::string::npos) << text;
}

TEST(gridfs_vs_lo, a_saved_result_knows_its_suite) {
  const auto read = read_result(report_json(made()));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_NE(find_suite(*read), nullptr);
  EXPECT_EQ(find_suite(*read)->report(*read, false), report_gridfs_vs_lo(made(), false));
}

}  // namespace
}  // namespace bench::suites
