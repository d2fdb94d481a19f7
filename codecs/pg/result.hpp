#pragma once
// How results reach the caller of an exchange, row by row and without being copied.

#include "codecs/pg/query.hpp"

namespace codecs::pg {

/// Takes the results of one op. Everything that it is given is valid during the call alone.
class result_sink {
 public:
  virtual ~result_sink() = default;

  /// Before the rows, where the protocol describes them: never for an executed statement.
  virtual void on_columns(const row_description&) {}

  virtual void on_row(const data_row&) {}

  /// The end of one result: "SELECT 1"; empty for an empty query.
  virtual void on_complete(std::string_view /*tag*/) {}
};

/// Decodes result messages, holds rows to their description, and passes them on. Without a sink it still checks.
class result_reader {
 public:
  /// Rows have as many columns as the first one.
  static constexpr int any_columns = -1;
  /// Rows have no place here before a RowDescription.
  static constexpr int no_columns = -2;

  void begin(result_sink* sink, int columns) {
    sink_ = sink;
    columns_ = columns;
  }

  fault on_columns(bytes_view frame);
  fault on_row(bytes_view frame);
  fault on_complete(bytes_view frame);
  fault on_empty(bytes_view frame);

 private:
  result_sink* sink_ = nullptr;
  int columns_ = no_columns;
};

}  // namespace codecs::pg
