#include "tools/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tools {
namespace {

using codecs::direction;

/// Offset, hex, text: sixteen bytes a line.
void dump(codecs::bytes_view bytes) {
  constexpr std::size_t width = 16;
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    const auto line = bytes.subspan(at, std::min(width, bytes.size() - at));
    std::string text;
    for (const auto byte : line) text += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
    fmt::print("   {:06x}  {:<47}  {}\n", at, fmt::format("{:02x}", fmt::join(line, " ")), text);
  }
}

/// One direction: bytes arrive in any pieces, frames are printed when they are whole.
class stream {
 public:
  stream(const dialect& speaks, direction towards) : speaks_(speaks), towards_(towards) {}

  void add(codecs::bytes_view bytes) {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    while (!pending_.empty()) {
      const auto scan = speaks_.cut(pending_, towards_, first_);
      if (scan.need != 0) return;
      const auto size = scan.error ? pending_.size() : scan.size;
      const codecs::bytes_view frame{pending_.data(), size};
      fmt::print("{}\n", scan.error ? fmt::format("undecodable ({})", scan.error.field)
                                    : speaks_.describe(frame, towards_));
      dump(frame);
      pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(size));
      first_ = false;
    }
  }

 private:
  const dialect& speaks_;
  direction towards_;
  std::vector<std::uint8_t> pending_;
  bool first_ = true;
};

class shown_transport final : public wire::transport {
 public:
  shown_transport(std::unique_ptr<wire::transport> inner, dialect speaks)
      : inner_(std::move(inner)), speaks_(std::move(speaks)) {}

  wire::io_result write_some(std::span<const iovec> segments) override {
    const auto written = inner_->write_some(segments);
    std::size_t left = written.bytes;
    for (const auto& segment : segments) {
      const auto part = std::min(left, segment.iov_len);
      out_.add({static_cast<const std::uint8_t*>(segment.iov_base), part});
      left -= part;
    }
    return written;
  }

  wire::io_result read_some(codecs::bytes_span to) override { return shown(inner_->read_some(to), to); }
  wire::io_result read_now(codecs::bytes_span to) override { return shown(inner_->read_now(to), to); }
  readiness wait(bool reading) override { return inner_->wait(reading); }
  void shutdown() noexcept override { inner_->shutdown(); }
  int native_handle() const override { return inner_->native_handle(); }

 private:
  wire::io_result shown(wire::io_result got, codecs::bytes_span to) {
    in_.add(to.first(got.bytes));
    return got;
  }

  std::unique_ptr<wire::transport> inner_;
  dialect speaks_;
  stream out_{speaks_, direction::to_server};
  stream in_{speaks_, direction::to_client};
};

}  // namespace

std::unique_ptr<wire::transport> show(std::unique_ptr<wire::transport> inner, dialect speaks) {
  return std::make_unique<shown_transport>(std::move(inner), std::move(speaks));
}

}  // namespace tools
