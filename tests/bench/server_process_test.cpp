#include "bench/server_process.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <unistd.h>

#include <cstring>
#include <vector>

namespace bench {
namespace {

// Lines as proc(5) shows them: port 0x1F90 is 8080, state 0A is LISTEN.
constexpr char table[] =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 "
    "100\n"
    "   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 "
    "100\n"
    "   2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4713 1 0 "
    "100\n";

TEST(ListeningInodes, AreThoseThatListenOnThePort) {
  EXPECT_EQ(listening_inodes(table, 8080), std::set<std::string>{"4711"});
  EXPECT_EQ(listening_inodes(table, 8081), std::set<std::string>{"4713"});
  EXPECT_TRUE(listening_inodes(table, 80).empty());
  EXPECT_TRUE(listening_inodes("", 80).empty());
}

TEST(ListensOn, KnowsThisProcessByItsSocket) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(fd, any, size), 0);
  ASSERT_EQ(::getsockname(fd, any, &size), 0);
  const wire::endpoint here{.host = "127.0.0.1", .port = ntohs(address.sin_port)};
  EXPECT_FALSE(listens_on(::getpid(), here));
  ASSERT_EQ(::listen(fd, 1), 0);
  EXPECT_TRUE(listens_on(::getpid(), here));
  EXPECT_FALSE(listens_on(::getppid(), here));
  ::close(fd);
  EXPECT_FALSE(listens_on(::getpid(), here));
}

/// A child that holds the same shared memory, and ends with the handle's pipe.
class sharing_child {
 public:
  sharing_child(std::uint8_t* shared, std::size_t size) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    EXPECT_EQ(::pipe(end_), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      std::memset(shared, 2, size);
      char c = 0;
      [[maybe_unused]] auto told = ::write(ready[1], &c, 1);
      ::close(end_[1]);
      told = ::read(end_[0], &c, 1);
      ::_exit(0);
    }
    char c = 0;
    EXPECT_EQ(::read(ready[0], &c, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~sharing_child() {
    ::close(end_[1]);
    ::close(end_[0]);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int end_[2] = {-1, -1};
};

TEST(ServerProcess, CountsSharedMemoryOnce) {
  constexpr std::size_t size = 64 * 1024 * 1024;
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(at, MAP_FAILED);
  auto* const shared = static_cast<std::uint8_t*>(at);
  std::memset(shared, 1, size);
  {
    const sharing_child child(shared, size);
    EXPECT_EQ(parent_of(child.pid()), ::getpid());
    const auto tree = with_descendants(::getpid());
    EXPECT_EQ(tree, (std::vector<pid_t>{::getpid(), child.pid()}));
    const auto own = peak_memory_bytes({::getpid()});
    const auto of_child = peak_memory_bytes({child.pid()});
    const auto both = peak_memory_bytes(tree);
    ASSERT_TRUE(own && of_child && both);
    EXPECT_GT(*of_child, std::int64_t{size});
    const auto apart = *own + *of_child - *both;
    EXPECT_NEAR(static_cast<double>(apart), static_cast<double>(size), 0.2 * size);
  }
  ::munmap(at, size);
}

TEST(ServerProcess, ForgetsAPeak) {
  constexpr std::size_t size = 128 * 1024 * 1024;
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(at, MAP_FAILED);
  std::memset(at, 1, size);
  ::munmap(at, size);
  const auto before = peak_memory_bytes({::getpid()});
  ASSERT_TRUE(reset_peak_memory(::getpid()));
  EXPECT_LT(*peak_memory_bytes({::getpid()}), *before - 100'000'000);
}

TEST(ServerProcess, IsNothingWhereThereIsNone) {
  EXPECT_FALSE(peak_memory_bytes({}));
  EXPECT_FALSE(peak_memory_bytes({2'000'000'000}));
  EXPECT_FALSE(parent_of(2'000'000'000));
  EXPECT_FALSE(reset_peak_memory(2'000'000'000));
}

}  // namespace
}  // namespace bench
