// `wirebench sweep` as a user runs it.

#include "tests/integration/command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace {

using tests::run_wirebench;
using tests::scratch;
using tests::words;

using cells = std::map<std::string, nlohmann::json>;

/// A sweep's cells by id. A machine that is too slow to warm all of them up in the first budget gets longer ones.
cells swept(const words& arguments, const scratch& place) {
  for (const char* budget : {"4", "16", "60"}) {
    words all{"sweep", "--walk", "512K", "--budget", budget, "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto run = run_wirebench(all, place);
    const bool too_short = run.err.find("raise --budget") != std::string::npos;
    if (run.code == 1 && too_short) continue;
    EXPECT_EQ(run.code, 0) << run.err;
    cells found;
    const auto printed = nlohmann::json::parse(run.out, nullptr, false);
    if (printed.is_discarded()) return {};
    for (const auto& one : printed["cells"]) found[one["id"]] = one;
    return found;
  }
  ADD_FAILURE() << "no budget was long enough";
  return {};
}

/// Frames and round trips of a whole file, as they can be counted by hand.
void expect_counts(const cells& of, const std::string& id, int frames_out, int frames_in, int round_trips) {
  ASSERT_TRUE(of.contains(id)) << id;
  const auto& cell = of.at(id);
  EXPECT_EQ(cell["frames_out"], frames_out) << id;
  EXPECT_EQ(cell["frames_in"], frames_in) << id;
  if (round_trips > 0) {
    EXPECT_EQ(cell["round_trips"], round_trips) << id;
  }
  EXPECT_EQ(cell["payload_bytes"], 131072) << id;
  EXPECT_GT(cell["rounds"].size(), 0u) << id;
}

// 128 KiB are three chunks of 60,000 bytes.
TEST(sweep, an_upload_is_what_can_be_counted) {
  const scratch place;
  const auto of = swept({"--framing", "gridfs,lowrite,lo-trip", "--strategy", "floor,gather,mmap,driver",
                         "--chunks", "60000", "--file-size", "128K"},
                        place);
  ASSERT_EQ(of.size(), 12u);
  for (const std::string strategy : {"floor", "gather", "mmap"}) {
    // three inserts and the files document
    expect_counts(of, "upload/gridfs/" + strategy + "/60000", 4, 4, 4);
    // BEGIN, lo_creat, lo_open, three lowrite, lo_close, COMMIT, and two frames of each answer
    expect_counts(of, "upload/lowrite/" + strategy + "/60000", 8, 16, 8);
    // Bind and Execute of create, three writes, close; Sync. BindComplete, row and CommandComplete of each; ReadyForQuery
    expect_counts(of, "upload/lo-trip/" + strategy + "/60000", 11, 16, 1);
  }
  expect_counts(of, "upload/lowrite/libpq/60000", 8, 16, 0);
  EXPECT_TRUE(of.contains("upload/gridfs/libmongoc/60000"));
  EXPECT_TRUE(of.contains("upload/gridfs/floor/60000/again"));
  for (const std::string framing : {"gridfs", "lowrite", "lo-trip"}) {
    const auto& floor = of.at("upload/" + framing + "/floor/60000");
    const auto& gather = of.at("upload/" + framing + "/gather/60000");
    EXPECT_EQ(floor["bytes_out"], gather["bytes_out"]) << framing;
    EXPECT_EQ(floor["bytes_in"], gather["bytes_in"]) << framing;
    EXPECT_EQ(floor["copied_bytes"], 0) << framing;
  }
  for (const auto& [id, cell] : of) {
    if (cell["client"] != "raw") continue;
    // of GridFS the files document: 4 + 17 + 16 + 15 + 20 + 24 + 1
    EXPECT_EQ(cell["copied_bytes"], cell["framing"] == "gridfs" ? 97 : 0) << id;
    EXPECT_GT(cell["syscalls"], 1) << id;
  }
  ASSERT_EQ(place.results().size(), 1u);
  const auto shown = run_wirebench({"report", place.results().front()});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("upload of 128K on null"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("libmongoc"), std::string::npos) << shown.out;
}

TEST(sweep, a_download_is_what_can_be_counted) {
  const scratch place;
  const auto of = swept({"--direction", "download", "--chunks", "60000", "--file-size", "128K", "--strategy",
                         "staged,floor,direct,discard,driver", "--framing", "gridfs,loread,lo_get"},
                        place);
  ASSERT_EQ(of.size(), 15u);
  for (const std::string strategy : {"floor", "staged", "direct", "discard"}) {
    // files document; one batch with all chunks
    expect_counts(of, "download/gridfs/" + strategy + "/60000", 2, 2, 2);
    // BEGIN, lo_open, three loread, lo_close, COMMIT
    expect_counts(of, "download/loread/" + strategy + "/60000", 7, 14, 7);
    // Bind, Execute, Sync; BindComplete, three rows, CommandComplete, ReadyForQuery
    expect_counts(of, "download/lo_get/" + strategy + "/60000", 3, 6, 1);
  }
  for (const std::string framing : {"gridfs", "loread", "lo_get"}) {
    EXPECT_GE(of.at("download/" + framing + "/staged/60000")["copied_bytes"], 131072) << framing;
    // what is left are heads that a read has cut in two
    EXPECT_LT(of.at("download/" + framing + "/direct/60000")["copied_bytes"], 1024) << framing;
  }
  expect_counts(of, "download/loread/libpq/60000", 7, 14, 0);
}

// A file is three rows of chunks, or one.
TEST(sweep, files_in_rows_are_what_can_be_counted) {
  const scratch place;
  const auto of =
      swept({"--direction", "upload,download", "--chunks", "60000", "--file-size", "128K", "--framing",
             "lo_put,bytea,rows,copy", "--strategy", "gather,direct", "--page-offset", "64"},
            place);
  ASSERT_EQ(of.size(), 9u);
  // BEGIN, lo_creat; Bind and Execute of three lo_put, Sync; COMMIT: two answers to each call, three to each lo_put, ReadyForQuery
  expect_counts(of, "upload/lo_put/gather/60000", 10, 16, 4);
  // Bind, Execute, Sync; BindComplete, CommandComplete, ReadyForQuery
  expect_counts(of, "upload/bytea/gather/128K", 3, 3, 1);
  // Bind and Execute of each row, Sync; BindComplete and CommandComplete of each, ReadyForQuery
  expect_counts(of, "upload/rows/gather/60000", 7, 7, 1);
  // Bind, Execute, three rows, trailer, CopyDone, Sync; BindComplete, CopyInResponse, CommandComplete, ReadyForQuery
  expect_counts(of, "upload/copy/gather/60000", 8, 4, 1);
  // Bind, Execute, Sync; BindComplete, rows, CommandComplete, ReadyForQuery
  expect_counts(of, "download/bytea/direct/128K", 3, 4, 1);
  expect_counts(of, "download/rows/direct/60000", 3, 6, 1);
  ASSERT_TRUE(of.contains("download/copy/direct/60000"));
  // None of the payload; of downloads heads that reads have cut in two, the more of them the slower the machine.
  for (const auto& [id, cell] : of)
    EXPECT_LE(cell["copied_bytes"], cell["direction"] == "upload" ? 0 : 128 * 1024 / 8) << id;
}

TEST(sweep, counts_memory_in_fresh_processes) {
  const scratch place;
  const auto of = swept({"--framing", "lowrite", "--strategy", "fresh,gather,driver", "--chunks", "256K",
                         "--file-size", "1M", "--count", "memory,syscalls"},
                        place);
  ASSERT_EQ(of.size(), 4u);
  EXPECT_TRUE(of.at("upload/lowrite/fresh/256K/again")["counts"].is_null());
  for (const std::string client : {"fresh", "gather", "libpq"}) {
    const auto& counts = of.at("upload/lowrite/" + client + "/256K")["counts"];
    ASSERT_FALSE(counts.is_null()) << client;
    EXPECT_GT(counts["rss_peak_bytes"], 1'000'000) << client;
    if (counts["unknown"].contains("syscalls")) continue;  // no ptrace(2) here
    EXPECT_TRUE(counts["syscalls_by_kind"].contains("recvfrom")) << client;
  }
  EXPECT_EQ(of.at("upload/lowrite/gather/256K")["counts"]["payload_copies_bytes"], 0);
  EXPECT_EQ(of.at("upload/lowrite/fresh/256K")["counts"]["payload_copies_bytes"], 1024 * 1024);
  const auto refused = run_wirebench({"sweep", "--loop", "1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--loop is for one cell"), std::string::npos) << refused.err;
}

TEST(sweep, receives_into_a_ring_and_into_a_file) {
  const scratch place;
  const auto of = swept({"--direction", "download", "--chunks", "60000", "--file-size", "128K", "--framing",
                         "gridfs", "--strategy", "splice,mirrored"},
                        place);
  ASSERT_EQ(of.size(), 3u);
  for (const std::string strategy : {"splice", "mirrored"})
    expect_counts(of, "download/gridfs/" + strategy + "/60000", 2, 2, 2);
  EXPECT_EQ(of.at("download/gridfs/splice/60000")["copied_bytes"], 0);
}

TEST(sweep, refuses_sizes_that_cannot_be) {
  const auto refused = [](const words& arguments, const std::string& sentence) {
    words all{"sweep"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto run = run_wirebench(all);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(tests::lines_of(run.err), 1u) << run.err;
    EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err;
  };
  refused({"--chunks", "64K,0"}, "'0' is not a size of at least 1 byte");
  refused({"--chunks=-64K"}, "'-64K' is not a size");
  refused({"--chunks", "64Q"}, "'64Q' is not a size");
  refused({"--chunks", "16777155", "--file-size", "32M", "--framing", "gridfs"}, "at most 16777154 do");
  refused({"--chunks", "1M", "--file-size", "64K"}, "raise --file-size");
  refused({"--framing", "lo_get"}, "--direction upload");
  refused({"--framing", "tape"}, "tape");
  refused({"--strategy", "staged"}, "none of the strategies is for --direction upload");
  refused({"--strategy", "driver", "--framing", "lo-trip"}, "of these framings");
  refused({"--page-offset", "4096"}, "--page-offset");
  refused({"--file-size", "0"}, "'0' is not a size");
  refused({"--real", "mongodb://127.0.0.1:1/", "--framing", "lowrite"}, "--real");
}

}  // namespace
