#pragma once
// Preparing a statement and learning what it takes and gives, in one round trip: P D(S) S -> 1 t (T | n) Z.

#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/query.hpp"

namespace codecs::pg {

/// A statement that the server keeps under a name.
struct statement {
  struct result_column {
    std::string name;
    oid type = 0;
  };

  std::string name;
  std::vector<oid> parameter_types;
  std::vector<result_column> columns;  ///< empty: it returns no rows
};

class prepare_exchange final : public extended_exchange {
 public:
  using extended_exchange::extended_exchange;

  /// Prepares `text` as `into.name` and fills in the rest of `into`. The name must be free. `parameter_types` may leave
  /// types open. All live until the op is over.
  void set(std::string_view text, statement& into, std::span<const oid> parameter_types = {}) {
    text_ = text;
    into_ = &into;
    parameter_types_ = parameter_types;
  }

  progress start(send_buffer& out) override;
  progress on_frame(bytes_view frame, send_buffer& out) override;

 private:
  progress on_parameters(bytes_view frame);
  progress on_columns(bytes_view frame);

  std::string_view text_;
  statement* into_ = nullptr;
  std::span<const oid> parameter_types_;
};

}  // namespace codecs::pg
