#pragma once
// Base of the downloads by one query. What is on its way when a download has failed is read and dropped, since nothing but the end of
// the connection stops it; then the session is in step.

#include "codecs/chunks.hpp"
#include "codecs/pg/extended_exchange.hpp"

#include <optional>

namespace codecs::pg {

class file_download : public extended_exchange {
 protected:
  /// `name` is a literal, which failures have as their field.
  file_download(session& session, const char* name) : extended_exchange(session), name_(name) {}

  /// `sink` lives until the op is over.
  void set_sink(chunk_sink& sink) { sink_ = &sink; }
  chunk_sink& sink() const { return *sink_; }

  /// To be called by start().
  void begin_file();

  /// Gives the next piece to the sink, and stops when that takes it not.
  bool put(bytes_view piece);

  /// The sink gets nothing any more. The first failure is the one that counts.
  void stop(errc code, std::string_view text);
  bool stopped() const { return stopped_.has_value(); }

  /// ErrorResponse; and ReadyForQuery, which ends the download.
  progress on_refused(bytes_view frame);
  progress on_end(bytes_view frame);

  /// The piece that comes next, for a person.
  virtual std::string place() const = 0;

 private:
  const char* name_;
  chunk_sink* sink_ = nullptr;
  std::optional<failure> stopped_;
};

}  // namespace codecs::pg
