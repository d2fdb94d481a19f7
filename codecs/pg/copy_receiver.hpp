#pragma once
// The peer's side of COPY FROM STDIN in binary format: takes rows apart, whatever messages they come in.

#include "codecs/appetite.hpp"
#include "codecs/pg/copy.hpp"
#include "codecs/pg/refusal.hpp"

#include <optional>

namespace codecs::pg {

class copy_receiver {
 public:
  virtual ~copy_receiver() = default;

  /// Of every row.
  virtual std::size_t columns() const = 0;

  /// A COPY begins.
  void begin();

  /// What a CopyData message holds.
  std::optional<refusal> take(bytes_view data);

  /// CopyDone; `rows` is how many have come.
  std::optional<refusal> finish(std::int64_t& rows) const;

  /// `unread` begins a CopyData message that scan_typed() has not found whole nor broken. Fields of more than 16 KiB are payload.
  appetite skim(bytes_view unread) const;

 protected:
  /// Field `index` of a row, of so many bytes, or NULL.
  virtual std::optional<refusal> on_field(std::size_t index, std::size_t bytes, bool null) = 0;

  /// The next bytes of that field; nothing in particular where they were skipped.
  virtual void on_payload(std::size_t index, bytes_view piece) = 0;

 private:
  std::optional<refusal> on_token(copy_reader::token what);

  copy_reader reader_;
  std::int64_t rows_ = 0;
  std::size_t fields_ = 0;  // of the last row, so far
};

}  // namespace codecs::pg
