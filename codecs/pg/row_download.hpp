#pragma once
// Base of the downloads by one query whose rows, of one column, are pieces of a file:
//
//   B E S  ->  2 { D } ... C Z
//
// All rows are of one snapshot, and come as fast as they are taken. Rows that are on their way when the download has failed are
// read and dropped, since nothing but the end of the connection stops them.

#include "codecs/chunks.hpp"
#include "codecs/pg/extended_exchange.hpp"
#include "codecs/pg/named_statement.hpp"
#include "codecs/pg/value_landing.hpp"

#include <limits>
#include <optional>

namespace codecs::pg {

class row_download : public extended_exchange {
 public:
  progress on_frame(bytes_view frame, send_buffer& out) final;

  /// A piece of the size that is expected, from 4 KiB on, lands where the sink keeps it.
  landing land(bytes_view unread) final;

 protected:
  /// `name` is a literal, which failures have as their field.
  row_download(session& session, const char* name) : extended_exchange(session), name_(name) {}

  /// `sink` lives until the op is over.
  void set_sink(chunk_sink& sink) { sink_ = &sink; }

  /// Asks for the rows.
  progress begin_download(const named_statement& what, std::span<const value> parameters, send_buffer& out);

  /// How many bytes the next row has, if all is well; any_size: nobody knows.
  static constexpr auto any_size = std::numeric_limits<std::size_t>::max();
  virtual std::size_t expected_size() const = 0;

  /// The value of the next row, for as long as nothing has failed.
  virtual void on_value(const value& what) = 0;

  /// There was no row behind these.
  virtual void on_last_row() = 0;

  /// The piece that comes next, for a person.
  virtual std::string place() const = 0;

  /// Gives the next piece to the sink, and stops when that takes it not.
  bool put(bytes_view piece);

  /// The sink gets nothing any more. The first failure is the one that counts.
  void stop(errc code, std::string_view text);

 private:
  progress on_row(bytes_view frame);
  progress on_complete(bytes_view frame);
  progress on_refused(bytes_view frame);
  progress on_end(bytes_view frame);

  const char* name_;
  chunk_sink* sink_ = nullptr;
  std::optional<failure> stopped_;
  value_landing landing_{reply::data_row};
};

}  // namespace codecs::pg
