#include "bench/docs.hpp"

#include "bench/docs_crew.hpp"
#include "bench/workloads/docs_data.hpp"

#include "tests/support/mongo_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bench {
namespace {

using codecs::bytes_view;
using codecs::mongo::document;
using workloads::docs_client;
using workloads::docs_data;
using workloads::docs_share;
using workloads::docs_tally;
using workloads::docs_test;

std::vector<std::uint64_t> sizes(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& rows) {
  std::vector<std::uint64_t> all;
  std::uint64_t at = 0;
  for (const auto& [begin, end] : rows) {
    EXPECT_EQ(begin, at);
    all.push_back(end - begin);
    at = end;
  }
  return all;
}

TEST(DocsRows, HoldEveryDocumentOnce) {
  const auto planned = plan_docs_rows(100'000, 200, 1);
  EXPECT_EQ(planned.size(), 40u);
  EXPECT_EQ(planned.back().second, 100'000u);
  // 500 commands in 40 rows: 12 or 13 each.
  for (const auto documents : sizes(planned))
    EXPECT_TRUE(documents == 2'400 || documents == 2'600) << documents;
}

TEST(DocsRows, AreFullCommandsForEveryThread) {
  EXPECT_EQ(sizes(plan_docs_rows(1'000, 100, 2)), (std::vector<std::uint64_t>{200, 200, 200, 400}));
  // Nine commands make eight rows; the last command is what is left.
  EXPECT_EQ(sizes(plan_docs_rows(8'050, 1'000, 1)),
            (std::vector<std::uint64_t>{1'000, 1'000, 1'000, 1'000, 1'000, 1'000, 1'000, 1'050}));
}

TEST(DocsRows, AreFewWhereThereAreFewCommands) {
  EXPECT_EQ(sizes(plan_docs_rows(1, 200, 1)), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(sizes(plan_docs_rows(201, 200, 1)), (std::vector<std::uint64_t>{200, 1}));
  EXPECT_EQ(sizes(plan_docs_rows(500, 100'000, 100)), (std::vector<std::uint64_t>{500}));
}

TEST(DocsOptions, TellWhatCannotBeHad) {
  EXPECT_TRUE(check({}).ok());
  const auto refused = [](const std::function<void(docs_options&)>& change) {
    docs_options options;
    change(options);
    const auto status = check(options);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_NE(refused([](auto& o) { o.count = o.found = 0; }).find("--count"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.found = 0; }).find("--found"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.found = o.count + 1; }).find("--found"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.threads = 0; }).find("--threads takes 1 to 100"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.threads = 101; }).find("101"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.batch = 0; }).find("--batch takes 1 to 100000"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.batch = 100'001; }).find("100001"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.document_bytes = 44; }).find("--size takes 45"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.document_bytes = 16'777'217; }).find("16 MiB"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.document_bytes = 240'000; }).find("lower --batch"), std::string::npos);
  EXPECT_TRUE(check({.count = 2, .found = 1, .document_bytes = 16'777'216}).ok())
      << "two fit into one message";
}

TEST(DocsData, BuildsDocumentsOfTheSizeWanted) {
  document built;
  for (const std::size_t size : {45, 46, 400, 100'000}) {
    const docs_data data({.count = 10, .found = 1, .document_bytes = size, .seed = 1});
    data.build_document(built, 7);
    EXPECT_EQ(built.view().size(), size);
  }
  const docs_data smallest({.count = 10, .found = 1, .document_bytes = 45, .seed = 1});
  smallest.build_document(built, 7);
  EXPECT_EQ(tests::to_json(built.view()),
            R"({ "_id" : 7, "number" : 7.0, "data" : { "$binary" : { "base64" : "", "subType" : "00" } } })");
}

TEST(DocsData, ChangesTellWhatMongoBenchCounted) {
  document built;
  build_change(built, docs_test::update_double, 7, 0);
  EXPECT_EQ(tests::to_json(built.view()), R"({ "$set" : { "number" : 7.5 } })");
  const auto set = codecs::mongo::embedded(*codecs::mongo::lookup(built.view(), "$set"));
  EXPECT_EQ(set.size(), workloads::changed_bytes);
  build_change(built, docs_test::update_int64, 7, 0);
  const auto change = codecs::mongo::embedded(*codecs::mongo::lookup(built.view(), "$set"));
  const auto number = *codecs::mongo::lookup(change, "number");
  EXPECT_EQ(bson_iter_type(&number), BSON_TYPE_INT64);
  EXPECT_EQ(tests::to_json(built.view()), R"({ "$set" : { "number" : 7 } })");
}

TEST(DocsData, FiltersAskForWhatTheTestsSay) {
  const docs_data data({.count = 100, .found = 100, .document_bytes = 400, .seed = 3});
  document built;
  workloads::build_range(built, 5, 900);
  EXPECT_EQ(tests::to_json(built.view()), R"({ "_id" : { "$gte" : 5, "$lt" : 900 } })");
  workloads::build_equal(built, 5);
  EXPECT_EQ(tests::to_json(built.view()), R"({ "_id" : 5 })");
  workloads::build_in(built, data, 10, 12);
  EXPECT_EQ(tests::to_json(built.view()), "{ \"_id\" : { \"$in\" : [ " + std::to_string(data.random_id(10)) +
                                              ", " + std::to_string(data.random_id(11)) + " ] } }");
}

// A repeated id would be found once by a real server.
TEST(DocsData, DrawsNoIdTwice) {
  const docs_data data({.count = 1'000, .found = 1'000, .document_bytes = 400, .seed = 3});
  std::set<std::int64_t> seen;
  std::size_t in_place = 0;
  for (std::uint64_t place = 0; place < 1'000; ++place) {
    seen.insert(data.random_id(place));
    in_place += data.random_id(place) == static_cast<std::int64_t>(place);
  }
  EXPECT_EQ(seen.size(), 1'000u);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 999);
  EXPECT_LT(in_place, 20u) << "not shuffled";
}

/// Answers as a server would that holds every document, but for what `off` changes.
class told_client final : public docs_client {
 public:
  struct lie {
    std::uint64_t missing = 0;   ///< of the documents inserted, matched, modified and found
    std::int64_t other_id = 0;   ///< added to the ids found
    std::uint64_t refusals = 0;  ///< commands that are refused before all others
  };
  told_client(const docs_data& data, std::uint64_t batch, lie off) : docs_client(data, batch), off_(off) {}

  std::vector<std::uint64_t> commands;  ///< documents of each

 private:
  absl::Status insert(std::span<const bytes_view> documents, std::uint64_t& inserted) override {
    commands.push_back(documents.size());
    inserted = documents.size() - off_.missing;
    return answered();
  }
  void add_update(bytes_view, bytes_view) override { ++updates_; }
  absl::Status update(std::uint64_t& matched, std::uint64_t& modified) override {
    commands.push_back(updates_);
    matched = updates_;
    modified = updates_ - off_.missing;
    updates_ = 0;
    return answered();
  }
  absl::Status find(bytes_view filter, codecs::mongo::document_sink& found) override {
    std::vector<std::int64_t> ids;
    const auto id = codecs::mongo::lookup(filter, "_id");
    if (const auto condition = codecs::mongo::embedded(*id); condition.empty()) {
      ids.push_back(*codecs::mongo::integer(*id));
    } else if (const auto list = codecs::mongo::lookup(condition, "$in")) {
      for (auto at = codecs::mongo::elements(codecs::mongo::embedded(*list)); bson_iter_next(&at);)
        ids.push_back(*codecs::mongo::integer(at));
    } else {
      const auto end = *codecs::mongo::integer(*codecs::mongo::lookup(condition, "$lt"));
      for (auto i = *codecs::mongo::integer(*codecs::mongo::lookup(condition, "$gte")); i < end; ++i)
        ids.push_back(i);
    }
    commands.push_back(ids.size());
    ids.resize(ids.size() - off_.missing);
    document one;
    for (const auto each : ids) {
      workloads::build_equal(one, each + off_.other_id);
      found.take(one.view());
    }
    return answered();
  }
  absl::Status answered() {
    if (off_.refusals == 0) return absl::OkStatus();
    --off_.refusals;
    return absl::AbortedError("not now");
  }

  lie off_;
  std::uint64_t updates_ = 0;
};

class DocsClient : public testing::TestWithParam<docs_test> {
 protected:
  absl::Status run(told_client::lie off) {
    told_client client(data_, 10, off);
    tally_ = {};
    const auto status = client.run({GetParam(), 0, 25, 0}, tally_);
    commands_ = client.commands;
    return status;
  }

  const docs_data data_{{.count = 100, .found = 50, .document_bytes = 400, .seed = 1}};
  docs_tally tally_;
  std::vector<std::uint64_t> commands_;
};

TEST_P(DocsClient, WorksInBatchesAndCountsWhatWasDone) {
  ASSERT_TRUE(run({}).ok());
  EXPECT_EQ(tally_.documents, 25u);
  EXPECT_EQ(tally_.errors, 0u);
  if (GetParam() == docs_test::find_equal) {
    EXPECT_EQ(commands_, std::vector<std::uint64_t>(25, 1));
  } else {
    EXPECT_EQ(commands_, (std::vector<std::uint64_t>{10, 10, 5}));
  }
  const auto each = GetParam() == docs_test::insert                                                   ? 400u
                    : GetParam() == docs_test::update_double || GetParam() == docs_test::update_int64 ? 21u
                                                                                                      : 18u;
  EXPECT_EQ(tally_.payload_bytes, 25 * each);  // {_id: int64} is 18
}

TEST_P(DocsClient, RefusesWrongCounts) {
  const auto status = run({.missing = 1});
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find(name(GetParam())), std::string::npos) << status;
}

TEST_P(DocsClient, CountsRefusedCommandsAndGoesOn) {
  ASSERT_TRUE(run({.refusals = 2}).ok());
  EXPECT_EQ(tally_.errors, 2u);
  EXPECT_EQ(tally_.first_error, "not now");
  EXPECT_EQ(tally_.documents, GetParam() == docs_test::find_equal ? 23u : 5u);
}

INSTANTIATE_TEST_SUITE_P(Tests, DocsClient, testing::ValuesIn(workloads::docs_tests),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST(DocsClient, RefusesDocumentsOfOtherIds) {
  const docs_data data({.count = 100, .found = 50, .document_bytes = 400, .seed = 1});
  for (const auto test : {docs_test::find_in, docs_test::find_equal, docs_test::find_range}) {
    told_client client(data, 10, {.other_id = 1});
    docs_tally tally;
    EXPECT_TRUE(absl::IsDataLoss(client.run({test, 0, 10, 0}, tally))) << name(test);
  }
}

class DocsCrew : public testing::TestWithParam<std::size_t> {};

// Each thread does its own part, and the parts are the whole.
TEST_P(DocsCrew, SharesARound) {
  const docs_data data({.count = 1'000, .found = 1'000, .document_bytes = 400, .seed = 1});
  std::vector<docs_crew::client> clients;
  std::vector<const told_client*> all;
  for (std::size_t i = 0; i < GetParam(); ++i) {
    auto one = std::make_unique<told_client>(data, 10, told_client::lie{});
    all.push_back(one.get());
    clients.push_back(std::move(one));
  }
  docs_crew crew(std::move(clients));
  for (int round = 1; round <= 3; ++round) {
    const auto done = crew.run({docs_test::find_in, 0, 1'000, 0});
    ASSERT_TRUE(done.status.ok()) << done.status;
    EXPECT_EQ(done.tally.documents, 1'000u);
    EXPECT_GT(done.elapsed_ns, 0);
    EXPECT_GT(done.used.client_cpu_ns, 0);
    for (const auto* one : all) {
      std::uint64_t documents = 0;
      for (const auto part : one->commands) documents += part;
      EXPECT_NEAR(static_cast<double>(documents), 1'000.0 * round / static_cast<double>(GetParam()), round);
    }
  }
  EXPECT_FALSE(crew.counted().has_value()) << "these clients do not tell";
}

INSTANTIATE_TEST_SUITE_P(Threads, DocsCrew, testing::Values(1, 2, 7, 100));

TEST(DocsCrew, TellsTheFirstFailure) {
  const docs_data data({.count = 100, .found = 100, .document_bytes = 400, .seed = 1});
  std::vector<docs_crew::client> clients;
  clients.push_back(std::make_unique<told_client>(data, 10, told_client::lie{}));
  clients.push_back(std::make_unique<told_client>(data, 10, told_client::lie{.missing = 1}));
  docs_crew crew(std::move(clients));
  EXPECT_TRUE(absl::IsDataLoss(crew.run({docs_test::insert, 0, 100, 0}).status));
}

}  // namespace
}  // namespace bench
