#pragma once
// Which bytes of an OP_MSG that is arriving are payload: the insides of documents of more than 16 KiB that an insert carries in
// its sequence. Their lengths and ends are kept, and with them the number of documents; messages with a checksum, which covers
// all of it, are kept whole.

#include "codecs/appetite.hpp"
#include "codecs/bytes.hpp"

namespace codecs::mongo {

/// A document of that size in a sequence of that name.
inline bool is_payload(std::string_view identifier, std::size_t document_bytes) {
  return identifier == "documents" && document_bytes > appetite::kept_bytes;
}

/// `unread` begins a message that mongo::scan() has not found whole nor broken.
appetite skim(bytes_view unread);

}  // namespace codecs::mongo
