#pragma once
// A value of a JSON document and where it stands, so that a complaint can name its path ("cells[2].rounds[7].ops is
// missing") without a path being built for every value.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace bench {

/// What is wrong with a document. Thrown from any depth and caught once, by whoever began to read it.
struct complaint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Valid while the document and the values that it was got from are. Every function complains of a value of another type.
class json_value {
 public:
  explicit json_value(const nlohmann::ordered_json& document) : json_(document) {}

  /// Whether this object has the member, and not as null.
  bool has(const char* key) const;

  /// Complains when it is missing.
  json_value member(const char* key) const;

  /// In the document's order.
  void for_each_member(
      const std::function<void(const std::string& key, const json_value& member)>& use) const;

  /// Of a list.
  std::size_t size() const;
  json_value item(std::size_t index) const;

  /// Control characters in text come back as blanks. Whole numbers must be in the type's range.
  void read(bool& to) const;
  void read(std::string& to) const;
  void read(double& to) const;
  void read(int& to) const;
  void read(std::uint32_t& to) const;
  void read(std::int64_t& to) const;
  void read(std::uint64_t& to) const;

  [[noreturn]] void complain(const std::string& what) const;

 private:
  json_value(const nlohmann::ordered_json& json, const json_value& parent, const char* key, std::size_t index)
      : json_(json), parent_(&parent), key_(key), index_(index) {}

  template <typename Whole>
  void read_whole(Whole& to) const;

  const nlohmann::ordered_json& object() const;
  std::string path() const;
  std::string path_to(const char* key) const;
  [[noreturn]] void complain_of_type(const char* wanted) const;

  const nlohmann::ordered_json& json_;
  const json_value* parent_ = nullptr;
  const char* key_ = nullptr;  ///< null for an item of a list
  std::size_t index_ = 0;
};

}  // namespace bench
