#pragma once
// Where payload is in a reply that is arriving: the `data` of the chunk documents that a query has found. Whoever receives directly
// reads up to there, then the payload into its place, and so on; what was read is looked at once.
//
//   header | flagBits | 0 | {cursor: {firstBatch: [{_id, files_id, n, data: <payload>}, ...], id, ns}, ok}

#include "codecs/mongo/frame.hpp"

namespace codecs::mongo {

class chunk_finder {
 public:
  struct found {
    std::size_t more =
        0;  ///< not 0: at least so many bytes behind those that are there come before the next payload
    std::size_t at = 0;    ///< of the next payload, in the frame
    std::size_t size = 0;  ///< not 0: its bytes
  };

  /// Goes on where it stopped. `unread` begins with the frame; what stands in payload that was found is not looked at. All zeros:
  /// there is no further payload, or this is no reply that could be looked through.
  found next(bytes_view unread);

  /// A new frame begins.
  void reset() { *this = {}; }

  /// Nothing is looked for in what is left of this frame.
  found stop() {
    where_ = where::nowhere;
    return {};
  }

 private:
  enum class where : std::uint8_t { header, body, cursor, batch, chunk, nowhere };

  found walk(bytes_view unread);
  found take_element(bytes_view unread);
  found take_value(bytes_view unread, std::uint8_t type, std::string_view key, std::size_t value_at);
  bool leads_to_payload(std::uint8_t type, std::string_view key) const;
  found wait_for(std::size_t end, bytes_view unread) const;
  void leave();

  where where_ = where::header;
  std::size_t at_ = 0;            // of the next element
  std::size_t document_end_ = 0;  // of the document that it went into last
  std::size_t end_ = 0;           // of the frame
};

}  // namespace codecs::mongo
