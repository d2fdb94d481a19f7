#include "bench/workloads/directory_store.hpp"

#include "bench/placement.hpp"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace bench::workloads {
namespace {

namespace fs = std::filesystem;

constexpr auto own_folder = "/wirebench-files-XXXXXX";  // mkdtemp(3)
constexpr auto files_folder = "/files";
constexpr auto names_folder = "/names";

absl::Status failed(const char* doing, const std::string& path) {
  return absl::InternalError(fmt::format("cannot {} {}: {}", doing, path, std::strerror(errno)));
}

/// A descriptor that is closed with its owner.
class open_file {
 public:
  open_file(const std::string& path, int flags)
      : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~open_file() {
    if (fd_ >= 0) ::close(fd_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  bool good() const { return fd_ >= 0; }

  absl::Status write(codecs::bytes_view bytes) const {
    while (!bytes.empty()) {
      const auto written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failed("write", path_);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return absl::OkStatus();
  }

  /// 0 at the end.
  absl::StatusOr<std::size_t> read(codecs::bytes_span room) const {
    while (true) {
      const auto got = ::read(fd_, room.data(), room.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return failed("read", path_);
    }
  }

  absl::Status sync() const { return ::fsync(fd_) == 0 ? absl::OkStatus() : failed("fsync", path_); }

  /// Network file systems tell only here that there was no space.
  absl::Status close() {
    const int fd = std::exchange(fd_, -1);
    return ::close(fd) == 0 ? absl::OkStatus() : failed("close", path_);
  }

 private:
  std::string path_;
  int fd_;
};

absl::Status sync_folder(const std::string& path) {
  const open_file folder(path, O_RDONLY | O_DIRECTORY);
  return folder.good() ? folder.sync() : failed("open", path);
}

class directory_store final : public file_store {
 public:
  /// `root` is the backend's, which outlives the store.
  directory_store(const std::string& root, const directory_setup& how)
      : root_(root), how_(how), room_(how.piece_bytes) {}

  absl::StatusOr<entered> enter(const file_key& file, bool again) override {
    const auto path = path_of(file);
    const open_file created(path, O_WRONLY | O_CREAT | O_EXCL);
    if (!created.good() && errno != EEXIST) return failed("create", path);
    const auto name = name_of(file);
    if (::symlink(("../files/" + file.hash).c_str(), name.c_str()) != 0 && !(again && errno == EEXIST))
      return failed("link", name);
    if (how_.durable) {
      for (const auto* folder : {files_folder, names_folder}) {
        if (auto status = sync_folder(root_ + folder); !status.ok()) return status;
      }
    }
    return created.good() ? entered::fresh : entered::known;
  }

  absl::Status store(const file_key& file, codecs::chunk_source& from, bool /*again*/) override {
    const auto path = path_of(file);
    open_file to(path, O_WRONLY | O_TRUNC);
    if (!to.good()) return failed("open", path);
    for (auto left = from.size(); left > 0;) {
      const auto size = std::min(left, static_cast<std::int64_t>(how_.piece_bytes));
      const auto piece = from.take(static_cast<std::size_t>(size));
      if (piece.empty()) return absl::InternalError(from.why());
      if (auto status = to.write(piece); !status.ok()) return status;
      from.release();
      left -= size;
    }
    if (how_.durable) {
      if (auto status = to.sync(); !status.ok()) return status;
    }
    return to.close();
  }

  absl::Status read(const file_key& file, codecs::chunk_sink& to) override {
    const auto path = name_of(file);
    const open_file from(path, O_RDONLY);
    if (!from.good()) return failed("open", path);
    while (true) {
      const auto got = from.read(room_);
      if (!got.ok()) return got.status();
      if (*got == 0) return absl::OkStatus();
      if (!to.put(codecs::bytes_view(room_).first(*got))) return absl::InternalError(to.why());
    }
  }

 private:
  std::string path_of(const file_key& file) const { return root_ + files_folder + "/" + file.hash; }
  std::string name_of(const file_key& file) const { return root_ + names_folder + "/" + file.name; }

  const std::string& root_;
  directory_setup how_;
  std::vector<std::uint8_t> room_;
};

/// What statfs(2) says it is. A file system in memory is no disk.
std::string kind_of_file_system(const std::string& path) {
  struct statfs about {};
  if (::statfs(path.c_str(), &about) != 0) return "unknown file system";
  switch (static_cast<unsigned long>(about.f_type)) {
    case TMPFS_MAGIC:
      return "tmpfs, which is memory";
    case EXT4_SUPER_MAGIC:
      return "ext4";
    case XFS_SUPER_MAGIC:
      return "xfs";
    case BTRFS_SUPER_MAGIC:
      return "btrfs";
    case OVERLAYFS_SUPER_MAGIC:
      return "overlayfs";
    case NFS_SUPER_MAGIC:
      return "nfs";
    default:
      return fmt::format("file system {:#x}", static_cast<unsigned long>(about.f_type));
  }
}

class directory_backend final : public file_backend {
 public:
  explicit directory_backend(directory_setup how) : how_(std::move(how)) {}

  labels what() const override {
    labels is{};
    is.rung = "local";
    is.client = "raw";
    is.peer = kind_of_file_system(how_.folder);
    is.transport = "file";
    is.placement = bench::name(placement::unpinned);
    return is;
  }
  std::string name() const override { return "fs"; }
  std::string how() const override {
    return fmt::format("in {}, {} bytes per call, {}", how_.folder, how_.piece_bytes,
                       how_.durable ? "with fsync" : "without fsync");
  }
  bool keeps() const override { return true; }
  opened_file_store connect() override { return std::make_unique<directory_store>(root_, how_); }

  absl::Status make_empty() override {
    if (auto status = remove(); !status.ok()) return status;
    root_ = how_.folder + own_folder;
    if (::mkdtemp(root_.data()) == nullptr) {
      root_.clear();
      return failed("make a folder in", how_.folder);
    }
    for (const auto& path : {root_ + files_folder, root_ + names_folder}) {
      if (::mkdir(path.c_str(), 0700) != 0) return failed("make the folder", path);
    }
    return absl::OkStatus();
  }

  absl::Status remove() override {
    if (root_.empty()) return absl::OkStatus();
    std::error_code error;
    fs::remove_all(root_, error);
    if (error) return absl::InternalError(fmt::format("cannot remove {}: {}", root_, error.message()));
    root_.clear();
    return absl::OkStatus();
  }

  std::optional<std::int64_t> disk_bytes() override {
    std::int64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(root_, error), end; !error && at != end; at.increment(error)) {
      struct stat about {};
      constexpr std::int64_t block_bytes = 512;  // of st_blocks, whatever the file system's own are
      if (::lstat(at->path().c_str(), &about) == 0) bytes += about.st_blocks * block_bytes;
    }
    return error ? std::nullopt : std::optional(bytes);
  }

  std::size_t chunk_bytes() const override { return how_.piece_bytes; }
  std::vector<pid_t> server_processes() const override { return {}; }

 private:
  directory_setup how_;
  std::string root_;  // while there is one
};

}  // namespace

std::unique_ptr<file_backend> make_directory_backend(directory_setup how) {
  return std::make_unique<directory_backend>(std::move(how));
}

}  // namespace bench::workloads
