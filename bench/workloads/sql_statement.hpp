#pragma once
// A statement of the user's own as an op: prepared or not, with parameters drawn anew for every op.

#include "codecs/bytes.hpp"

#include "fixtures/datasets.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::workloads {

/// Its name among ops.
inline constexpr char sql_op[] = "sql";

/// A whole number, uniform between two limits, both included.
struct sql_parameter {
  std::size_t bytes = 4;  ///< 4: int4, 8: int8
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

/// How a statement travels (pgbench: --protocol).
enum class query_mode {
  simple,    ///< one Query, the parameters written into its text
  extended,  ///< parsed, bound and executed anew each time, in one round trip
  prepared,  ///< parsed once per connection
};

struct sql_statement {
  std::string text;  ///< exactly one statement, with $1, $2 ..
  std::vector<sql_parameter> parameters;
  query_mode mode = query_mode::prepared;
  std::uint64_t seed = 1;  ///< of the parameters
};

/// The parameters of op after op. Allocates nothing once it has drawn for the first time.
class sql_values {
 public:
  explicit sql_values(const sql_statement& of);

  void draw();

  /// Of the last draw(): each big-endian, in its binary format; valid until the next one.
  codecs::bytes_view binary(std::size_t index) const {
    return {encoded_[index].data(), parameters_[index].bytes};
  }

  /// The statement's text with the numbers in place of $1, $2 ..; valid until the next call.
  const std::string& text();

 private:
  std::string template_;
  std::vector<sql_parameter> parameters_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::array<std::uint8_t, 8>> encoded_;
  fixtures::random_source random_;
  std::string text_;
};

}  // namespace bench::workloads
