#pragma once
// The ops that the ladder knows: an explicit list.

#include "wire/endpoint.hpp"

#include <string>
#include <vector>

namespace bench {

struct op {
  std::string name;  ///< as --op takes it
  wire::protocol protocol;
  std::string driver;   ///< "libmongoc" or "libpq"
  bool needs_data;      ///< a real server must hold a table or a document for it
  std::string summary;  ///< for --list
};

/// In the order of the report.
const std::vector<op>& op_set();

/// Null for an unknown name.
const op* find_op(const std::string& name);

}  // namespace bench
