#include "codecs/pg/plan.hpp"

namespace codecs::pg {
namespace {

constexpr format formats[] = {format::text, format::binary};

void write_rows(writer& out, std::size_t columns, const std::vector<plan_value>& values, format of) {
  std::vector<value> row;
  for (const auto& each : values) {
    row.emplace_back(as_bytes(of == format::text ? each.text : each.binary));
    if (row.size() < columns) continue;
    encode_data_row(out, row);
    row.clear();
  }
}

}  // namespace

plan::plan(std::string_view tag, effect does, oid parameter_type) : plan(tag, {}, {}, parameter_type) {
  does_ = does;
}

plan::plan(std::string_view tag, std::vector<column> columns, const std::vector<plan_value>& values,
           oid parameter_type)
    : parameter_type_(parameter_type), columns_(std::move(columns)) {
  for (const auto of : formats) {
    describe(of);
    writer out(replies_[index(of)]);
    write_rows(out, columns_.size(), values, of);
    encode(out, command_complete{tag});
    out.finish();
  }
}

plan plan::empty() {
  plan made;
  for (const auto of : formats) {
    made.describe(of);
    writer out(made.replies_[index(of)]);
    encode_bare(out, reply::empty_query_response);
    out.finish();
  }
  return made;
}

void plan::describe(format of) {
  writer out(descriptions_[index(of)]);
  if (columns_.empty()) {
    encode_bare(out, reply::no_data);
  } else {
    for (auto& each : columns_) each.encoding = of;
    encode_row_description(out, columns_);
  }
  out.finish();
}

}  // namespace codecs::pg
