// `wirebench suite` as a user runs it, each at a size that takes a second.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace {

using tests::run_wirebench;
using tests::scratch;
using tests::words;

void expect_refused(const words& arguments, const std::string& sentence, int code = 2) {
  const scratch place;
  words all{"suite"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const auto run = run_wirebench(all, place);
  EXPECT_EQ(run.code, code) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(tests::lines_of(run.err), 1u) << run.err;
  EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err;
  EXPECT_TRUE(place.results().empty());
}

TEST(suite, refuses_what_cannot_be) {
  expect_refused({"tape"}, "there is no suite or option 'tape'");
  expect_refused({}, "subcommand is required");
  for (const char* scale : {"0", "-1", "1.5", "nan", "much"})
    expect_refused({"gridfs-memory", "--scale", scale},
                   std::string("'") + scale + "' is not a part of the published size");
  expect_refused({"gridfs-vs-lo", "--scale", "2"}, "'2' is not a part of the published size");
  expect_refused({"gridfs-vs-lo", "--sizes", "2K"}, "--sizes takes 1K, 10K, 1M and 10M");
  expect_refused({"gridfs-vs-lo", "--real", "mongo"}, "once for MongoDB and once for PostgreSQL");
  expect_refused({"filestore", "--scale", "0"}, "'0' is not a part of the published size");
  expect_refused({"gridfs-memory", "--chunks", "16M"}, "at most 16777154 do");
  expect_refused({"gridfs-memory", "--strategy", "tape"}, "tape");
  expect_refused({"gridfs-memory", "--real", "postgresql://127.0.0.1:1/"}, "must be a MongoDB");
  expect_refused({"gridfs-memory", "--real", "mongodb://127.0.0.1:1/", "--strategy", "mmap"},
                 "Connection refused", 1);
}

// All four warm up for half a minute on a slow machine.
TEST(gridfs_vs_lo, compares_the_sizes_that_are_asked_for) {
  const scratch place;
  const auto run =
      run_wirebench({"suite", "gridfs-vs-lo", "--sizes", "10K,1M", "--scale", "0.002", "--json"}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  ASSERT_EQ(printed["plan"]["ops"].size(), 4u);
  EXPECT_EQ(printed["cells"].size(), 14u);
  for (const auto& one : printed["cells"]) EXPECT_GT(one["rounds"].size(), 0u) << one["id"];
  ASSERT_EQ(place.results().size(), 1u);
  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* const shape :
       {"2013 pymongo", "1M", "psycopg2", "+ 10K/upload/lo-trip/gather/512K, ns/op"})
    EXPECT_NE(shown.out.find(shape), std::string::npos) << shape << "\n" << shown.out;
}

TEST(filestore, stores_on_a_folder) {
  const scratch place;
  const auto run =
      run_wirebench({"suite", "filestore", "fs", "--scale", "0.001", "--bytes", "1000", "--json"}, place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["context"]["suite"], "filestore");
  ASSERT_EQ(printed["files"].size(), 6u);
  for (const auto& row : printed["files"]) EXPECT_EQ(row["file_bytes"], 1000);
  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("2015: SQL Server"), std::string::npos) << shown.out;
}

// 300,000 bytes stored three times.
TEST(gridfs_memory, stores_a_file_by_each_client_in_a_process_of_its_own) {
  const scratch place;
  const auto run = run_wirebench({"suite", "gridfs-memory", "--file-size", "300000", "--chunks", "255K",
                                  "--strategy", "gather,sendfile,libmongoc,libmongoc-legacy", "--json"},
                                 place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  EXPECT_EQ(printed["cells"].size(), 4u);
  ASSERT_EQ(printed["memory"].size(), 12u);
  std::set<std::string> ids;
  for (const auto& row : printed["memory"]) {
    ids.insert(row["file_id"]);
    EXPECT_EQ(row["file_bytes"], 300000);
    EXPECT_GT(row["anon_peak_bytes"], 0);
    EXPECT_GE(row["rss_peak_bytes"], row["anon_peak_bytes"]);
  }
  EXPECT_EQ(ids.size(), 12u);
  ASSERT_EQ(place.results().size(), 1u);
  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("libmongoc-legacy  255K"), std::string::npos) << shown.out;
}

// A client that held the file would hold 200 MB; what mmap maps slides along, and is not anonymous.
TEST(gridfs_memory, memory_does_not_grow_with_a_sparse_file) {
  const scratch place;
  const auto run = run_wirebench({"suite", "gridfs-memory", "--file-size", "200M", "--sparse", "--iterations",
                                  "1", "--no-calls", "--chunks", "1M", "--strategy", "mmap", "--json"},
                                 place);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto printed = nlohmann::json::parse(run.out);
  ASSERT_EQ(printed["memory"].size(), 1u);
  const auto& row = printed["memory"][0];
  EXPECT_EQ(row["file_bytes"], 200 * 1024 * 1024);
  EXPECT_TRUE(row["mmap_calls"].is_null());
  EXPECT_LT(row["anon_peak_bytes"], 100 * 1024 * 1024);
}

}  // namespace
