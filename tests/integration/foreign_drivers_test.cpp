// Drivers of other languages, as PyPI has them, against the null servers.

#include "fixtures/venv.hpp"

#include "tests/integration/output.hpp"
#include "tools/peers.hpp"

namespace tests {
namespace {

/// Runs a script of this folder against a null server, with the Python of an environment that holds `package`.
std::string run_script(const std::string& script, wire::protocol protocol, const std::string& environment,
                       const std::string& package) {
  const auto venv = fixtures::install_venv(environment, {package});
  if (!venv.ok()) {
    ADD_FAILURE() << venv.status();
    return {};
  }
  const auto peer = tools::start_null(protocol, 0);
  if (!peer.ok()) {
    ADD_FAILURE() << peer.status();
    return {};
  }
  return output_of({*venv + "/bin/python", INTEGRATION_FOLDER "/" + script, (*peer)->tcp_uri()});
}

TEST(ForeignDrivers, PymongoRunsTheMongoOps) {
  EXPECT_EQ(run_script("pymongo_ops.py", wire::protocol::mongo, "pymongo-4.20.1", "pymongo==4.20.1"),
            "ping: 1.0\n"
            "insert_one: acknowledged\n"
            "insert_many: 1000 ids\n"
            "find_one: the document asked for\n"
            "find: 1 document\n"
            "commands: ping insert insert find find endSessions\n");
}

TEST(ForeignDrivers, PsycopgRunsThePostgresqlOps) {
  EXPECT_EQ(run_script("psycopg_ops.py", wire::protocol::pg, "psycopg-3.3.9", "psycopg[binary]==3.3.9"),
            "SELECT 1: (1,)\n"
            "SELECT %s::int4: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 6 Parse\n"
            "insert: INSERT 0 1\n"
            "transaction: INTRANS, then IDLE\n"
            "rolled back: INTRANS, then IDLE\n");
}

}  // namespace
}  // namespace tests
