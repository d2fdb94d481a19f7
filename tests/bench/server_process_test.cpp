#include "bench/server_process.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <unistd.h>

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

}  // namespace
}  // namespace bench
