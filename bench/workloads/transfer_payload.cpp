#include "bench/workloads/transfer_payload.hpp"

#include "fixtures/datasets.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bench::workloads {
namespace {

constexpr std::uint64_t seed = 0x5eedf11e;

absl::Status write_whole(const std::string& path, codecs::bytes_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  while (fd >= 0 && !bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  const auto problem = std::string(std::strerror(errno));
  if (fd >= 0) ::close(fd);
  if (bytes.empty()) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("cannot write {}: {}; TMPDIR names another place", path, problem));
}

}  // namespace

transfer_payload::transfer_payload(const payload_shape& shape) : shape_(shape) {
  const auto files = std::max<std::int64_t>(shape.walked_bytes / shape.file_bytes, 1);
  const auto bytes = static_cast<std::size_t>(files * shape.file_bytes);
  memory_ = fixtures::make_blob(seed, bytes);
  if (shape.room) room_.resize(bytes);
}

absl::StatusOr<std::unique_ptr<transfer_payload>> transfer_payload::make(const payload_shape& shape,
                                                                         const std::string& folder) {
  std::unique_ptr<transfer_payload> made(new transfer_payload(shape));
  if (!shape.in_files) return made;
  if (auto status = made->write_files(folder); !status.ok()) return status;
  return made;
}

absl::Status transfer_payload::write_files(const std::string& folder) {
  const codecs::bytes_view all(memory_);
  for (std::size_t i = 0; i < pieces(); ++i) {
    files_.push_back(fmt::format("{}/payload.{}", folder, i));
    if (auto status = write_whole(files_.back(), all.subspan(i * piece_bytes(), piece_bytes())); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

std::size_t transfer_payload::take_turn() {
  const auto turn = next_;
  next_ = (next_ + 1) % pieces();
  return turn;
}

codecs::bytes_view transfer_payload::memory() {
  return codecs::bytes_view(memory_).subspan(take_turn() * piece_bytes(), piece_bytes());
}

const std::string& transfer_payload::file() {
  return files_[take_turn()];
}

codecs::bytes_span transfer_payload::room() {
  return codecs::bytes_span(room_).subspan(take_turn() * piece_bytes(), piece_bytes());
}

}  // namespace bench::workloads
