#include "bench/workloads/sql_statement.hpp"

#include <charconv>
#include <iterator>

namespace bench::workloads {

sql_values::sql_values(const sql_statement& of)
    : template_(of.text),
      parameters_(of.parameters),
      numbers_(of.parameters.size()),
      encoded_(of.parameters.size()),
      random_(of.seed) {}

void sql_values::draw() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto& range = parameters_[i];
    const auto lowest = static_cast<std::uint64_t>(range.lowest);  // unsigned: no difference overflows
    const auto width = static_cast<unsigned __int128>(static_cast<std::uint64_t>(range.highest) - lowest) + 1;
    numbers_[i] =
        static_cast<std::int64_t>(lowest + static_cast<std::uint64_t>(width * random_.next() >> 64U));
    if (range.bytes == 4) {
      codecs::store_be(encoded_[i].data(), static_cast<std::int32_t>(numbers_[i]));
    } else {
      codecs::store_be(encoded_[i].data(), numbers_[i]);
    }
  }
}

const std::string& sql_values::text() {
  text_.clear();
  for (std::size_t at = 0; at < template_.size();) {
    std::size_t number = 0;
    const char* end = template_.data() + template_.size();
    const char* behind = template_.data() + at + 1;
    if (template_[at] == '$') behind = std::from_chars(behind, end, number).ptr;
    if (number == 0 || number > numbers_.size()) {
      text_ += template_[at++];
      continue;
    }
    char digits[24];
    text_.append(digits, std::to_chars(std::begin(digits), std::end(digits), numbers_[number - 1]).ptr);
    at = static_cast<std::size_t>(behind - template_.data());
  }
  return text_;
}

}  // namespace bench::workloads
