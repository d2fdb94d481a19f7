#include "bench/files_plan.hpp"

#include "bench/files.hpp"

#include "fixtures/datasets.hpp"

#include <fmt/format.h>

namespace bench {

files_plan::files_plan(const files_options& options) {
  fixtures::random_source chance(options.seed + 1);  // not that of the contents
  std::uint64_t duplicates = 0;
  const auto add_lane = [&](lanes& to, std::uint64_t count) {
    auto& lane = to.emplace_back();
    for (std::uint64_t place = 0; place < count; ++place) {
      const auto index = files_.size();
      // Evenly spread over all files; the first of a thread has none before it.
      const bool due = duplicates < (index + 1) * options.duplicates / 100;
      planned_file file{.content = index, .duplicate = due && place > 0};
      duplicates += file.duplicate ? 1 : 0;
      if (file.duplicate) file.content = files_[lane[chance.next() % place]].content;
      file.key.name = fmt::format("file-{:08}", index);
      file.key.bytes = static_cast<std::int64_t>(options.bytes);
      files_.push_back(std::move(file));
      lane.push_back(index);
    }
  };
  add_lane(single_, options.files);
  if (options.threads > 1) {
    for (std::uint64_t thread = 0; thread < options.threads; ++thread)
      add_lane(threaded_, options.per_thread);
  }
  for (std::uint64_t thread = 0; thread < options.threads; ++thread) {
    auto& lane = random_.emplace_back();
    for (std::uint64_t i = 0; i < options.per_thread; ++i) lane.push_back(chance.next() % files_.size());
  }
}

}  // namespace bench
