#include "wire/strategy/source.hpp"

#include "tests/support/allocations.hpp"
#include "tests/wire/temp_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <fstream>
#include <random>
#include <vector>

namespace {

std::size_t most_per_read = SIZE_MAX;  // what one pread(2) of this program brings
int interruptions = 0;                 // of the next ones

std::vector<std::uint8_t> random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> bytes(size);
  std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

}  // namespace

/// Instead of the C library's: a file system may bring less than what was asked for.
extern "C" ssize_t pread(int fd, void* to, std::size_t size, off_t offset) {
  if (interruptions > 0) {
    --interruptions;
    errno = EINTR;
    return -1;
  }
  return ::syscall(SYS_pread64, fd, to, std::min(size, most_per_read), offset);
}

namespace {

using wire::make_source;

/// Each strategy with each owner that it serves.
struct served {
  std::string strategy;
  bool in_memory;
};

class Source : public testing::TestWithParam<served> {
 protected:
  void SetUp() override {
    for (const auto& one : wire::source_strategies()) {
      if (one.name != GetParam().strategy || one.refusal == nullptr) continue;
      if (const auto why = one.refusal(); !why.empty()) GTEST_SKIP() << why;
    }
  }
  std::unique_ptr<wire::source> make(std::size_t buffers = 16) {
    const auto from =
        GetParam().in_memory ? wire::owner(codecs::bytes_view(bytes_)) : wire::file_path{file_.path()};
    auto made = make_source(GetParam().strategy, from, {.buffers = buffers});
    EXPECT_NE(made.source, nullptr) << made.problem;
    return std::move(made.source);
  }

