#include "bench/workloads/transfer_payload.hpp"

#include "fixtures/datasets.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

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

absl::StatusOr<std::unique_ptr<transfer_payload>> transfer_payload::make(const payload_shape& shape,
                                                                         const std::string& folder) {
  const auto one = whole_pages(static_cast<std::size_t>(shape.page_offset + shape.file_bytes));
  const auto walked = static_cast<std::size_t>(std::max<std::int64_t>(shape.walked_bytes, 1));
  const auto bytes = std::max<std::size_t>(walked / one, 1) * one;
  auto memory = page_memory::make(bytes, walked);
  if (!memory.ok()) return memory.status();
  const auto distinct = memory->bytes().first(std::min(bytes, whole_pages(walked)));
  fixtures::random_source(seed).fill(distinct.data(), distinct.size());
  auto room = shape.room ? page_memory::make(bytes, walked) : page_memory();
  if (!room.ok()) return room.status();
  std::unique_ptr<transfer_payload> made(new transfer_payload(shape, *std::move(memory), *std::move(room)));
  made->received_ = folder + "/received";
  if (!shape.in_files) return made;
  if (auto status = made->write_files(folder); !status.ok()) return status;
  return made;
}

absl::Status transfer_payload::write_files(const std::string& folder) {
  for (std::size_t i = 0; i < pieces(); ++i) {
    files_.push_back(fmt::format("{}/payload.{}", folder, i));
    if (auto status = write_whole(files_.back(), piece(memory_, i)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

std::size_t transfer_payload::take_turn() {
  const auto turn = next_;
  next_ = (next_ + 1) % pieces();
  return turn;
}

codecs::bytes_view transfer_payload::memory() {
  return piece(memory_, take_turn());
}

const std::string& transfer_payload::file() {
  return files_[take_turn()];
}

codecs::bytes_span transfer_payload::room() {
  return piece(room_, take_turn());
}

std::optional<std::size_t> transfer_payload::offset_of(const void* address) const {
  const auto all = memory_.bytes();
  const auto* const at = static_cast<const std::uint8_t*>(address);
  const std::less<> before;
  if (before(at, all.data()) || !before(at, all.data() + all.size())) return std::nullopt;
  return static_cast<std::size_t>(at - all.data()) % stride() - page_offset();
}

}  // namespace bench::workloads
