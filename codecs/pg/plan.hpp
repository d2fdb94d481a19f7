#pragma once
// What a peer knows of one kind of statement: what it does to the session, how it is described, and the replies to its
// execution, encoded once when the plan is made.

#include "codecs/pg/flat_buffer.hpp"
#include "codecs/pg/query.hpp"

#include <string>

namespace codecs::pg {

/// What executing a statement does to the session.
enum class effect : std::uint8_t {
  none,
  begin,     ///< opens a transaction block
  commit,    ///< ends it; a failed block is rolled back
  rollback,  ///< ends it
  forget,    ///< drops all prepared statements
  copy_in,   ///< begins a COPY FROM STDIN
};

/// The values of one row in both formats; "in both" since a client chooses when it binds.
struct plan_value {
  std::string text;
  std::string binary;
};

class plan {
 public:
  /// A statement without rows. Parameters whose type the client leaves open are `parameter_type`.
  explicit plan(std::string_view tag, effect does = effect::none, oid parameter_type = 0);

  /// A statement with rows; `values` go row by row. The columns' names are kept as views: literals.
  plan(std::string_view tag, std::vector<column> columns, const std::vector<plan_value>& values,
       oid parameter_type = 0);

  /// The same, with a type for each parameter.
  plan& takes(std::vector<oid> types) {
    parameter_types_ = std::move(types);
    return *this;
  }

  /// The empty query, whose reply is EmptyQueryResponse.
  static plan empty();

  effect does() const { return does_; }

  /// Of the parameter with that index, counted from 0, when the client leaves it open.
  oid parameter_type(std::size_t index) const {
    return index < parameter_types_.size() ? parameter_types_[index] : parameter_type_;
  }

  std::span<const column> columns() const { return columns_; }

  /// RowDescription or NoData.
  bytes_view description(format of) const { return descriptions_[index(of)].view(); }

  /// DataRow.. and CommandComplete.
  bytes_view reply(format of) const { return replies_[index(of)].view(); }

 private:
  plan() = default;

  static std::size_t index(format of) { return static_cast<std::size_t>(of); }
  void describe(format of);

  effect does_ = effect::none;
  oid parameter_type_ = 0;
  std::vector<oid> parameter_types_;
  std::vector<column> columns_;
  flat_buffer descriptions_[2];
  flat_buffer replies_[2];
};

}  // namespace codecs::pg
