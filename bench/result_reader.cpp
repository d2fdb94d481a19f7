#include "bench/result_reader.hpp"

#include "bench/field_reader.hpp"
#include "bench/report_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace bench {
namespace {

using nlohmann::ordered_json;

/// What the renderings rely on: ids are unique, and what names cells names cells that are there.
void check_ids(const result& whole) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < whole.cells.size(); ++i) {
    const auto& id = whole.cells[i].what.id;
    if (!ids.insert(id).second) throw complaint(fmt::format("cells[{}].id is '{}' once more", i, id));
  }
  const auto check = [&](const char* list, std::size_t i, const char* key, const std::string& id) {
    if (!ids.contains(id))
      throw complaint(fmt::format("{}[{}].{} is '{}', which is no cell", list, i, key, id));
  };
  for (std::size_t i = 0; i < whole.docs.size(); ++i) check("docs", i, "cell", whole.docs[i].cell);
  for (std::size_t i = 0; i < whole.files.size(); ++i) check("files", i, "cell", whole.files[i].cell);
  const auto figures = whole.sweep.value_or(sweep_figures{});
  for (std::size_t i = 0; i < figures.fits.size(); ++i) {
    for (const auto& id : figures.fits[i].cells) check("sweep.fits", i, "cells", id);
  }
  for (std::size_t i = 0; i < figures.best.size(); ++i) check("sweep", i, "best", figures.best[i]);
  for (std::size_t i = 0; i < whole.memory.size(); ++i) check("memory", i, "cell", whole.memory[i].cell);
  for (std::size_t i = 0; i < whole.comparisons.size(); ++i) {
    check("comparisons", i, "a", whole.comparisons[i].a);
    check("comparisons", i, "b", whole.comparisons[i].b);
  }
  for (std::size_t i = 0; i < whole.attributions.size(); ++i) {
    check("closure", i, "cell", whole.attributions[i].cell);
  }
}

/// Says what the document is before anything else of it is believed.
void check_kind(const field_reader& document) {
  int version = 0;
  try {
    std::string tool;
    document("tool", tool);
    if (tool != "wirebench") throw complaint(fmt::format("tool is '{:.40}'", tool));
    document("schema_version", version);
    if (version < 1) throw complaint(fmt::format("schema_version is {}", version));
  } catch (const complaint& wrong) {
    throw complaint(fmt::format("is not a wirebench result: {}", wrong.what()));
  }
  if (version > schema_version) {
    throw complaint(fmt::format("was written by a newer wirebench: schema {}, this one reads up to {}",
                                version, schema_version));
  }
}

result read_document(const ordered_json& json) {
  const json_value document(json);
  const field_reader reader(document);
  check_kind(reader);
  result to;
  document.member("context").for_each_member([&](const std::string& key, const json_value& fact) {
    fact.read(to.context.emplace_back(key, "").second);
  });
  fields(reader, to);
  reader.may_lack("docs", to.docs);
  reader.may_lack("files", to.files);
  reader("sweep", to.sweep);
  reader.may_lack("memory", to.memory);
  check_ids(to);
  return to;
}

/// A document of that many values or levels is no result: it was made to fill the memory.
class hostility_check {
 public:
  bool operator()(int depth, ordered_json::parse_event_t /*event*/, const ordered_json& /*parsed*/) {
    if (depth > deepest || ++values_ > most_values)
      throw complaint("is not a wirebench result: it is nested too deeply or holds too many values");
    return true;
  }

 private:
  static constexpr int deepest = 16;
  static constexpr std::size_t most_values = largest_result_bytes / 8;
  std::size_t values_ = 0;
};

ordered_json parse(const std::string& text) {
  if (text.size() > largest_result_bytes)
    throw complaint(
        fmt::format("is larger than {} MiB; save fewer ops in a file", largest_result_bytes >> 20U));
  try {
    return ordered_json::parse(text, hostility_check());
  } catch (const ordered_json::parse_error& wrong) {
    // the parser counts the end of the text as one byte more
    if (wrong.byte > text.size())
      throw complaint(text.empty() ? "is empty" : fmt::format("ends early, after byte {}", text.size()));
    throw complaint(fmt::format("is not JSON (byte {})", wrong.byte));
  } catch (const ordered_json::exception&) {
    throw complaint("is not a wirebench result: a number in it has no finite value");
  }
}

}  // namespace

absl::StatusOr<result> read_result(const std::string& text) {
  try {
    return read_document(parse(text));
  } catch (const complaint& wrong) {
    return absl::DataLossError(wrong.what());
  }
}

}  // namespace bench
