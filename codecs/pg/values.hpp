#pragma once
// The two shapes of list that PostgreSQL's messages are made of, as views of wire bytes: integers of one width
// (format codes, type OIDs), and values, each with a length of its own, where length -1 is NULL. A list is walked once
// when it is read, so that a bad length is found by the decoder; the values themselves are taken apart when somebody
// iterates.
//
// Counts are 16-bit and unsigned, up to 65,535, though the manual says Int16 (libpq: PQ_QUERY_PARAM_MAX_LIMIT; case
// C22).

#include "codecs/reader.hpp"
#include "codecs/writer.hpp"

#include <iterator>
#include <optional>
#include <span>

namespace codecs::pg {

/// A type, table, function or large object.
using oid = std::uint32_t;

enum class format : std::int16_t { text = 0, binary = 1 };

inline constexpr std::size_t max_list_size = 65'535;

/// A column, parameter or argument in wire form; empty: NULL.
using value = std::optional<bytes_view>;

/// `count` integers in a row, valid as long as the frame.
template <typename Integer>
class integer_list {
 public:
  integer_list() = default;

  static integer_list read(reader& in, const char* field) {
    const auto count = in.be<std::uint16_t>(field);
    return integer_list(in.bytes(count * sizeof(Integer), field));
  }

  std::size_t size() const { return bytes_.size() / sizeof(Integer); }
  Integer operator[](std::size_t index) const {
    return load_be<Integer>(bytes_.data() + index * sizeof(Integer));
  }

 private:
  explicit integer_list(bytes_view bytes) : bytes_(bytes) {}

  bytes_view bytes_;
};

using oid_list = integer_list<oid>;

/// Format codes as Bind and FunctionCall carry them: none means all text, one is for all, else one per value
/// (exec_bind_message).
class format_list {
 public:
  format_list() = default;

  /// Codes other than 0 and 1 are remote_bad_value.
  static format_list read(reader& in, const char* field);

  /// Whether the number of codes is right for so many values.
  bool fits(std::size_t values) const { return codes_.size() <= 1 || codes_.size() == values; }

  /// The format of a value; fits() must hold.
  format operator[](std::size_t index) const {
    if (codes_.size() == 0) return format::text;
    return static_cast<format>(codes_[codes_.size() == 1 ? 0 : index]);
  }

  std::size_t size() const { return codes_.size(); }

 private:
  integer_list<std::int16_t> codes_;
};

/// A count, then per value an int32 length and its bytes; valid as long as the frame.
class value_list {
 public:
  value_list() = default;

  /// Walks the list once, as read_value() does.
  static value_list read(reader& in, const char* field);

  class iterator {
   public:
    using value_type = value;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    iterator(const std::uint8_t* at, std::size_t left) : at_(at), left_(left) {}

    value operator*() const {
      const auto size = load_be<std::int32_t>(at_);
      return size < 0 ? value{} : value{bytes_view{at_ + 4, static_cast<std::size_t>(size)}};
    }
    iterator& operator++() {
      const auto size = load_be<std::int32_t>(at_);
      at_ += 4 + (size < 0 ? 0 : size);
      --left_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    const std::uint8_t* at_ = nullptr;
    std::size_t left_ = 0;
  };

  iterator begin() const { return {first_, size_}; }
  std::default_sentinel_t end() const { return {}; }
  std::size_t size() const { return size_; }

 private:
  value_list(const std::uint8_t* first, std::size_t size) : first_(first), size_(size) {}

  const std::uint8_t* first_ = nullptr;
  std::size_t size_ = 0;
};

/// Length and bytes; a length below -1 is remote_bad_value.
value read_value(reader& in, const char* field);

/// Length and bytes. From 64 bytes on a value is payload: it is handed to refer(), so that the send strategy decides
/// whether to borrow it. The caller keeps `what` alive until the buffer is cleared.
void write_value(writer& out, const value& what);

/// Count and values; more than 65,535 are local_too_many_parameters.
void write_values(writer& out, std::span<const value> values);

/// One format code for all values.
void write_format(writer& out, format all);

}  // namespace codecs::pg
