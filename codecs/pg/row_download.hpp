#pragma once
// Base of the downloads by one query whose rows, of one column, are pieces of a file:
//
//   B E S  ->  2 { D } ... C Z
//
// All rows are of one snapshot, and come as fast as they are taken.

#include "codecs/pg/file_download.hpp"
#include "codecs/pg/named_statement.hpp"
#include "codecs/pg/value_landing.hpp"

#include <limits>

namespace codecs::pg {

class row_download : public file_download {
 public:
  progress on_frame(bytes_view frame, send_buffer& out) final;

  /// A piece of the size that is expected, from 4 KiB on, lands where the sink keeps it.
  landing land(bytes_view unread) final;

 protected:
  using file_download::file_download;

  /// Asks for the rows.
  progress begin_download(const named_statement& what, std::span<const value> parameters, send_buffer& out);

  /// How many bytes the next row has, if all is well; any_size: nobody knows.
  static constexpr auto any_size = std::numeric_limits<std::size_t>::max();
  virtual std::size_t expected_size() const = 0;

  /// The value of the next row, for as long as nothing has failed.
  virtual void on_value(const value& what) = 0;

  /// There was no row behind these.
  virtual void on_last_row() = 0;

 private:
  progress on_row(bytes_view frame);
  progress on_complete(bytes_view frame);

  value_landing landing_{reply::data_row};
};

}  // namespace codecs::pg
