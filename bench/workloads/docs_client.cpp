#include "bench/workloads/docs_client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::workloads {
namespace {

absl::Status wrong(const docs_share& share, const std::string& answer) {
  return absl::DataLossError(fmt::format("{} of {} documents was answered with {}", name(share.test),
                                         share.end - share.begin, answer));
}

}  // namespace

absl::Status docs_client::run(const docs_share& share, docs_tally& tally) {
  const auto step = share.test == docs_test::find_equal ? 1 : batch_;
  for (auto begin = share.begin; begin < share.end; begin += step) {
    auto status = command({share.test, begin, std::min(begin + step, share.end), share.pass}, tally);
    if (status.ok()) continue;
    if (!absl::IsAborted(status)) return status;
    if (tally.errors++ == 0) tally.first_error = std::string(status.message());
  }
  return absl::OkStatus();
}

absl::Status docs_client::command(const docs_share& share, docs_tally& tally) {
  switch (share.test) {
    case docs_test::insert:
      return insert_some(share, tally);
    case docs_test::update_double:
    case docs_test::update_int64:
      return update_some(share, tally);
    case docs_test::find_in:
    case docs_test::find_equal:
    case docs_test::find_range:
      return find_some(share, tally);
  }
  return absl::OkStatus();
}

absl::Status docs_client::insert_some(const docs_share& share, docs_tally& tally) {
  const auto count = share.end - share.begin;
  while (documents_.size() < count) documents_.emplace_back();
  views_.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    data_.build_document(documents_[i], static_cast<std::int64_t>(share.begin + i));
    views_.push_back(documents_[i].view());
  }
  std::uint64_t inserted = 0;
  if (auto status = insert(views_, inserted); !status.ok()) return status;
  if (inserted != count) return wrong(share, fmt::format("{} inserted", inserted));
  tally.documents += count;
  tally.payload_bytes += count * data_.shape().document_bytes;
  return absl::OkStatus();
}

absl::Status docs_client::update_some(const docs_share& share, docs_tally& tally) {
  const auto count = share.end - share.begin;
  for (auto at = share.begin; at < share.end; ++at) {
    const auto id = static_cast<std::int64_t>(at);
    build_equal(filter_, id);
    build_change(change_, share.test, id, share.pass);
    add_update(filter_.view(), change_.view());
  }
  std::uint64_t matched = 0;
  std::uint64_t modified = 0;
  if (auto status = update(matched, modified); !status.ok()) return status;
  if (matched != count || modified != count)
    return wrong(share, fmt::format("{} matched and {} modified", matched, modified));
  tally.documents += count;
  tally.payload_bytes += count * changed_bytes;
  return absl::OkStatus();
}

absl::Status docs_client::find_some(const docs_share& share, docs_tally& tally) {
  const auto count = share.end - share.begin;
  std::uint64_t ids = 0;
  for (auto at = share.begin; at < share.end; ++at) {
    const bool in_order = share.test == docs_test::find_range;
    ids += in_order ? at : static_cast<std::uint64_t>(data_.random_id(at));
  }
  if (share.test == docs_test::find_range) {
    build_range(filter_, static_cast<std::int64_t>(share.begin), static_cast<std::int64_t>(share.end));
  } else if (share.test == docs_test::find_equal) {
    build_equal(filter_, data_.random_id(share.begin));
  } else {
    build_in(filter_, data_, share.begin, share.end);
  }
  found_ = found_bytes_ = found_ids_ = 0;
  if (auto status = find(filter_.view(), *this); !status.ok()) return status;
  if (found_ != count) return wrong(share, fmt::format("{} documents", found_));
  if (found_ids_ != ids) return wrong(share, "documents of other ids");
  tally.documents += count;
  tally.payload_bytes += found_bytes_;
  return absl::OkStatus();
}

bool docs_client::take(codecs::bytes_view document) {
  const auto id = codecs::mongo::lookup(document, "_id");
  if (id) found_ids_ += static_cast<std::uint64_t>(codecs::mongo::integer(*id).value_or(0));
  found_bytes_ += document.size();
  ++found_;
  return true;
}

}  // namespace bench::workloads
