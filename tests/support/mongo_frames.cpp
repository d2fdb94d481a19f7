#include "tests/support/mongo_frames.hpp"

#include <bson/bson.h>
#include <gtest/gtest.h>

namespace tests {

bytes bson(const char* json) {
  bson_error_t error;
  bson_t* document = bson_new_from_json(reinterpret_cast<const std::uint8_t*>(json), -1, &error);
  if (document == nullptr) {
    ADD_FAILURE() << json << ": " << error.message;
    return {5, 0, 0, 0, 0};
  }
  const bytes data(bson_get_data(document), bson_get_data(document) + document->len);
  bson_destroy(document);
  return data;
}

bytes nested(std::size_t levels, std::uint8_t type) {
  bytes document{5, 0, 0, 0, 0};
  for (std::size_t i = 0; i < levels; ++i) {
    bytes outer{0, 0, 0, 0, type, 'd', 0};
    outer.insert(outer.end(), document.begin(), document.end());
    outer.push_back(0);
    codecs::store_le(outer.data(), static_cast<std::int32_t>(outer.size()));
    document = outer;
  }
  return document;
}

std::string to_json(codecs::bytes_view document) {
  bson_t view;
  if (!bson_init_static(&view, document.data(), document.size())) return "not a document";
  char* json = bson_as_relaxed_extended_json(&view, nullptr);
  const std::string text = json != nullptr ? json : "not a document";
  bson_free(json);
  return text;
}

bytes msg_frame(std::int32_t request_id, std::int32_t response_to, const bytes& body, std::uint32_t flags) {
  bytes frame;
  frame.reserve(21 + body.size());  // GCC 12 sees an overflow in an insert() that has to grow
  frame.resize(21);
  codecs::store_le(frame.data(), static_cast<std::int32_t>(frame.size() + body.size()));
  codecs::store_le(frame.data() + 4, request_id);
  codecs::store_le(frame.data() + 8, response_to);
  codecs::store_le(frame.data() + 12, std::int32_t{2013});
  codecs::store_le(frame.data() + 16, flags);
  frame.insert(frame.end(), body.begin(), body.end());
  return frame;
}

opened_msg open_msg(codecs::bytes_view frame) {
  if (frame.size() < 26 || codecs::load_le<std::int32_t>(frame.data() + 12) != 2013 || frame[20] != 0) {
    ADD_FAILURE() << "no OP_MSG with the body first: " << to_hex(frame);
    return {};
  }
  const auto body_bytes = codecs::load_le<std::uint32_t>(frame.data() + 21);
  return {id_of(frame), codecs::load_le<std::int32_t>(frame.data() + 8),
          codecs::load_le<std::uint32_t>(frame.data() + 16), to_json(frame.subspan(21, body_bytes))};
}

std::int32_t id_of(codecs::bytes_view frame) {
  return codecs::load_le<std::int32_t>(frame.data() + 4);
}

}  // namespace tests
