#include "codecs/exchange.hpp"

namespace codecs {

std::string failure::sentence() const {
  std::string sentence = make_error_code(cause.code).message();
  if (*cause.field != '\0') sentence.append(" (").append(cause.field).append(")");
  if (!text.empty()) sentence.append(": ").append(text);
  return sentence;
}

}  // namespace codecs
