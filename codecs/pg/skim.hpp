#pragma once
// Which bytes of a request that is arriving are payload: arguments of FunctionCall and parameters of Bind of more than 16 KiB.
// Their lengths are kept, and all that stands around them.

#include "codecs/appetite.hpp"
#include "codecs/bytes.hpp"

namespace codecs::pg {

/// `unread` begins a typed message that scan_typed() has not found whole nor broken.
appetite skim(bytes_view unread);

}  // namespace codecs::pg
