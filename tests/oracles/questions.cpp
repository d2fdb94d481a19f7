#include "tests/oracles/questions.hpp"

#include "fixtures/temp_dir.hpp"
#include "fixtures/venv.hpp"

#include "tests/integration/output.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace tests {

nlohmann::json ask(const std::string& script, const std::vector<std::string>& packages,
                   const nlohmann::json& question) {
  std::string name = packages.front();
  name.replace(name.find("=="), 2, "-");
  const auto venv = fixtures::install_venv(name, packages);
  const auto folder = fixtures::temp_dir::make();
  if (!venv.ok() || !folder.ok()) {
    ADD_FAILURE() << venv.status() << " " << folder.status();
    return {};
  }
  const auto file = folder->path() + "/question.json";
  std::ofstream(file) << question;
  const auto output = output_of({*venv + "/bin/python", ORACLES_FOLDER "/" + script, file});
  auto answer = nlohmann::json::parse(output, nullptr, false);
  if (!answer.is_discarded()) return answer;
  ADD_FAILURE() << output;
  return {};
}

}  // namespace tests
