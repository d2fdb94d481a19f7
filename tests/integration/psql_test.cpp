// psql against the null PostgreSQL.

#include "fixtures/datasets.hpp"
#include "fixtures/temp_dir.hpp"

#include "tests/integration/output.hpp"
#include "tools/peers.hpp"

#include <fstream>
#include <memory>

namespace tests {
namespace {

class Psql : public testing::Test {
 protected:
  void SetUp() override {
    auto started = tools::start_null(wire::protocol::pg, 0);
    ASSERT_TRUE(started.ok()) << started.status();
    peer_ = *std::move(started);
  }

  std::string psql(const std::string& command) {
    return output_of({"/usr/bin/psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                      "--command=" + command, peer_->tcp_uri()});
  }

  std::unique_ptr<bench::peer> peer_;
};

TEST_F(Psql, ReadsTheRowOfSelect1) {
  EXPECT_EQ(psql("SELECT 1"), "1\n");
}

// It looks the lo_* functions up, opens a transaction of its own and writes by 8 KiB.
TEST_F(Psql, ImportsALargeObject) {
  const auto directory = fixtures::temp_dir::make();
  ASSERT_TRUE(directory.ok()) << directory.status();
  const auto path = directory->path() + "/blob";
  const auto blob = fixtures::make_blob(1, 1024 * 1024);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(blob.data()), blob.size());
  EXPECT_EQ(psql("\\lo_import " + path), "lo_import 16384\n");  // the first OID of a user's object
  const auto moved = *peer_->counted();
  EXPECT_GT(moved.bytes_out, blob.size());
  EXPECT_LT(moved.bytes_out,
            blob.size() + 128 * 29 + 2048);  // 29 bytes around each of 128 pieces, set-up and end
}

}  // namespace
}  // namespace tests
