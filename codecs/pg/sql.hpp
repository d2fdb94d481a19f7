#pragma once
// As much of SQL's lexical structure (manual chapter "Lexical Structure") as a peer needs to see where a statement ends:
// strings, quoted and dollar-quoted ones, comments, which nest, and parameters. It understands no statement.

#include <cstddef>
#include <string_view>

namespace codecs::pg {

/// Walks the statements of a query text.
///
///   statement_cursor statements(text);
///   for (std::string_view each; statements.next(each);) ...
class statement_cursor {
 public:
  explicit statement_cursor(std::string_view text) : text_(text) {}

  /// The next statement, without semicolon and without white space and comments around it; those that are empty then
  /// are passed over. False at the end of the text.
  bool next(std::string_view& statement);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// The highest number n of a parameter $n, or 0. Numbers past 65,535 count as 65,536.
std::size_t parameter_count(std::string_view statement);

/// Whether `text` begins with `words` (lower case, single spaces) in any case and spacing and nothing of a word follows.
bool begins_with(std::string_view text, std::string_view words);

}  // namespace codecs::pg
