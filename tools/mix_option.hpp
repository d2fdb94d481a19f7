#pragma once
// A weighted mix of ops on the command line: "select_param@9 insert_row@1".

#include "bench/load/plan.hpp"
#include "bench/op_set.hpp"

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

/// An op by its name, "sql" (a statement of the user's own) among them; null for an unknown one.
const bench::op* find_mixed_op(const std::string& name);

/// InvalidArgument for an unknown op, one that stands twice, one that cannot be mixed, or ops of two protocols; and for "sql"
/// without `has_sql`.
absl::StatusOr<std::vector<bench::load::mixed_op>> parse_mix(const std::vector<std::string>& words,
                                                             bool has_sql);

/// "int4:1..100000", "int8:0..9": one parameter of a statement.
absl::StatusOr<bench::workloads::sql_parameter> parse_parameter(const std::string& word);

/// The mix again: "select_param@9,insert_row@1"; one op is its name alone.
std::string mix_text(const std::vector<bench::load::mixed_op>& mix);

}  // namespace tools
