#include "bench/workloads/transfer_log.hpp"

#include <algorithm>

namespace bench::workloads {
namespace {

class logged_transport final : public wire::transport {
 public:
  logged_transport(std::unique_ptr<wire::transport> under, transfer_log& log)
      : under_(std::move(under)), log_(log) {}

  wire::io_result write_some(std::span<const iovec> segments) override {
    return sent(segments, under_->write_some(segments));
  }
  wire::io_result write_more(std::span<const iovec> segments) override {
    return sent(segments, under_->write_more(segments));
  }
  wire::io_result read_some(codecs::bytes_span to) override { return received(under_->read_some(to), true); }
  wire::io_result read_now(codecs::bytes_span to) override { return received(under_->read_now(to), false); }
  wire::io_result read_scattered(std::span<const iovec> to, bool waiting) override {
    return received(under_->read_scattered(to, waiting), waiting);
  }
  readiness wait(bool reading) override { return under_->wait(reading); }
  void shutdown() noexcept override { under_->shutdown(); }
  int native_handle() const override { return under_->native_handle(); }

 private:
  wire::io_result sent(std::span<const iovec> segments, wire::io_result moved) {
    log_.sent(segments, moved.bytes);
    return moved;
  }
  wire::io_result received(wire::io_result moved, bool waited) {
    log_.received(moved.bytes, waited);
    return moved;
  }

  std::unique_ptr<wire::transport> under_;
  transfer_log& log_;
};

}  // namespace

void transfer_log::sent(std::span<const iovec> segments, std::size_t bytes) {
  if (!on_ || bytes == 0) return;
  if (waited_) trips_.emplace_back();
  waited_ = false;
  for (const auto& one : segments) {
    const auto moved = std::min(one.iov_len, bytes);
    if (moved != 0) add({static_cast<const std::uint8_t*>(one.iov_base), moved});
    bytes -= moved;
  }
}

/// Bytes that go on from where others end are one segment with them, as they were before a write was cut short.
void transfer_log::add(codecs::bytes_view bytes) {
  const auto offset = payload_.offset_of(bytes.data());
  const segment added{offset.has_value(), offset.value_or(encoded_.size()), bytes.size()};
  if (!added.payload) encoded_.insert(encoded_.end(), bytes.begin(), bytes.end());
  auto& sent = trips_.back().sent;
  if (!sent.empty() && sent.back().payload == added.payload &&
      sent.back().begin + sent.back().size == added.begin) {
    sent.back().size += added.size;
  } else {
    sent.push_back(added);
  }
}

void transfer_log::received(std::size_t bytes, bool waited) {
  if (!on_ || trips_.empty() || bytes == 0) return;
  trips_.back().reply_bytes += bytes;
  waited_ = waited_ || waited;
}

std::unique_ptr<wire::transport> log_transport(std::unique_ptr<wire::transport> under, transfer_log& log) {
  return std::make_unique<logged_transport>(std::move(under), log);
}

}  // namespace bench::workloads
