#pragma once
// FunctionCall, the "fast path" (manual, "Function Call"): one request, one value back, no SQL. Not part of the extended
// protocol: an error does not start skipping, and every call is answered by its own ReadyForQuery (postgres.c).
//
// lowrite of N bytes, 29 + N bytes in all:   F len | oid | 1 format: binary | 2 arguments | 4 fd | N data | binary

#include "codecs/pg/frame.hpp"
#include "codecs/pg/values.hpp"

namespace codecs::pg {

/// Arguments of a call in binary form: up to four integers, then perhaps one payload, which is borrowed.
///
///   function_arguments().int4(descriptor).payload(chunk)
class function_arguments {
 public:
  function_arguments& int4(std::int32_t number) { return append(number); }
  function_arguments& int8(std::int64_t number) { return append(number); }

  /// The last argument. The caller keeps `data` alive until the send buffer is cleared.
  function_arguments& payload(bytes_view data) {
    payload_ = data;
    return *this;
  }

  void write(writer& out) const;

 private:
  static constexpr std::size_t max_integers = 4;

  template <typename Integer>
  function_arguments& append(Integer number) {
    store_be(integers_ + used_, static_cast<std::int32_t>(sizeof number));
    store_be(integers_ + used_ + 4, number);
    used_ += 4 + sizeof number;
    ++count_;
    return *this;
  }

  std::uint8_t integers_[max_integers * (4 + 8)];  // in wire form, each with its length
  std::size_t used_ = 0;
  std::uint16_t count_ = 0;
  value payload_;
};

struct function_call {
  oid function = 0;
  format_list argument_formats;
  value_list arguments;
  format result_format = format::binary;
};
void encode_function_call(writer& out, oid function, const function_arguments& arguments);
fault decode(bytes_view frame, function_call& into);

struct function_call_response {
  value result;
};
/// The result may be borrowed, as values.hpp has it.
void encode(writer& out, const function_call_response& message);
fault decode(bytes_view frame, function_call_response& into);

}  // namespace codecs::pg
