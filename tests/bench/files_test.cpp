#include "bench/files.hpp"

#include "wire/strategy/digest_sink.hpp"

#include "bench/workloads/directory_store.hpp"
#include "bench/workloads/file_contents.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>

namespace bench {
namespace {

using workloads::entered;
using workloads::file_key;
using bytes = std::vector<std::uint8_t>;

/// A place that keeps everything in memory, counts what is asked of it, and fails as a test wants it to.
struct place {
  std::mutex mutex;
  std::map<std::string, bytes> files;  // by hash; empty until it is stored
  std::map<std::string, std::string> names;
  int enters = 0;
  int stores = 0;
  int stores_again = 0;
  int reads = 0;
  int connects = 0;
  bool forgets = false;  // every hash is new
  int answers_lost = 0;  // of the first entries
  std::function<absl::Status(const std::string& op, int count)> fails = [](const auto&, int) {
    return absl::OkStatus();
  };
  std::function<void(bytes&)> damages = [](bytes&) {};
};

class fake_store final : public workloads::file_store {
 public:
  explicit fake_store(place& in) : in_(in) {}

  absl::StatusOr<entered> enter(const file_key& file, bool again) override {
    const std::scoped_lock lock(in_.mutex);
    if (auto status = in_.fails("enter", ++in_.enters); !status.ok()) return status;
    EXPECT_TRUE(in_.names.emplace(file.name, file.hash).second || again) << file.name;
    const bool fresh = in_.files.emplace(file.hash, bytes{}).second || in_.forgets;
    if (in_.enters <= in_.answers_lost) return absl::UnavailableError("reset");
    return fresh ? entered::fresh : entered::known;
  }

  absl::Status store(const file_key& file, codecs::chunk_source& from, bool again) override {
    const std::scoped_lock lock(in_.mutex);
    in_.stores_again += again ? 1 : 0;
    if (auto status = in_.fails("store", ++in_.stores); !status.ok()) return status;
    auto& kept = in_.files.at(file.hash);
    EXPECT_TRUE(kept.empty()) << "stored twice: " << file.name;
    wire::digest_sink digest;
    for (auto left = static_cast<std::size_t>(from.size()); left > 0;) {
      const auto part = from.take(std::min<std::size_t>(left, 300));
      kept.insert(kept.end(), part.begin(), part.end());
      digest.put(part);
      left -= part.size();
    }
    EXPECT_EQ(digest.sha256(), file.hash);
    return absl::OkStatus();
  }

  absl::Status read(const file_key& file, codecs::chunk_sink& to) override {
    const std::scoped_lock lock(in_.mutex);
    if (auto status = in_.fails("read", ++in_.reads); !status.ok()) return status;
    auto content = in_.files.at(in_.names.at(file.name));
    in_.damages(content);
    // The way of the framings: a sink that takes no more is an error of the op.
    return to.put(content) ? absl::OkStatus() : absl::FailedPreconditionError(to.why());
  }

 private:
  place& in_;
};

class fake_backend final : public workloads::file_backend {
 public:
  fake_backend(place& in, bool keeps) : in_(in), keeps_(keeps) {}
  labels what() const override {
    return {.rung = "real", .client = "raw", .peer = "fake", .transport = "none"};
  }
  std::string name() const override { return "fake"; }
  std::string how() const override { return "in memory"; }
  bool keeps() const override { return keeps_; }
  workloads::opened_file_store connect() override {
    if (auto status = in_.fails("connect", ++in_.connects); !status.ok()) return status;
    return std::make_unique<fake_store>(in_);
  }
  absl::Status make_empty() override {
    in_.files.clear();
    in_.names.clear();
    return absl::OkStatus();
  }
  absl::Status remove() override { return make_empty(); }
  std::optional<std::int64_t> disk_bytes() override {
    return std::accumulate(in_.files.begin(), in_.files.end(), std::int64_t{5000},
                           [](auto sum, const auto& one) { return sum + std::ssize(one.second); });
  }
  std::size_t chunk_bytes() const override { return 300; }
  std::vector<pid_t> server_processes() const override { return {}; }