  const std::vector<std::uint8_t> bytes_ = random_bytes(1'000'003);
  tests::temp_file file_{bytes_};
};

/// Takes all of it, with as many chunks in flight as it permits, at most 16, and looks at each when it is released.
void expect_to_read(wire::source& source, const std::vector<std::uint8_t>& bytes, std::size_t chunk_bytes) {
  ASSERT_EQ(source.size(), static_cast<std::int64_t>(bytes.size()));
  const auto window = std::min<std::size_t>(source.most_in_flight(), 16);
  std::deque<codecs::bytes_view> in_flight;
  std::size_t taken = 0;
  std::size_t released = 0;
  while (released < bytes.size()) {
    while (taken < bytes.size() && in_flight.size() < window) {
      const auto size = std::min(chunk_bytes, bytes.size() - taken);
      in_flight.push_back(source.take(size));
      ASSERT_EQ(in_flight.back().size(), size) << source.why();
      taken += size;
    }
    const auto oldest = in_flight.front();
    ASSERT_TRUE(
        std::equal(oldest.begin(), oldest.end(), bytes.begin() + static_cast<std::ptrdiff_t>(released)));
    released += oldest.size();
    in_flight.pop_front();
    source.release();
  }
  EXPECT_TRUE(source.intact()) << source.why();
}

TEST_P(Source, GivesTheOwnersBytesInChunksOfAnySize) {
  for (const std::size_t chunk : {1'000, 4'096, 261'120, 1'000'002, 1'000'003}) {
    const auto source = make();
    expect_to_read(*source, bytes_, chunk);
    EXPECT_EQ(source->counters().payload_bytes, 1'000'003);
  }
}

TEST_P(Source, BeginsAgainThoughChunksAreInFlight) {
  const auto source = make(2);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(source->take(300'000).size(), 300'000u) << source->why();
    source->rewind();
  }
  for (int i = 0; i < 2; ++i) {
    const auto before = source->counters().payload_bytes;
    expect_to_read(*source, bytes_, 100'000);
    EXPECT_EQ(source->counters().payload_bytes - before, 1'000'003);
    source->rewind();
  }
}

TEST_P(Source, ReadsOnAfterShortReadsAndInterruptions) {
  most_per_read = 333;
  interruptions = 5;
  const auto source = make();
  expect_to_read(*source, bytes_, 10'000);
  most_per_read = SIZE_MAX;
  interruptions = 0;
  const bool reads = !GetParam().in_memory && GetParam().strategy != "mmap";
  EXPECT_GE(source->counters().syscalls, reads ? 5 + bytes_.size() / 333 : 0);
}

TEST_P(Source, CopiesInUserSpaceOnlyFromMemoryIntoBuffers) {
  const auto source = make();
  expect_to_read(*source, bytes_, 100'000);
  const bool copies =
      GetParam().in_memory && GetParam().strategy != "gather" && GetParam().strategy != "zerocopy";
  EXPECT_EQ(source->counters().copied_bytes, copies ? bytes_.size() : 0);
}

/// 11 chunks by 11 reads, or one mapping and a read of the last one, which is small; and one look at the end whether the file
/// is as it was.
TEST_P(Source, CountsItsSystemCalls) {
  const auto source = make();
  expect_to_read(*source, bytes_, 100'000);
  const auto calls = GetParam().in_memory ? 0u : GetParam().strategy == "mmap" ? 3u : 12u;
  const auto ring = GetParam().strategy == "uring" ? 2u + 11 : 0u;  // to make it, and to register each buffer
  EXPECT_EQ(source->counters().syscalls, calls + ring);
}

TEST_P(Source, AllocatesAsItsNameSays) {
  if (!tests::allocations_counted())
    GTEST_SKIP() << "a sanitizer's malloc is in use; counted in the plain build";
  const auto source = make(4);
  const auto read_chunks = [&](int count) {
    const auto before = tests::allocations();
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(source->take(5'000).size(), 5'000u) << source->why();
      source->release();
    }
    return tests::allocations() - before;
  };
  read_chunks(10);
  const auto allocated = read_chunks(100);
  if (GetParam().strategy == "fresh") {
    EXPECT_GE(allocated, 100u);
  } else {
    EXPECT_EQ(allocated, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(of, Source,
                         testing::Values(served{"gather", true}, served{"mmap", false}, served{"fresh", true},
                                         served{"fresh", false}, served{"reuse", true},
                                         served{"reuse", false}, served{"pool", true}, served{"pool", false},
                                         served{"zerocopy", true}, served{"zerocopy", false},
                                         served{"uring", true}, served{"uring", false}),
                         [](const auto& is) {
                           return is.param.strategy + (is.param.in_memory ? "_memory" : "_file");
                         });

const std::vector<std::uint8_t> some = random_bytes(100'000);
const codecs::bytes_view in_memory = some;

TEST(MakeSource, NamesTheStrategiesThatThereAre) {
  EXPECT_EQ(make_source("sendfle", in_memory).problem,
            "no strategy is called 'sendfle': there are gather, mmap, sendfile, splice, zerocopy, uring, "
            "fresh, reuse, pool");
}

TEST(MakeSource, SaysWhichStrategyServesTheOwner) {
  EXPECT_EQ(make_source("mmap", in_memory).problem,
            "mmap needs a file, and the payload is in memory: gather sends that without a copy");
  const tests::temp_file file(some);
  EXPECT_EQ(make_source("gather", wire::file_path{file.path()}).problem,
            "gather needs a payload in memory, and it is in a file: mmap sends that without a copy");
}

TEST(MakeSource, RefusesWhatIsNoReadableFile) {
  EXPECT_EQ(make_source("mmap", wire::file_path{"/no/such/file"}).problem,
            "/no/such/file: No such file or directory");
  EXPECT_EQ(make_source("pool", wire::file_path{"/tmp"}).problem, "/tmp is not a file, and has no size");
  EXPECT_EQ(make_source("pool", wire::file_path{"/dev/zero"}).problem,
            "/dev/zero is not a file, and has no size");
}

TEST(MakeSource, TakesAnEmptyFile) {
  const tests::temp_file file;
  for (const auto& strategy : wire::source_strategies()) {
    if (strategy.needs == wire::source_strategy::kind::memory) continue;
    if (strategy.refusal != nullptr && !strategy.refusal().empty()) continue;
    const auto made = make_source(strategy.name, wire::file_path{file.path()});
    ASSERT_NE(made.source, nullptr) << made.problem;
    EXPECT_EQ(made.source->size(), 0);
    EXPECT_TRUE(made.source->intact());
  }
}

class PoolOf : public testing::TestWithParam<const char*> {};

TEST_P(PoolOf, HasAsManyChunksInFlightAsBuffers) {
  const auto made = make_source(GetParam(), in_memory, {.buffers = 3});
  if (!made.source) GTEST_SKIP() << made.problem;
  auto& source = *made.source;
  ASSERT_EQ(source.most_in_flight(), 3u);
  const auto* const first = source.take(100).data();
  EXPECT_NE(source.take(100).data(), first);
  EXPECT_EQ(source.take(100).size(), 100u);
  EXPECT_TRUE(source.take(100).empty());
  EXPECT_EQ(source.why(), "all buffers (3) are in flight: the window holds no more chunks");
  source.release();
  const auto fourth = source.take(100);
  EXPECT_EQ(fourth.data(), first);
  EXPECT_TRUE(std::equal(fourth.begin(), fourth.end(), some.begin() + 300));
}

INSTANTIATE_TEST_SUITE_P(buffers, PoolOf, testing::Values("pool", "uring"));

TEST(ReuseSource, HasOneBuffer) {
  const auto made = make_source("reuse", in_memory);
  ASSERT_EQ(made.source->most_in_flight(), 1u);
  const auto* const first = made.source->take(100).data();
  EXPECT_TRUE(made.source->take(100).empty());
  made.source->release();
  EXPECT_EQ(made.source->take(100).data(), first);
}

// Case S16: with the allocator's thresholds in between, each new buffer of 255 KiB may be 64 new pages.
TEST(PoolSource, TouchesNoNewPagesOnceItsBuffersAreFull) {
  tests::temp_file file;
  file.resize(400 * 261'120);
  const auto made = make_source("pool", wire::file_path{file.path()}, {.buffers = 4});
  const auto faults = [] {
    rusage usage;
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
  };
  long before = 0;
  for (int i = 0; i < 400; ++i) {
    if (i == 4) before = faults();
    ASSERT_EQ(made.source->take(261'120).size(), 261'120u);
    made.source->release();
  }
  EXPECT_LE(faults() - before, 16);
}

TEST(FileSource, TellsThatTheFileHasShrunk) {
  for (const auto* const name : {"fresh", "reuse", "pool"}) {
    tests::temp_file file(some);
    const auto made = make_source(name, wire::file_path{file.path()});
    ASSERT_FALSE(made.source->take(60'000).empty());
    made.source->release();
    file.resize(70'000);
    EXPECT_TRUE(made.source->take(40'000).empty());
    EXPECT_EQ(made.source->why(), file.path() + " has shrunk from 100000 to 70000 bytes while it was sent");
  }
}

TEST(FileSource, IsNotIntactWhenTheFileWasWrittenTo) {
  for (const auto* const name : {"mmap", "fresh", "reuse", "pool"}) {
    tests::temp_file file(some);
    const auto made = make_source(name, wire::file_path{file.path()});
    EXPECT_TRUE(made.source->intact());
    ASSERT_EQ(::pwrite(file.fd(), "!", 1, 99'999), 1);
    EXPECT_FALSE(made.source->intact());
    EXPECT_EQ(made.source->why(), file.path() + " was written to while it was sent");
  }
}

class UnreadSource : public testing::TestWithParam<const char*> {};

/// Addresses that say where in the file; a chunk that is copied anyway has memory behind it.
TEST_P(UnreadSource, GivesAddressesAndReadsSmallChunks) {
  const tests::temp_file file(some);
  const auto made = make_source(GetParam(), wire::file_path{file.path()});
  ASSERT_NE(made.source, nullptr) << made.problem;
  const auto& sender = *made.source->sender();
  const auto first = made.source->take(60'000);
  const auto second = made.source->take(39'900);
  EXPECT_TRUE(sender.holds(first.data()));
  EXPECT_EQ(second.data(), first.data() + 60'000);
  EXPECT_FALSE(sender.holds(first.data() - 1));
  EXPECT_TRUE(sender.holds(second.data() + 39'900 + 99));
  EXPECT_FALSE(sender.holds(second.data() + 39'900 + 100));
  const auto small = made.source->take(100);
  ASSERT_EQ(small.size(), 100u) << made.source->why();
  EXPECT_FALSE(sender.holds(small.data()));
  EXPECT_TRUE(std::equal(small.begin(), small.end(), some.begin() + 99'900));
  EXPECT_EQ(made.source->counters().copied_bytes, 0u);
  for (int i = 0; i < 3; ++i) made.source->release();
  EXPECT_TRUE(made.source->intact());
}

INSTANTIATE_TEST_SUITE_P(of, UnreadSource, testing::Values("sendfile", "splice"));

/// Bytes of the file that are mapped into this program.
std::int64_t mapped_bytes(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  std::int64_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    std::size_t behind = 0;
    if (!line.ends_with(path)) continue;
    const auto begin = std::stoull(line, &behind, 16);
    bytes += static_cast<std::int64_t>(std::stoull(line.substr(behind + 1), nullptr, 16) - begin);
  }
  return bytes;
}

/// What is mapped ends with the file, so what is not was unmapped from its front.
TEST(MmapSource, UnmapsWhatThePeerHas) {
  constexpr std::int64_t size = 64 * 1024 * 1024 + 1;
  constexpr std::int64_t size_of_pages = size - 1 + 4096;
  constexpr std::int64_t chunk = 255 * 1024;
  tests::temp_file file;
  file.resize(size);
  file.grow_old();
  auto made = make_source("mmap", wire::file_path{file.path()});
  auto& source = *made.source;
  std::int64_t taken = 0;
  for (int i = 0; taken < size; ++i) {
    const auto next = std::min(chunk, size - taken);
    ASSERT_FALSE(source.take(static_cast<std::size_t>(next)).empty()) << source.why();
    taken += next;
    if (i < 4) continue;
    source.release();
    const auto in_flight = std::min<std::int64_t>(4 * chunk, size);
    const auto unmapped = size_of_pages - mapped_bytes(file.path());
    ASSERT_LE(unmapped, taken - in_flight) << "of a chunk in flight";
    ASSERT_GT(unmapped, taken - in_flight - 5 * 1024 * 1024) << "held for nothing";
  }
  for (int i = 0; i < 4; ++i) source.release();
  EXPECT_TRUE(source.intact());
  made.source.reset();
  EXPECT_EQ(mapped_bytes(file.path()), 0);
}

// Past 2 GiB, where an int of 32 bits ends. No page is touched but the last one.
TEST(MmapSource, MapsAFileOfThreeGibibytes) {
  constexpr std::int64_t size = std::int64_t{3} << 30;
  constexpr std::int64_t chunk = 1024 * 1024;
  tests::temp_file file;
  file.resize(size);
  ASSERT_EQ(::pwrite(file.fd(), "the end", 7, size - 7), 7);
  const auto made = make_source("mmap", wire::file_path{file.path()});
  codecs::bytes_view last;
  for (std::int64_t taken = 0; taken < size; taken += chunk) {
    if (taken != 0) made.source->release();
    last = made.source->take(chunk);
    ASSERT_EQ(last.size(), std::size_t{chunk}) << made.source->why();
  }
  EXPECT_EQ(codecs::as_text(last.last(7)), "the end");
  EXPECT_LE(mapped_bytes(file.path()), 5 * chunk);
}

/// One mmap(2) for all uploads of a file that fits, one and its munmap(2) calls for each of one that does not.
TEST(MmapSource, KeepsAFileMappedThatFits) {
  constexpr std::int64_t mebibyte = 1024 * 1024;
  tests::temp_file file;
  file.resize(8 * mebibyte);
  const auto calls = [&](std::int64_t mapped_bytes) {
    const auto made = make_source("mmap", wire::file_path{file.path()}, {.mapped_bytes = mapped_bytes});
    for (int i = 0; i < 3; ++i) {
      for (int chunk = 0; chunk < 8; ++chunk) {
        EXPECT_FALSE(made.source->take(mebibyte).empty());
        made.source->release();
      }
      made.source->rewind();
    }
    return made.source->counters().syscalls;
  };
  EXPECT_EQ(calls(9 * mebibyte), 1u);
  EXPECT_EQ(calls(4 * mebibyte), 3 * (1 + 2 * 2u));  // each step looks at the file and unmaps
}

TEST(MmapSource, LooksAtTheFileAgainAtEachStep) {
  tests::temp_file file;
  file.resize(20'000'000);
  const auto made = make_source("mmap", wire::file_path{file.path()});
  ASSERT_FALSE(made.source->take(1'000'000).empty());
  file.resize(15'000'000);
  std::int64_t taken = 1'000'000;
  while (!made.source->take(1'000'000).empty()) {
    made.source->release();
    taken += 1'000'000;
    ASSERT_LT(taken, 6'000'000);
  }
  EXPECT_EQ(made.source->why(),
            file.path() + " has shrunk from 20000000 to 15000000 bytes while it was sent");
}

}  // namespace
