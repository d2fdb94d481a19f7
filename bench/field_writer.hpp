#pragma once
// Structs whose keys are listed in result_fields.hpp as JSON. For the few sources that write JSON: it includes all of
// nlohmann-json.

#include "bench/result_fields.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// The archive of result_fields.hpp that writes: each key into `to`, an object.
class field_writer {
 public:
  explicit field_writer(nlohmann::ordered_json& to) : to_(to) {}

  template <typename Value>
  void operator()(const char* key, const Value& value) const {
    to_[key] = of(value);
  }
  template <typename Value>
  void may_lack(const char* key, const Value& value) const {
    to_[key] = of(value);
  }
  void text(const char* key, const std::string& value) const {
    to_[key] = value.empty() ? nlohmann::ordered_json() : of(value);
  }
  void count(const char* key, const std::optional<double>& value) const {
    // beyond 2^53 a double holds no counts
    const bool whole = value && *value >= 0 && *value <= 0x1p53 && *value == std::floor(*value);
    to_[key] = whole ? of(static_cast<std::uint64_t>(*value)) : of(value);
  }
  template <typename Struct>
  void beside(const char* /*sure*/, const std::optional<Struct>& value) const {
    if (value) return fields(*this, *value);
    const Struct none{};
    fields([this](const char* key, const auto& /*of_none*/) { to_[key] = nullptr; }, none);
  }
  template <typename Use>
  void object(const char* key, const Use& use) const {
    use(field_writer(to_[key]));
  }
  template <typename A, typename B>
  void both(const char* a, const std::optional<A>& of_a, const char* b, const std::optional<B>& of_b) const {
    (*this)(a, of_a);
    (*this)(b, of_b);
  }
  void require(bool /*holds*/, const char* /*key*/, const char* /*what*/) const {}

  /// Null for what is empty. A number that is not finite becomes null as well: nlohmann-json writes it so.
  template <typename Value>
  static nlohmann::ordered_json of(const std::optional<Value>& value) {
    return value ? of(*value) : nlohmann::ordered_json();
  }
  template <typename Value>
  static nlohmann::ordered_json of(const std::vector<Value>& values) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& each : values) all.push_back(of(each));
    return all;
  }
  template <typename Value>
  static nlohmann::ordered_json of(const std::map<std::string, Value>& values) {
    auto all = nlohmann::ordered_json::object();
    for (const auto& [key, value] : values) all[key] = of(value);
    return all;
  }
  template <typename Value>
  static nlohmann::ordered_json of(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return name(value);
    } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
      return value;
    } else {
      auto to = nlohmann::ordered_json::object();
      fields(field_writer(to), value);
      return to;
    }
  }

 private:
  nlohmann::ordered_json& to_;
};

}  // namespace bench
