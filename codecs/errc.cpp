#include "codecs/errc.hpp"

namespace codecs {
namespace {

const char* sentence(errc code) {
  switch (code) {
    case errc::ok:
      return "success";
    case errc::local_message_too_long:
      return "the message is longer than the protocol allows";
    case errc::local_too_many_parameters:
      return "more than 65,535 parameters";
    case errc::local_bad_value:
      return "a value does not fit its field";
    case errc::local_wrong_state:
      return "the connection is not in a state for this call";
    case errc::local_payload:
      return "the payload could not be read or kept";
    case errc::remote_truncated:
      return "the peer sent a message that ends inside a field";
    case errc::remote_trailing_bytes:
      return "the peer sent a message with bytes left over";
    case errc::remote_bad_length:
      return "the peer sent an impossible length";
    case errc::remote_bad_value:
      return "the peer sent an undefined value";
    case errc::remote_bad_checksum:
      return "the peer sent a message whose checksum does not match";
    case errc::remote_too_deep:
      return "the peer sent documents nested too deep";
    case errc::remote_unexpected_message:
      return "the peer sent a message that has no place here";
    case errc::remote_mismatched_reply:
      return "the peer answered another request";
    case errc::remote_unsupported:
      return "the peer asks for something not supported";
    case errc::remote_server_error:
      return "the server answered with an error";
    case errc::remote_bad_file:
      return "the file on the server is missing or damaged";
    case errc::remote_hang_up:
      return "the peer closed the connection";
    case errc::remote_timeout:
      return "the peer did not answer in time";
  }
  return "unknown error";
}

// Boost's base has a public non-virtual destructor and silences this very warning for its own categories.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
class category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "wirebench"; }
  std::string message(int value) const override { return sentence(static_cast<errc>(value)); }
};
#pragma GCC diagnostic pop

}  // namespace

error_code make_error_code(errc code) {
  static const category instance;
  return {static_cast<int>(code), instance};
}

bool breaks_stream(errc code) {
  switch (code) {
    case errc::ok:
    case errc::local_message_too_long:
    case errc::local_too_many_parameters:
    case errc::local_bad_value:
    case errc::local_wrong_state:
    case errc::local_payload:
    case errc::remote_server_error:
    case errc::remote_bad_file:
      return false;
    default:
      return true;
  }
}

}  // namespace codecs
