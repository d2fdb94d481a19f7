#pragma once
// The file system as a file server:
//
//   <folder>/wirebench-files-XXXXXX/files/<hash>   the content; created empty, and only once (O_EXCL), when it is entered
//   <folder>/wirebench-files-XXXXXX/names/<name>   a symbolic link to it

#include "bench/workloads/file_store.hpp"

namespace bench::workloads {

struct directory_setup {
  std::string folder;  ///< exists; a folder is made in it and taken away again
  bool durable =
      false;  ///< every file, and the directories of every entry, are on the disk (fsync) before they count
  std::size_t piece_bytes = 1024 * 1024;  ///< of one write(2) and read(2)
};

std::unique_ptr<file_backend> make_directory_backend(directory_setup how);

}  // namespace bench::workloads
