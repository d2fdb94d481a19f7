#include "bench/report_docs.hpp"

#include "bench/report_json.hpp"
#include "bench/result_reader.hpp"

#include "tests/bench/made_cells.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace bench {
namespace {

/// 1,000,000 documents of 385 bytes in 50 s through raw and 100 s through libmongoc.
result made_docs() {
  result made;
  made.plan = {.seed = 1, .cpu = 1, .delta = 0.02, .ops = {}};
  auto raw = made_cell("insert/tcp0/raw", "tcp0", "raw", wandering(50'000, 40, 0.01));
  auto driver = made_cell("insert/driver/libmongoc", "driver", "libmongoc", wandering(100'000, 40, 0.01));
  raw.what.op = driver.what.op = "insert";
  made.cells = {raw, driver};
  made.comparisons = {{.asks = question::overhead,
                       .op = "insert",
                       .a = raw.what.id,
                       .b = driver.what.id,
                       .ratio = 2.0,
                       .lo = 1.98,
                       .hi = 2.02,
                       .difference_ns = 50'000,
                       .difference_lo_ns = 49'000,
                       .difference_hi_ns = 51'000,
                       .rows = 40}};
  made.warnings = {{"W-LOAD", "load 3", "other programs run", "stop them", ""},
                   {"W-ROWS", "null: 2 of 6 rows", "too few rows", "more documents", "insert"}};
  docs_row row{.cell = raw.what.id,
               .threads = 10,
               .batch = 200,
               .document_bytes = 385,
               .documents = 1'000'000,
               .payload_bytes = 385'000'000,
               .errors = 0,
               .elapsed_ns = 50'000'000'000,
               .bytes_out = 385'455'000,
               .bytes_in = 225'000,
               .stored_bytes = 385'000'000,
               .client_cpu_ns = 10'000'000'000,
               .server_cpu_ns = 62'500'000'000};
  made.docs.push_back(row);
  row.cell = driver.what.id;
  row.elapsed_ns *= 2;
  row.bytes_out = row.bytes_in = row.stored_bytes = std::nullopt;
  row.server_cpu_ns = std::nullopt;
  row.errors = 3;
  made.docs.push_back(row);
  return made;
}

/// The words of the line that starts with these words.
std::vector<std::string> words_after(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find_first_not_of(' ');
    if (at == std::string::npos || line.compare(at, start.size(), start) != 0) continue;
    std::istringstream rest(line.substr(at + start.size()));
    return {std::istream_iterator<std::string>(rest), {}};
  }
  return {};
}

TEST(ReportDocs, ShowsEveryClientWithItsFigures) {
  const auto text = report_docs(made_docs(), false);
  // 1,000,000 in 50 s; 385 MB in 50 s; server 62.5 of 50 s, client 10 of 50 s.
  EXPECT_EQ(words_after(text, "null raw"),
            (std::vector<std::string>{"1000000", "50.000", "20000", "7.70", "385455000", "225000",
                                      "385000000", "125.0", "20.0", "0"}))
      << text;
  EXPECT_EQ(
      words_after(text, "null libmongoc"),
      (std::vector<std::string>{"1000000", "100.000", "10000", "3.85", "-", "-", "-", "-", "10.0", "3"}))
      << text;
  EXPECT_NE(text.find("documents of 385 bytes, 200 per command, 10 threads"), std::string::npos) << text;
  EXPECT_NE(text.find("libmongoc over raw: 2.000 [1.980, 2.020] times the time, +50.00 [+49.00, +51.00] us"),
            std::string::npos)
      << text;
  EXPECT_LT(text.find("W-LOAD"), text.find("documents of 385")) << "about the whole run";
  EXPECT_GT(text.find("W-ROWS"), text.find("\ninsert\n")) << "about the test";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

// Its own arithmetic on its own figures: 385,000,000 bytes in 47.87 s are 7.67 MB/s, and 0.359 GB, in powers of two.
TEST(ReportDocs, CountsAsMongoBenchDid) {
  auto measured = made_docs();
  measured.docs[0].elapsed_ns = 47'870'000'000;
  measured.docs[0].server_cpu_ns = 59'789'630'000;  // 124.9 %
  const auto text = report_mongo_bench(measured);
  EXPECT_EQ(words_after(text, "insert        raw, null"),
            (std::vector<std::string>{"1000000", "10", "47.870", "124.9", "20890", "385000000", "385000000",
                                      "0.359", "7.67"}))
      << text;
  EXPECT_EQ(words_after(text, "insert        (mongo_bench)"),
            (std::vector<std::string>{"1000000", "10", "47.87", "124.9", "20892", "408000000", "385000000",
                                      "0.359", "7.67"}))
      << text;
}

TEST(ReportDocs, TotalsAreInTheJson) {
  const auto made = made_docs();
  const auto json = nlohmann::json::parse(report_json(made));
  ASSERT_EQ(json["docs"].size(), 2u);
  EXPECT_EQ(json["docs"][0]["documents"], 1'000'000);
  EXPECT_EQ(json["docs"][0]["server_cpu_ns"], 62'500'000'000);
  EXPECT_TRUE(json["docs"][1]["bytes_out"].is_null());
  const auto again = read_result(report_json(made));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(report_json(*again), report_json(made));
  EXPECT_FALSE(nlohmann::json::parse(report_json(result{})).contains("docs")) << "of docs alone";
}

}  // namespace
}  // namespace bench
