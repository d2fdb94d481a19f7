#pragma once
// Statements that transfers execute by the extended protocol. They are prepared once per session, under names of one character,
// which stand in every Bind.

#include <string_view>

namespace codecs::pg {

struct named_statement {
  std::string_view name;
  std::string_view text;
};

}  // namespace codecs::pg
