#include "codecs/pg/sql.hpp"

#include <algorithm>

namespace codecs::pg {
namespace {

constexpr std::size_t parameter_limit = 65'536;

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool begins_word(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool continues_word(char c) {
  return begins_word(c) || is_digit(c) || c == '$';
}

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && continues_word(text[at])) ++at;
  return at;
}

// A doubled quote is seen as two strings side by side, which end at the same place.
std::size_t quoted_end(std::string_view text, std::size_t at, bool escapes) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += escapes && text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t line_comment_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

std::size_t block_comment_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); at += 2) {
    const auto pair = text.substr(at, 2);
    if (pair == "/*") {
      ++depth;
    } else if (pair == "*/") {
      if (--depth == 0) return at + 2;
    } else {
      --at;
    }
  }
  return text.size();
}

std::size_t dollar_end(std::string_view text, std::size_t at) {
  const auto after_tag = word_end(text.substr(0, text.find('$', at + 1)), at + 1);
  if (after_tag >= text.size() || text[after_tag] != '$') return std::min(after_tag, text.size());
  const auto delimiter = text.substr(at, after_tag + 1 - at);
  const auto closing = text.find(delimiter, after_tag + 1);
  return closing == std::string_view::npos ? text.size() : closing + delimiter.size();
}

bool is_comment(std::string_view text, std::size_t at) {
  const auto pair = text.substr(at, 2);
  return pair == "--" || pair == "/*";
}

// The end of the string, comment, word or single character that begins at `at`.
std::size_t token_end(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_comment(text, at)) return c == '-' ? line_comment_end(text, at) : block_comment_end(text, at);
  if (c == '\'' || c == '"') return quoted_end(text, at, false);
  if (lower(c) == 'e' && text.substr(at + 1, 1) == "'") return quoted_end(text, at + 1, true);
  if (c == '$') return dollar_end(text, at);
  return begins_word(c) ? word_end(text, at) : at + 1;
}

std::size_t parameter_number(std::string_view digits) {
  std::size_t number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) break;
    number = std::min(number * 10 + static_cast<std::size_t>(c - '0'), parameter_limit);
  }
  return number;
}

}  // namespace

bool statement_cursor::next(std::string_view& statement) {
  std::size_t first = text_.size();
  std::size_t last = first;
  while (at_ < text_.size()) {
    const auto begin = at_;
    at_ = token_end(text_, at_);
    if (is_space(text_[begin]) || is_comment(text_, begin)) continue;
    if (text_[begin] != ';') {
      first = std::min(first, begin);
      last = at_;
    } else if (first != text_.size()) {
      break;
    }
  }
  if (first == text_.size()) return false;
  statement = text_.substr(first, last - first);
  return true;
}

std::size_t parameter_count(std::string_view statement) {
  std::size_t highest = 0;
  if (statement.find('$') == std::string_view::npos) return highest;
  for (std::size_t at = 0; at < statement.size(); at = token_end(statement, at)) {
    if (statement[at] == '$') highest = std::max(highest, parameter_number(statement.substr(at + 1)));
  }
  return highest;
}

bool begins_with(std::string_view text, std::string_view words) {
  std::size_t at = 0;
  for (const char c : words) {
    if (at == text.size()) return false;
    if (c == ' ') {
      if (!is_space(text[at])) return false;
      while (at < text.size() && is_space(text[at])) ++at;
    } else if (lower(text[at++]) != c) {
      return false;
    }
  }
  return at == text.size() || !continues_word(text[at]);
}

}  // namespace codecs::pg
