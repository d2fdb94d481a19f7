#pragma once
// One line of text per frame, for people: what crossed the wire, in the manual's words.
//
//   -> OP_MSG id=2 106B insert db=t body=56B documents=1/14B moreToCome
//   <- OP_MSG id=9 to=2 38B ok=1 body=17B

#include "codecs/bytes.hpp"
#include "codecs/trace.hpp"

#include <string>

namespace codecs::mongo {

/// Describes one frame, without line end. A frame that cannot be decoded is described as far as it goes, with
/// the field that is wrong.
std::string trace(bytes_view frame, direction towards);

}  // namespace codecs::mongo
