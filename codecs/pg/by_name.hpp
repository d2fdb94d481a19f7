#pragma once
// Statements or portals of one session. The unnamed one is kept apart: most ops use it, and so it keeps its memory.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace codecs::pg {

/// `Object` is default-constructible.
template <typename Object>
class by_name {
 public:
  /// Null when there is none.
  Object* find(std::string_view name) {
    if (name.empty()) return unnamed_exists_ ? &unnamed_ : nullptr;
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : &found->second;
  }

  /// The object of that name, made if there is none; the unnamed one is as it was left.
  Object& put(std::string_view name) {
    if (!name.empty()) return named_[std::string(name)];
    unnamed_exists_ = true;
    return unnamed_;
  }

  void erase(std::string_view name) {
    if (name.empty()) {
      unnamed_exists_ = false;
    } else if (const auto found = named_.find(name); found != named_.end()) {
      named_.erase(found);
    }
  }

  void clear() {
    unnamed_exists_ = false;
    named_.clear();
  }

  /// How many have a name.
  std::size_t size() const { return named_.size(); }

 private:
  Object unnamed_;
  bool unnamed_exists_ = false;
  std::map<std::string, Object, std::less<>> named_;
};

}  // namespace codecs::pg
