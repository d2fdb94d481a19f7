#include "codecs/reader.hpp"

namespace codecs {

void reader::fail(errc code, const char* field) {
  if (fault_) return;
  fault_ = {code, field};
  next_ = end_;
}

}  // namespace codecs
