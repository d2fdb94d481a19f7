#pragma once
// A sink that writes down what it is given: [columns](values)tag;

#include "codecs/pg/result.hpp"

#include <string>

namespace tests {

struct sink final : codecs::pg::result_sink {
  std::string seen;

  void on_columns(const codecs::pg::row_description& columns) override {
    seen += '[';
    for (const auto& each : columns) seen.append(seen.back() == '[' ? "" : ",").append(each.name);
    seen += ']';
  }
  void on_row(const codecs::pg::data_row& row) override {
    seen += '(';
    for (const auto each : row.values) {
      seen.append(seen.back() == '(' ? "" : ",").append(each ? codecs::as_text(*each) : "NULL");
    }
    seen += ')';
  }
  void on_complete(std::string_view tag) override { seen.append(tag) += ';'; }
};

}  // namespace tests
