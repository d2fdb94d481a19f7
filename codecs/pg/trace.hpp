#pragma once
// One line of text per frame, for people: what crossed the wire, in the manual's words. Passwords are masked.
//
//   -> Query 14B "SELECT 1"
//   <- DataRow 12B columns=1: 1B
//   <- ReadyForQuery 6B I

#include "codecs/bytes.hpp"
#include "codecs/trace.hpp"

#include <string>

namespace codecs::pg {

/// Describes one frame, without line end: a typed message, one of the startup family (to the server), or the single byte
/// that answers an encryption request. A frame that cannot be decoded is described as far as it goes, with the field that
/// is wrong.
std::string trace(bytes_view frame, direction towards);

}  // namespace codecs::pg
