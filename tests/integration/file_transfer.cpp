#include "tests/integration/file_transfer.hpp"

#include "fixtures/venv.hpp"

namespace tests {

std::string FileTransfer::psycopg(const std::string& mode, const std::string& kind, std::size_t first) {
  const auto venv = fixtures::install_venv("psycopg-3.3.9", {"psycopg[binary]==3.3.9"});
  if (!venv.ok()) {
    ADD_FAILURE() << venv.status();
    return {};
  }
  std::vector<std::string> line{*venv + "/bin/python",
                                INTEGRATION_FOLDER "/psycopg_files.py",
                                mode,
                                kind,
                                uri(),
                                std::to_string(chunk_bytes),
                                std::to_string(first)};
  for (const auto length : lengths) line.push_back(std::to_string(length));
  return output_of(line);
}

}  // namespace tests
