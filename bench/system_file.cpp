#include "bench/system_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace bench {

std::string read_system_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  char chunk[4096];  // st_size is 0 for these files, so read until there is no more
  for (ssize_t size; (size = read(file, chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<std::size_t>(size));
  }
  close(file);
  text.resize(text.find_last_not_of(" \n\t") + 1);
  return text;
}

}  // namespace bench