 private:
  place& in_;
  bool keeps_;
};

class Files : public testing::Test {
 protected:
  absl::Status run() {
    file_stores stores;
    stores.push_back(std::make_unique<fake_backend>(place_, keeps_));
    return run_files(options_, stores, measured_);
  }

  const files_row& row(const std::string& phase) const {
    static const files_row none;
    const auto found = std::ranges::find(measured_.files, phase, &files_row::phase);
    EXPECT_NE(found, measured_.files.end()) << phase;
    return found == measured_.files.end() ? none : *found;
  }

  files_options options_{.files = 20, .bytes = 1000, .threads = 2, .per_thread = 10};
  place place_;
  bool keeps_ = true;
  result measured_;
};

TEST_F(Files, StoresEachContentOnceAndReadsEveryName) {
  options_.repetitions = 2;
  options_.duplicates = 25;
  const auto status = run();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(place_.enters, 2 * 40);
  EXPECT_EQ(place_.stores, 2 * 30);
  EXPECT_EQ(place_.reads, 2 * 40);
  EXPECT_EQ(place_.connects, 2);
  EXPECT_EQ(row("register").files, 40u);
  EXPECT_EQ(row("register").duplicates + row("register_threads").duplicates, 2u * 10u);
  EXPECT_EQ(row("register").payload_bytes, 0u);
  EXPECT_EQ(row("store").files + row("store_threads").files, 60u);
  EXPECT_EQ(row("store").payload_bytes, row("store").files * 1000);
  EXPECT_EQ(row("read_in_order").payload_bytes, 40'000u);
  EXPECT_EQ(row("read_random").files, 40u);
  EXPECT_EQ(row("read_random").threads, 2u);
  EXPECT_EQ(row("read_random").check, "bytes");
  EXPECT_EQ(row("store_threads").disk_bytes, 30'000);
  EXPECT_TRUE(row("register").client_peak_bytes.value_or(0) > 1'000'000);
  ASSERT_EQ(measured_.cells.size(), 6u);
  for (const auto& one : measured_.cells) {
    EXPECT_EQ(one.rounds.size(), 2u) << one.what.id;
    EXPECT_TRUE(one.latency.has_value()) << one.what.id;
  }
  EXPECT_EQ(measured_.plan.ops.size(), 6u);
  EXPECT_TRUE(measured_.warnings.empty());
}

TEST_F(Files, AThreadAloneHasNoPhasesOfSeveral) {
  options_.threads = 1;
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(place_.enters, 20);
  EXPECT_EQ(measured_.cells.size(), 4u);
  EXPECT_EQ(row("read_random").files, 10u);
}

TEST_F(Files, AnotherByteOrLengthIsDataLossAndTheOthersGoOn) {
  int files = 0;
  place_.damages = [&](bytes& content) {
    if (++files == 3) content[999] ^= 1;
    if (files == 5) content.pop_back();
    if (files == 7) content.push_back(0);
  };
  const auto status = run();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find("not those that were stored"), std::string::npos) << status;
  EXPECT_EQ(row("read_in_order").failed, 3u);
  EXPECT_EQ(row("read_in_order").files, 17u);
  ASSERT_EQ(row("read_in_order").errors.size(), 1u);
  EXPECT_EQ(row("read_in_order").errors.front().kind, "wrong reply");
  EXPECT_EQ(row("read_random").failed, 0u);
}

TEST_F(Files, ANullServerIsAskedForLengths) {
  keeps_ = false;
  place_.damages = [](bytes& content) { std::ranges::fill(content, std::uint8_t{0}); };
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(row("read_in_order").check, "length");
  EXPECT_EQ(row("read_in_order").files, 20u);
  options_.duplicates = 10;
  EXPECT_TRUE(absl::IsInvalidArgument(run()));
}

TEST_F(Files, WhatTheServerRefusesIsCountedAndNotReadAgain) {
  place_.fails = [](const std::string& op, int count) {
    return op == "store" && count % 4 == 0 ? absl::FailedPreconditionError("disk full") : absl::OkStatus();
  };
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(row("store").failed, 5u);
  EXPECT_EQ(row("store").files, 15u);
  ASSERT_EQ(row("store").errors.size(), 1u);
  EXPECT_EQ(row("store").errors.front().count, 5u);
  EXPECT_EQ(row("store").errors.front().first, "disk full");
  EXPECT_TRUE(row("store").retries.empty());
  EXPECT_EQ(row("read_in_order").files, 15u);
  EXPECT_EQ(place_.connects, 2) << "the connection is good";
  EXPECT_EQ(measured_.warnings.front().code, "W-ERRORS");
}

TEST_F(Files, ALostConnectionIsTriedAgainOnAnother) {
  place_.fails = [](const std::string& op, int count) {
    return op == "store" && count == 2 ? absl::UnavailableError("reset") : absl::OkStatus();
  };
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(row("store").failed, 0u);
  EXPECT_EQ(row("store").files, 20u);
  ASSERT_EQ(row("store").retries.size(), 1u);
  EXPECT_EQ(row("store").retries.front().kind, "connection lost");
  EXPECT_EQ(row("store").retries.front().count, 1u);
  EXPECT_EQ(place_.stores_again, 1);
  EXPECT_EQ(place_.connects, 3);
}

TEST_F(Files, TriesAreBounded) {
  options_.threads = 1;
  place_.fails = [](const std::string& op, int count) {
    return op == "store" && count > 1 && count < 5 ? absl::DeadlineExceededError("silent") : absl::OkStatus();
  };
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(row("store").failed, 1u);
  EXPECT_EQ(row("store").files, 19u);
  ASSERT_EQ(row("store").errors.size(), 1u);
  EXPECT_EQ(row("store").errors.front().kind, "timeout");
  ASSERT_EQ(row("store").retries.size(), 1u);
  EXPECT_EQ(row("store").retries.front().count, 2u);
  EXPECT_EQ(place_.stores, 22);
}

/// Its answer was lost, not the entry: the content is then known, and is stored all the same.
TEST_F(Files, AnEntryThatIsThereAfterALostAnswerIsStored) {
  options_.threads = 1;
  options_.files = 1;
  place_.answers_lost = 1;
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(place_.enters, 2);
  EXPECT_EQ(row("register").files, 1u);
  EXPECT_EQ(row("register").duplicates, 0u);
  EXPECT_EQ(row("store").files, 1u);
}

TEST_F(Files, AServerThatIsGoneEndsTheRunAndKeepsWhatWas) {
  options_.threads = 1;
  bool gone = false;
  place_.fails = [&](const std::string& op, int count) {
    gone = gone || (op == "store" && count == 5);
    return gone ? absl::UnavailableError("gone") : absl::OkStatus();
  };
  const auto status = run();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(place_.stores, 5);
  EXPECT_EQ(row("register").files, 20u);
  EXPECT_EQ(row("store").files, 4u);
  EXPECT_EQ(row("store").failed, 1u);
  EXPECT_EQ(measured_.cells.size(), 2u);
  EXPECT_EQ(measured_.plan.ops.front().reason, ended_by::failure);
}

TEST_F(Files, AStoreThatForgetsHashesIsDataLoss) {
  options_.duplicates = 25;
  place_.forgets = true;
  const auto status = run();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find("a new one"), std::string::npos) << status;
}

TEST_F(Files, StopKeepsTheFilesThatWereDone) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  place_.fails = [&](const std::string& op, int count) {
    if (op == "store" && count == 7) stop = true;
    return absl::OkStatus();
  };
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(row("store").files, 7u);
  EXPECT_EQ(measured_.cells.size(), 2u);
  EXPECT_EQ(measured_.plan.ops.back().reason, ended_by::stop);
}

TEST_F(Files, ProgressGrowsToTheEnd) {
  double last = 0;
  options_.on_progress = [&](double share, const std::string& phase) {
    EXPECT_GE(share, last) << phase;
    last = share;
  };
  ASSERT_TRUE(run().ok());
  EXPECT_DOUBLE_EQ(last, 1);
}

TEST(FilesOptions, TellWhatCannotBeHad) {
  EXPECT_TRUE(check(files_options{}).ok());
  const auto refused = [](const std::function<void(files_options&)>& change) {
    files_options options;
    change(options);
    const auto status = check(options);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_NE(refused([](auto& o) { o.files = 0; }).find("--files"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.bytes = 15; }).find("--bytes"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.threads = 101; }).find("--threads"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.files = 3; }).find("4 threads"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.duplicates = 100; }).find("--duplicates"), std::string::npos);
  EXPECT_NE(refused([](auto& o) { o.per_thread = 1ULL << 63; }).find("--per-thread"), std::string::npos);
}

