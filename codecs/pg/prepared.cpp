#include "codecs/pg/prepared.hpp"

#include "codecs/pg/sql.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::pg {
namespace {

// A client can make the server keep no more than so many of each.
constexpr std::size_t max_statements = 1'000;
constexpr std::size_t max_portals = 1'000;

// All columns in one format, which is how drivers ask; a mixture has no prebuilt reply.
std::optional<refusal> choose_format(const format_list& asked, std::size_t columns, format& chosen) {
  if (columns == 0) return {};
  if (!asked.fits(columns)) {
    return refusal{sqlstate::protocol_violation,
                   fmt::format("{} result formats for {} columns", asked.size(), columns)};
  }
  chosen = asked[0];
  for (std::size_t i = 1; i < asked.size(); ++i) {
    if (asked[i] != chosen) {
      return refusal{sqlstate::feature_not_supported, "result columns in different formats"};
    }
  }
  return {};
}

// Where the first `max_rows` rows of a reply end; 0 stands for all of it.
std::size_t rows_end(bytes_view messages, std::int32_t max_rows) {
  if (max_rows <= 0) return messages.size();
  std::size_t end = 0;
  for (; max_rows > 0 && messages[end] == reply::data_row; --max_rows) {
    end += first_size(messages.subspan(end));
  }
  return max_rows > 0 ? messages.size() : end;
}

}  // namespace

bytes_view prepared::portal::take(std::int32_t max_rows) {
  const auto left = rest();
  const auto end = rows_end(left, max_rows);
  sent += end;
  return left.first(end);
}

std::optional<refusal> prepared::prepare(const parse& asked, const plan& what) {
  if (!asked.statement.empty() && statements_.find(asked.statement) != nullptr) {
    return refusal{sqlstate::duplicate_prepared_statement,
                   fmt::format("statement \"{}\" is there already", asked.statement)};
  }
  const auto count = std::max(parameter_count(asked.query), asked.parameter_types.size());
  if (count > max_list_size || statements_.size() == max_statements) {
    return refusal{sqlstate::program_limit_exceeded, "too many parameters or prepared statements"};
  }
  auto& made = statements_.put(asked.statement);
  made.what = &what;
  made.parameter_types.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const oid declared = i < asked.parameter_types.size() ? asked.parameter_types[i] : 0;
    made.parameter_types.push_back(declared != 0 ? declared : what.parameter_type(i));
  }
  return {};
}

std::optional<refusal> prepared::open(const bind& asked, const statement& what, portal*& made) {
  if (asked.parameters.size() != what.parameter_types.size()) {
    return refusal{sqlstate::protocol_violation,
                   fmt::format("{} parameters for statement \"{}\", which takes {}", asked.parameters.size(),
                               asked.statement, what.parameter_types.size())};
  }
  if (!asked.portal.empty() && portals_.find(asked.portal) != nullptr) {
    return refusal{sqlstate::duplicate_cursor, fmt::format("portal \"{}\" is there already", asked.portal)};
  }
  if (portals_.size() == max_portals) {
    return refusal{sqlstate::program_limit_exceeded, "too many portals"};
  }
  auto results = format::text;
  if (auto refused = choose_format(asked.result_formats, what.what->columns().size(), results))
    return refused;
  made = &portals_.put(asked.portal);
  made->what = what.what;
  made->results = results;
  made->sent = 0;
  made->reply.clear();
  made->stream.reset();
  return {};
}

}  // namespace codecs::pg
