#include "bench/json_value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace bench {

bool json_value::has(const char* key) const {
  const auto found = object().find(key);
  return found != json_.end() && !found->is_null();
}

json_value json_value::member(const char* key) const {
  const auto found = object().find(key);
  if (found == json_.end()) throw complaint(path_to(key) + " is missing");
  return {*found, *this, key, 0};
}

void json_value::for_each_member(
    const std::function<void(const std::string& key, const json_value& member)>& use) const {
  for (const auto& [key, of] : object().items()) use(key, json_value(of, *this, key.c_str(), 0));
}

std::size_t json_value::size() const {
  if (!json_.is_array()) complain_of_type("a list");
  return json_.size();
}

json_value json_value::item(std::size_t index) const {
  return {json_[index], *this, nullptr, index};
}

void json_value::read(bool& to) const {
  if (!json_.is_boolean()) complain_of_type("true or false");
  to = json_.get<bool>();
}

void json_value::read(std::string& to) const {
  if (!json_.is_string()) complain_of_type("text");
  to = json_.get<std::string>();
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(to.begin(), to.end(), is_control, ' ');
}

void json_value::read(double& to) const {
  if (!json_.is_number()) complain_of_type("a number");
  to = json_.get<double>();
}

template <typename Whole>
void json_value::read_whole(Whole& to) const {
  if (!json_.is_number_integer()) complain_of_type("a whole number");
  const bool fits = json_.is_number_unsigned() ? std::in_range<Whole>(json_.get<std::uint64_t>())
                                               : std::in_range<Whole>(json_.get<std::int64_t>());
  if (!fits) complain(fmt::format("is {}, out of its range", json_.dump()));
  to = json_.get<Whole>();
}

void json_value::read(int& to) const {
  read_whole(to);
}

void json_value::read(std::uint32_t& to) const {
  read_whole(to);
}

void json_value::read(std::int64_t& to) const {
  read_whole(to);
}

void json_value::read(std::uint64_t& to) const {
  read_whole(to);
}

void json_value::complain(const std::string& what) const {
  throw complaint(path() + " " + what);
}

const nlohmann::ordered_json& json_value::object() const {
  if (!json_.is_object()) complain_of_type("an object");
  return json_;
}

std::string json_value::path() const {
  if (parent_ == nullptr) return "the document";
  return key_ != nullptr ? parent_->path_to(key_) : fmt::format("{}[{}]", parent_->path(), index_);
}

std::string json_value::path_to(const char* key) const {
  return parent_ == nullptr ? key : path() + "." + key;
}

void json_value::complain_of_type(const char* wanted) const {
  const std::string found = json_.is_object()   ? "an object"
                            : json_.is_array()  ? "a list"
                            : json_.is_string() ? "text"
                                                : json_.dump();
  complain(fmt::format("is {}, not {}", found, wanted));
}

}  // namespace bench