TEST(FileContents, AreWindowsOfOnePoolThatDiffer) {
  constexpr std::int64_t size = 40'000'000;  // more than the pool
  const workloads::file_contents contents(size, 1000, 7);
  const auto same = [](codecs::bytes_view a, codecs::bytes_view b) { return std::ranges::equal(a, b); };
  EXPECT_TRUE(same(contents.piece(3, 500, 500), contents.piece(3, 0, 1000).last(500)));
  EXPECT_FALSE(same(contents.piece(3, 0, 16), contents.piece(4, 0, 16)));
  // At the end of the pool, where it begins once more.
  const auto around = static_cast<std::int64_t>(workloads::file_contents::pool_bytes) - 10;
  const auto piece = contents.piece(0, around, 20);
  EXPECT_TRUE(same(piece.last(10), contents.piece(0, 0, 10)));
  bytes copy(piece.begin(), piece.end());
  EXPECT_TRUE(contents.has(0, around, copy));
  copy.back() ^= 1;
  EXPECT_FALSE(contents.has(0, around, copy));
  EXPECT_FALSE(contents.has(0, size - 10, contents.piece(0, size - 10, 20))) << "past the end";
}

class DirectoryStore : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "wirebench-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    backend_ = workloads::make_directory_backend({.folder = folder_, .durable = true, .piece_bytes = 1000});
    ASSERT_TRUE(backend_->make_empty().ok());
    store_ = *backend_->connect();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::unique_ptr<workloads::file_backend> backend_;
  std::unique_ptr<workloads::file_store> store_;
  const workloads::file_contents contents_{2500, 1000, 1};
  const file_key a_{"a", "0123", 2500};
  const file_key b_{"b", "0123", 2500};
};

TEST_F(DirectoryStore, KeepsAContentUnderItsHashAndNamesLeadToIt) {
  EXPECT_EQ(*store_->enter(a_, false), entered::fresh);
  EXPECT_EQ(*store_->enter(b_, false), entered::known);
  EXPECT_FALSE(store_->enter(a_, false).ok()) << "the name is taken";
  EXPECT_EQ(*store_->enter(a_, true), entered::known);
  workloads::content_source source(contents_, 4);
  ASSERT_TRUE(store_->store(a_, source, false).ok());
  workloads::content_check check(contents_, 4, true);
  ASSERT_TRUE(store_->read(b_, check).ok());
  EXPECT_TRUE(check.whole()) << check.why();
  EXPECT_GT(*backend_->disk_bytes(), 2500);
}

TEST_F(DirectoryStore, TellsWhatFailedAndLeavesNothing) {
  workloads::content_source source(contents_, 4);
  const auto status = store_->store(a_, source, false);
  EXPECT_TRUE(absl::IsInternal(status)) << "it was not entered";
  EXPECT_NE(status.message().find("No such file"), std::string::npos) << status;
  ASSERT_TRUE(backend_->remove().ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace bench
