#pragma once
// Structs whose keys are listed in result_fields.hpp from JSON.

#include "bench/json_value.hpp"
#include "bench/result_fields.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// The archive of result_fields.hpp that reads: each key from an object into a struct that was made anew. Throws `complaint`.
class field_reader {
 public:
  explicit field_reader(const json_value& from) : from_(from) {}

  template <typename Value>
  void operator()(const char* key, Value& to) const {
    read(from_.member(key), to);
  }
  template <typename Value>
  void operator()(const char* key, std::optional<Value>& to) const {
    if (from_.has(key)) read(from_.member(key), to.emplace());
  }
  template <typename Value>
  void may_lack(const char* key, Value& to) const {
    if (from_.has(key)) read(from_.member(key), to);
  }
  void text(const char* key, std::string& to) const { may_lack(key, to); }
  void count(const char* key, std::optional<double>& to) const { (*this)(key, to); }
  template <typename Struct>
  void beside(const char* sure, std::optional<Struct>& to) const {
    if (from_.has(sure)) fields(*this, to.emplace());
  }
  template <typename Use>
  void object(const char* key, const Use& use) const {
    const auto member = from_.member(key);
    use(field_reader(member));
  }
  template <typename A, typename B>
  void both(const char* a, std::optional<A>& to_a, const char* b, std::optional<B>& to_b) const {
    (*this)(a, to_a);
    (*this)(b, to_b);
    if (to_a.has_value() == to_b.has_value()) return;
    const auto* const lacks = to_a ? b : a;
    from_.member(lacks).complain(fmt::format("is null, but {} is not", to_a ? a : b));
  }
  void require(bool holds, const char* key, const char* what) const {
    if (!holds) from_.member(key).complain(what);
  }

 private:
  template <typename Value>
  static void read(const json_value& from, std::vector<Value>& to) {
    const auto size = from.size();
    to.reserve(size);
    for (std::size_t i = 0; i < size; ++i) read(from.item(i), to.emplace_back());
  }
  template <typename Value>
  static void read(const json_value& from, std::map<std::string, Value>& to) {
    from.for_each_member([&](const std::string& key, const json_value& member) { read(member, to[key]); });
  }
  template <typename Value>
  static void read(const json_value& from, Value& to) {
    if constexpr (std::is_enum_v<Value>) {
      read_word(from, to);
    } else if constexpr (requires { from.read(to); }) {
      from.read(to);
    } else {
      fields(field_reader(from), to);
    }
  }

  template <typename Enum>
  static void read_word(const json_value& from, Enum& to) {
    std::string word, known;
    from.read(word);
    for (const auto one : words_of(to)) {
      if (word == name(one)) {
        to = one;
        return;
      }
      known += fmt::format("{}{}", known.empty() ? "" : ", ", name(one));
    }
    from.complain(fmt::format("is '{:.40}', none of {}", word, known));
  }

  const json_value& from_;
};

}  // namespace bench
