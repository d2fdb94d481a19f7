#include "codecs/pg/copy_receiver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecs::pg {

using token = copy_reader::token;

constexpr std::string_view bad_copy_file_format = "22P04";

void copy_receiver::begin() {
  reader_ = {};
  rows_ = 0;
}

std::optional<refusal> copy_receiver::take(bytes_view data) {
  while (true) {
    const auto what = reader_.next(data);
    if (what == token::more) return {};
    if (auto refused = on_token(what)) return refused;
  }
}

std::optional<refusal> copy_receiver::on_token(token what) {
  switch (what) {
    case token::row:
      ++rows_;
      fields_ = 0;
      if (reader_.columns() == columns()) return {};
      return refusal{bad_copy_file_format,
                     fmt::format("row {} has {} fields and not {}", rows_, reader_.columns(), columns())};
    case token::field:
      return on_field(fields_++, reader_.size(), reader_.is_null());
    case token::payload:
      on_payload(fields_ - 1, reader_.piece());
      return {};
    case token::broken:
      return refusal{bad_copy_file_format, fmt::format("invalid data: {}", reader_.bad().field)};
    default:
      return {};
  }
}

std::optional<refusal> copy_receiver::finish(std::int64_t& rows) const {
  rows = rows_;
  if (reader_.at_end()) return {};
  return refusal{bad_copy_file_format, "the data have no trailer"};
}

appetite copy_receiver::skim(bytes_view unread) const {
  if (unread.size() < head_bytes) return appetite::more(head_bytes - unread.size());
  const auto end = first_size(unread);
  const auto missing = end - unread.size();
  if (end <= appetite::kept_bytes) return appetite::more(missing);
  auto ahead = reader_;
  auto left = body_of(unread);
  for (auto what = token::row; what != token::more && what != token::broken;) what = ahead.next(left);
  const auto payload = std::min(ahead.payload_left(), missing);
  if (payload == 0) return appetite::more(1);
  return ahead.size() > appetite::kept_bytes ? appetite::without(payload) : appetite::more(payload);
}

}  // namespace codecs::pg
