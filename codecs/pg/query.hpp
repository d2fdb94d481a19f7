#pragma once
// Simple query (manual, "Simple Query"): one text, any number of results, one ReadyForQuery. The result messages serve
// the extended protocol too.

#include "codecs/pg/frame.hpp"
#include "codecs/pg/values.hpp"

namespace codecs::pg {

struct query {
  std::string_view text;
};
void encode(writer& out, const query& message);
fault decode(bytes_view frame, query& into);

/// One column of a RowDescription.
struct column {
  std::string_view name;
  oid table = 0;               ///< 0: not a column of a table
  std::int16_t attribute = 0;  ///< number of the table's column, or 0
  oid type = 0;
  std::int16_t type_size = -1;  ///< bytes; negative: variable
  std::int32_t modifier = -1;
  format encoding = format::text;  ///< always text in the answer to Describe of a statement
};

/// The columns to come, valid as long as the frame; they are taken apart when iterated.
class row_description {
 public:
  row_description() = default;

  static row_description read(reader& in);

  class iterator {
   public:
    using value_type = column;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    iterator(bytes_view rest, std::size_t left);

    const column& operator*() const { return current_; }
    const column* operator->() const { return &current_; }
    iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    void take();

    bytes_view rest_;
    std::size_t left_ = 0;
    column current_;
  };

  iterator begin() const { return {columns_, size_}; }
  std::default_sentinel_t end() const { return {}; }
  std::size_t size() const { return size_; }

 private:
  bytes_view columns_;
  std::size_t size_ = 0;
};
void encode_row_description(writer& out, std::span<const column> columns);
fault decode(bytes_view frame, row_description& into);

/// One row; its values point into the frame.
struct data_row {
  value_list values;
};
void encode_data_row(writer& out, std::span<const value> values);
fault decode(bytes_view frame, data_row& into);

struct command_complete {
  std::string_view tag;  ///< "SELECT 1", "INSERT 0 1", ...
};
void encode(writer& out, const command_complete& message);
fault decode(bytes_view frame, command_complete& into);

}  // namespace codecs::pg
