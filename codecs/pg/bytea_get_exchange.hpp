#pragma once
// A whole file from its row, by bytea_row::statement::get. See row_download.hpp. One message holds all of it, and so does the
// channel's receive buffer, unless it receives directly.

#include "codecs/pg/bytea_row.hpp"
#include "codecs/pg/row_download.hpp"

namespace codecs::pg {

class bytea_get_exchange final : public row_download {
 public:
  explicit bytea_get_exchange(session& session) : row_download(session, "bytea") {}

  /// Reads the file into `sink`, which lives until the op is over. A row that is not there is remote_bad_file.
  void set(bytea_row::key key, chunk_sink& sink) {
    key_ = key;
    set_sink(sink);
  }

  progress start(send_buffer& out) override;

 private:
  std::size_t expected_size() const override { return came_ ? 0 : any_size; }
  void on_value(const value& what) override;
  void on_last_row() override;
  std::string place() const override;

  bytea_row::key key_ = 0;
  bool came_ = false;
};

}  // namespace codecs::pg
