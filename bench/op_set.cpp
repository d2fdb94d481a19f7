#include "bench/op_set.hpp"

#include <algorithm>

namespace bench {

const std::vector<op>& op_set() {
  using wire::protocol;
  static const std::vector<op> ops{
      {"ping", protocol::mongo, "libmongoc", false, "the ping command"},
      {"insert_one", protocol::mongo, "libmongoc", true, "one document of 400 bytes, fresh _id"},
      {"find_one", protocol::mongo, "libmongoc", true, "one document of 1 KiB, by _id"},
      {"select1", protocol::pg, "libpq", false, "SELECT 1 as a simple query"},
      {"select_param", protocol::pg, "libpq", false, "SELECT $1::int4, prepared, binary both ways"},
      {"insert_row", protocol::pg, "libpq", true, "one bytea of 400 bytes, prepared, one transaction each"},
      {"lowrite_256k", protocol::pg, "libpq", false,
       "256 KiB into a large object by FunctionCall; one reused chunk"},
  };
  return ops;
}

const op* find_op(const std::string& name) {
  const auto& ops = op_set();
  const auto found = std::find_if(ops.begin(), ops.end(), [&](const op& one) { return one.name == name; });
  return found == ops.end() ? nullptr : &*found;
}

}  // namespace bench
