#include "bench/file_lane.hpp"

#include "bench/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace bench {

using workloads::entered;

namespace {

constexpr std::chrono::milliseconds pause(100);  // before another try: a server that starts again needs time

std::string kind_of(const absl::Status& error) {
  return absl::IsInternal(error) ? "system call" : load::kind_of(error);
}

/// Whether the same may well succeed when it is tried again.
bool passes(const absl::Status& error) {
  return absl::IsUnavailable(error) || absl::IsDeadlineExceeded(error) || load::passes(load::kind_of(error));
}

/// Whether the connection can be used after it.
bool in_step(const absl::Status& error) {
  return absl::IsFailedPrecondition(error) || absl::IsInternal(error);
}

void count(std::map<std::string, load::error_count>& by_kind, const absl::Status& error) {
  auto& same = by_kind[kind_of(error)];
  if (same.count++ == 0) same.first = std::string(error.message());
}

void add_counts(std::map<std::string, load::error_count>& to,
                const std::map<std::string, load::error_count>& from) {
  for (const auto& [kind, errors] : from) {
    auto& same = to[kind];
    if (same.count == 0) same.first = errors.first;
    same.count += errors.count;
  }
}

}  // namespace

void file_shelf::clear() {
  entered.assign(files.size(), mark::none);
  has_entry.assign(files.size(), 0);
  is_stored.assign(files.size(), 0);
}

void lane_tally::add(const lane_tally& other) {
  files += other.files;
  payload_bytes += other.payload_bytes;
  duplicates += other.duplicates;
  failed += other.failed;
  add_counts(errors, other.errors);
  add_counts(retries, other.retries);
  latencies.merge(other.latencies);
  wrong.Update(other.wrong);
}

void file_lane::work(file_work what, const std::vector<std::size_t>& files) {
  tally_ = lane_tally();
  lost_ = absl::OkStatus();
  const auto moved_before = store_ ? store_->counted() : std::nullopt;
  const auto* const store_before = store_.get();
  const auto used_before = read_usage(std::nullopt);
  began_ns_ = now_ns();
  for (const auto file : files) {
    if (stopped() || !lost_.ok()) break;
    shelf_.done.fetch_add(1, std::memory_order_relaxed);
    if (left_out(what, file)) continue;
    const auto from = now_ns();
    const auto status = tried(what, file);
    if (status.ok()) {
      tally_.latencies.record(now_ns() - from);
      ++tally_.files;
      continue;
    }
    ++tally_.failed;
    count(tally_.errors, status);
    if (absl::IsDataLoss(status)) tally_.wrong.Update(status);
  }
  ended_ns_ = now_ns();
  used_ = read_usage(std::nullopt) - used_before;
  const bool same = store_ && store_.get() == store_before && moved_before;
  moved_ = same ? std::optional(*store_->counted() - *moved_before) : std::nullopt;
}

bool file_lane::stopped() const {
  return shelf_.stop != nullptr && shelf_.stop->load(std::memory_order_relaxed);
}

/// Contents that were known are not stored again, and what could not be registered or stored is not asked for.
bool file_lane::left_out(file_work what, std::size_t file) const {
  using mark = file_shelf::mark;
  switch (what) {
    case file_work::enter:
      return false;
    case file_work::store:
      return shelf_.entered[file] != mark::fresh;
    case file_work::read:
      return shelf_.entered[file] == mark::none || shelf_.is_stored[shelf_.files[file].content] == 0;
  }
  return false;
}

absl::Status file_lane::tried(file_work what, std::size_t file) {
  for (std::uint64_t tries = 1;; ++tries) {
    auto status = connected();
    const bool reached = status.ok();
    if (reached) status = one(what, file, tries > 1);
    if (status.ok()) return status;
    if (!in_step(status)) store_.reset();
    if (!passes(status) || tries >= shelf_.max_tries || stopped()) {
      if (!reached) lost_ = status;
      return status;
    }
    count(tally_.retries, status);
    std::this_thread::sleep_for(pause);
  }
}

absl::Status file_lane::connected() {
  if (store_) return absl::OkStatus();
  auto opened = shelf_.backend.connect();
  if (!opened.ok()) return opened.status();
  store_ = *std::move(opened);
  return absl::OkStatus();
}

absl::Status file_lane::one(file_work what, std::size_t file, bool again) {
  switch (what) {
    case file_work::enter:
      return enter(file, again);
    case file_work::store:
      return store(file, again);
    case file_work::read:
      return read(file);
  }
  return absl::OkStatus();
}

/// After a try whose answer was lost a new content may be known already; it is stored all the same.
absl::Status file_lane::enter(std::size_t file, bool again) {
  const auto& of = shelf_.files[file];
  const auto said = store_->enter(of.key, again);
  if (!said.ok()) return said.status();
  auto& has_entry = shelf_.has_entry[of.content];
  const bool known = has_entry != 0;
  if (*said != (known ? entered::known : entered::fresh) && (known || !again)) {
    return absl::DataLossError(
        fmt::format("the store took the content of {} for {} one", of.key.name, known ? "a new" : "a known"));
  }
  has_entry = 1;
  shelf_.entered[file] = known ? file_shelf::mark::known : file_shelf::mark::fresh;
  tally_.duplicates += known ? 1 : 0;
  return absl::OkStatus();
}

absl::Status file_lane::store(std::size_t file, bool again) {
  const auto& of = shelf_.files[file];
  workloads::content_source source(shelf_.contents, of.content);
  if (auto status = store_->store(of.key, source, again); !status.ok()) return status;
  shelf_.is_stored[of.content] = 1;
  tally_.payload_bytes += static_cast<std::uint64_t>(of.key.bytes);
  return absl::OkStatus();
}

absl::Status file_lane::read(std::size_t file) {
  const auto& of = shelf_.files[file];
  workloads::content_check check(shelf_.contents, of.content, shelf_.backend.keeps());
  auto status = store_->read(of.key, check);
  if (status.ok() || check.wrong()) {
    if (!check.whole()) return absl::DataLossError(fmt::format("reading {}: {}", of.key.name, check.why()));
  }
  if (status.ok()) tally_.payload_bytes += static_cast<std::uint64_t>(check.bytes());
  return status;
}

}  // namespace bench
