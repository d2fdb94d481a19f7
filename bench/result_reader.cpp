#include "bench/result_reader.hpp"

#include "bench/load/fields.hpp"
#include "bench/report_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace bench {
namespace {

using nlohmann::ordered_json;

/// What is wrong with the file. Thrown from any depth, caught once, in read_result.
struct complaint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of the document and where it stands, so that a complaint can name its path without a path being built for every
/// value. Valid while its parents are.
class value {
 public:
  explicit value(const ordered_json& document) : json_(document) {}

  /// The member must be there and of `to`'s type, unless `to` is optional: then absent and null leave it empty.
  template <typename Type>
  void get(const char* key, Type& to) const {
    member(key).read(to);
  }
  template <typename Type>
  void get(const char* key, std::optional<Type>& to) const {
    if (!has(key)) return;
    member(key).read(to.emplace());
  }

  bool has(const char* key) const {
    const auto found = object().find(key);
    return found != json_.end() && !found->is_null();
  }

  /// The member `key`, a list, item by item through `read_item`.
  template <typename Item>
  void get_list(const char* key, std::vector<Item>& to, Item (*read_item)(const value&)) const {
    const value list = member(key);
    if (!list.json_.is_array()) list.complain_of_type("a list");
    to.reserve(list.json_.size());
    for (std::size_t i = 0; i < list.json_.size(); ++i) {
      to.push_back(read_item(value(list.json_[i], list, nullptr, i)));
    }
  }

  /// The member `key`, a word that is the name() of one of `all`.
  template <typename Enum>
  void get_word(const char* key, Enum& to, std::initializer_list<Enum> all) const {
    std::string word, known;
    get(key, word);
    for (const auto one : all) {
      if (word == name(one)) {
        to = one;
        return;
      }
      known += fmt::format("{}{}", known.empty() ? "" : ", ", name(one));
    }
    member(key).complain(fmt::format("is '{:.40}', none of {}", word, known));
  }

  value member(const char* key) const {
    const auto found = object().find(key);
    if (found == json_.end()) throw complaint(path_to(key) + " is missing");
    return {*found, *this, key, 0};
  }

  template <typename Use>
  void for_each_member(const Use& use) const {
    for (const auto& [key, of] : object().items()) use(key, value(of, *this, key.c_str(), 0));
  }

  [[noreturn]] void complain(const std::string& what) const { throw complaint(path() + " " + what); }

  template <typename Type>
  void read(Type& to) const {
    if constexpr (std::is_same_v<Type, bool>) {
      if (!json_.is_boolean()) complain_of_type("true or false");
      to = json_.get<bool>();
    } else if constexpr (std::is_same_v<Type, std::string>) {
      if (!json_.is_string()) complain_of_type("text");
      to = json_.get<std::string>();
      std::replace_if(
          to.begin(), to.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    } else if constexpr (std::is_floating_point_v<Type>) {
      if (!json_.is_number()) complain_of_type("a number");
      to = json_.get<Type>();
    } else {
      if (!json_.is_number_integer()) complain_of_type("a whole number");
      const bool fits = json_.is_number_unsigned() ? std::in_range<Type>(json_.get<std::uint64_t>())
                                                   : std::in_range<Type>(json_.get<std::int64_t>());
      if (!fits) complain(fmt::format("is {}, out of its range", json_.dump()));
      to = json_.get<Type>();
    }
  }

 private:
  value(const ordered_json& json, const value& parent, const char* key, std::size_t index)
      : json_(json), parent_(&parent), key_(key), index_(index) {}

  const ordered_json& object() const {
    if (!json_.is_object()) complain_of_type("an object");
    return json_;
  }

  std::string path_to(const char* key) const { return parent_ == nullptr ? key : path() + "." + key; }

  std::string path() const {
    if (parent_ == nullptr) return "the document";
    return key_ != nullptr ? parent_->path_to(key_) : fmt::format("{}[{}]", parent_->path(), index_);
  }

  [[noreturn]] void complain_of_type(const char* wanted) const {
    const std::string found = json_.is_object()   ? "an object"
                              : json_.is_array()  ? "a list"
                              : json_.is_string() ? "text"
                                                  : json_.dump();
    complain(fmt::format("is {}, not {}", found, wanted));
  }

  const ordered_json& json_;
  const value* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

clock_record read_clock(const value& from) {
  clock_record to;
  from.get("source", to.source);
  from.get("resolution_ns", to.resolution_ns);
  from.get("read_cost_p50_ns", to.read_cost_p50_ns);
  from.get("read_cost_p99_ns", to.read_cost_p99_ns);
  from.get("cpus_checked", to.cpus_checked);
  from.get("backward_steps", to.backward_steps);
  return to;
}

std::string read_text(const value& from) {
  std::string to;
  from.read(to);
  return to;
}

op_plan::row_group read_group(const value& from) {
  op_plan::row_group to;
  from.get_list("cells", to.cells, read_text);
  from.get("ops_per_round", to.ops_per_round);
  return to;
}

op_plan read_op(const value& from) {
  op_plan to;
  from.get("op", to.op);
  from.get_list("groups", to.groups, read_group);
  from.get("rows", to.rows);
  if (from.has("processes")) from.get("processes", to.processes);
  from.get("balanced", to.balanced);
  from.get("aa_floor", to.aa_floor);
  from.get("budget_s", to.budget_s);
  from.get("elapsed_s", to.elapsed_s);
  from.get_word("ended_by", to.reason,
                {ended_by::budget, ended_by::precision, ended_by::rows, ended_by::stop, ended_by::failure});
  if (from.has("failure")) from.get("failure", to.failure);
  return to;
}

plan read_plan(const value& from) {
  plan to;
  from.get("seed", to.seed);
  from.get("cpu", to.cpu);
  from.get("delta", to.delta);
  from.get_list("ops", to.ops, read_op);
  return to;
}

round_flags read_flags(const value& from) {
  round_flags to;
  if (!from.has("flags")) return to;
  std::vector<std::string> words;
  from.get_list("flags", words, read_text);
  for (const auto& [name, flag] : round_flag_names) {
    to.*flag = std::find(words.begin(), words.end(), name) != words.end();
  }
  return to;
}

stage_times read_stage_times(const value& from) {
  stage_times to;
  for (const auto one : all_stages) {
    const auto i = static_cast<std::size_t>(one);
    const auto told = from.member(name(one));
    told.get("ns", to.ns[i]);
    told.get("intervals", to.intervals[i]);
  }
  from.get("window_ns", to.window_ns);
  from.get("windows", to.windows);
  return to;
}

round read_round(const value& from) {
  round to;
  from.get("row", to.row);
  from.get("position", to.position);
  from.get("group", to.group);
  from.get("connection_set", to.connection_set);
  if (from.has("process")) from.get("process", to.process);
  from.get("ops", to.ops);
  if (to.ops == 0) from.member("ops").complain("is 0: a round without an op has no time per op");
  from.get("elapsed_ns", to.elapsed_ns);
  from.get("client_cpu_ns", to.client_cpu_ns);
  from.get("server_cpu_ns", to.server_cpu_ns);
  from.get("voluntary_switches", to.voluntary_switches);
  from.get("involuntary_switches", to.involuntary_switches);
  from.get("minor_faults", to.minor_faults);
  from.get("major_faults", to.major_faults);
  from.get("steal_ticks", to.steal_ticks);
  from.get("pressure_us", to.pressure_us);
  from.get("migrations", to.migrations);
  from.get("cpu_start", to.cpu_start);
  from.get("cpu_end", to.cpu_end);
  to.flags = read_flags(from);
  if (from.has("frames_out")) {
    auto& moved = to.moved.emplace();
    from.get("frames_out", moved.frames_out);
    from.get("frames_in", moved.frames_in);
    from.get("bytes_out", moved.bytes_out);
    from.get("bytes_in", moved.bytes_in);
  }
  from.get("syscalls", to.syscalls);
  if (from.has("delayed_ns")) {
    auto& delayed = to.delayed.emplace();
    from.get("delayed_requests", delayed.requests);
    from.get("delayed_ns", delayed.ns);
  }
  from.get("server_told_ns", to.server_told_ns);
  if (from.has("stages")) to.stages = read_stage_times(from.member("stages"));
  return to;
}

labels read_labels(const value& from) {
  labels to;
  from.get("id", to.id);
  from.get("op", to.op);
  from.get("rung", to.rung);
  from.get("client", to.client);
  from.get("peer", to.peer);
  from.get("transport", to.transport);
  from.get("placement", to.placement);
  from.get("profile", to.profile);
  from.get("service_time_ns", to.service_ns);
  if (from.has("stamps")) from.get("stamps", to.stamps);
  return to;
}

figures read_figures(const value& from) {
  figures to;
  from.get("median_ns", to.median_ns);
  from.get("lo_ns", to.lo_ns);
  from.get("hi_ns", to.hi_ns);
  from.get("client_cpu_ns", to.client_cpu_ns);
  from.get("server_cpu_ns", to.server_cpu_ns);
  from.get("frames_out", to.frames_out);
  from.get("frames_in", to.frames_in);
  from.get("bytes_out", to.bytes_out);
  from.get("bytes_in", to.bytes_in);
  from.get("syscalls", to.syscalls);
  return to;
}

/// Structs whose keys are listed in load/fields.hpp, and what they are made of.
template <typename Struct>
Struct read_fields(const value& from);

struct field_reader {
  const value& from;

  template <typename Value>
  void operator()(const char* key, Value& to) const {
    if constexpr (std::is_class_v<Value> && !std::is_same_v<Value, std::string>) {
      to = read_fields<Value>(from.member(key));
    } else {
      from.get(key, to);
    }
  }
  template <typename Value>
  void operator()(const char* key, std::optional<Value>& to) const {
    if (from.has(key)) (*this)(key, to.emplace());
  }
  template <typename Value>
  void operator()(const char* key, std::vector<Value>& to) const {
    from.get_list(key, to, read_fields<Value>);
  }
};

template <typename Struct>
Struct read_fields(const value& from) {
  Struct to{};
  fields(field_reader{from}, to);
  return to;
}

cell_counts read_counts(const value& from) {
  cell_counts to;
  from.get("instructions", to.instructions);
  if (from.has("instructions_by")) from.get("instructions_by", to.instructions_by);
  from.get("allocations", to.allocations);
  from.get("allocated_bytes", to.allocated_bytes);
  from.get("live_heap_peak_bytes", to.live_heap_peak_bytes);
  from.get("heap_growth_bytes", to.heap_growth_bytes);
  from.get("payload_copies_bytes", to.payload_copies_bytes);
  if (from.has("syscalls_by_kind")) {
    auto& kinds = to.syscalls_by_kind.emplace();
    from.member("syscalls_by_kind").for_each_member([&](const std::string& kind, const value& count) {
      count.read(kinds[kind]);
    });
  }
  from.get("rss_peak_bytes", to.rss_peak_bytes);
  from.member("unknown").for_each_member(
      [&](const std::string& kind, const value& why) { why.read(to.unknown[kind]); });
  return to;
}

cell read_cell(const value& from) {
  cell to{.what = read_labels(from), .per_op = read_figures(from)};
  field_reader{from}("latency", to.latency);
  field_reader{from}("load", to.load);
  from.get("group", to.group);
  if (from.has("counts")) to.counts = read_counts(from.member("counts"));
  from.get_list("rounds", to.rounds, read_round);
  return to;
}

comparison read_comparison(const value& from) {
  comparison to;
  from.get_word("question", to.asks,
                {question::aa, question::floor, question::layer, question::overhead, question::server,
                 question::dispatch, question::work, question::interaction});
  from.get("op", to.op);
  from.get("a", to.a);
  from.get("b", to.b);
  from.get("ratio", to.ratio);
  from.get("lo", to.lo);
  from.get("hi", to.hi);
  from.get("level", to.level);
  from.get("coverage", to.coverage);
  from.get("difference_ns", to.difference_ns);
  from.get("difference_lo_ns", to.difference_lo_ns);
  from.get("difference_hi_ns", to.difference_hi_ns);
  from.get("floor_units", to.floor_units);
  from.get("floor_units_lo", to.floor_units_lo);
  from.get("floor_units_hi", to.floor_units_hi);
  from.get("rows", to.rows);
  from.get("tied", to.tied);
  from.get("effective_rows", to.effective_rows);
  std::string method;
  from.get("method", method);
  to.by_connection_set = method.ends_with("connection sets");
  to.by_process = method.ends_with("processes");
  from.get_word("verdict", to.says,
                {verdict::equivalent, verdict::inconclusive, verdict::faster, verdict::slower});
  return to;
}

void read_estimate(const value& from, const char* key, std::optional<estimate>& to) {
  if (!from.has(key)) return;
  const auto member = from.member(key);
  member.get("value", to.emplace().value);
  if (!member.has("lo")) return;
  auto& range = to->range.emplace();
  member.get("lo", range.lo);
  member.get("hi", range.hi);
  member.get("coverage", range.coverage);
}

void read_stages(const value& from, const char* key, std::optional<stage_figures>& to) {
  if (!from.has(key)) return;
  to.emplace();
  for (const auto one : all_stages) from.member(key).get(name(one), (*to)[static_cast<std::size_t>(one)]);
}

calibration::point read_point(const value& from) {
  calibration::point to;
  from.get("service_ns", to.service_ns);
  from.get("time_ns", to.time_ns);
  from.get("waiting_ns", to.waiting_ns);
  return to;
}

calibration read_calibration(const value& from) {
  calibration to;
  std::optional<estimate> client;
  read_estimate(from, "client_ns", client);
  to.client_ns = client.value_or(estimate{});
  read_estimate(from, "round_trips", to.slope);
  read_estimate(from, "service_ns", to.service_ns);
  read_estimate(from, "server_ns", to.server_ns);
  read_estimate(from, "waiting_ns", to.waiting_ns);
  from.get_list("points", to.points, read_point);
  if (from.has("trouble")) from.get("trouble", to.trouble);
  return to;
}

attribution read_attribution(const value& from) {
  attribution to;
  from.get("op", to.op);
  from.get("cell", to.cell);
  from.get("closed", to.judged.closed);
  from.get("unexplained_ns", to.judged.unexplained_ns);
  from.get("unexplained_share", to.judged.unexplained_share);
  from.get_list("reasons", to.judged.reasons, read_text);
  from.get_list("unchecked", to.judged.unchecked, read_text);
  read_estimate(from, "total_ns", to.total_ns);
  if (from.has("calibration")) to.calibrated = read_calibration(from.member("calibration"));
  read_estimate(from, "server_lo_ns", to.server_lo_ns);
  read_estimate(from, "server_hi_ns", to.server_hi_ns);
  from.get("told_by", to.told_by);
  read_stages(from, "stages_ns", to.stages_ns);
  read_stages(from, "stages_cpu_ns", to.stages_cpu_ns);
  read_estimate(from, "residual_ns", to.residual_ns);
  from.get("client_cpu_ns", to.client_cpu_ns);
  from.get_list("biases", to.biases, read_text);
  return to;
}

docs_row read_docs_row(const value& from) {
  docs_row to;
  from.get("cell", to.cell);
  from.get("threads", to.threads);
  from.get("batch", to.batch);
  from.get("document_bytes", to.document_bytes);
  from.get("documents", to.documents);
  from.get("payload_bytes", to.payload_bytes);
  from.get("errors", to.errors);
  from.get("elapsed_ns", to.elapsed_ns);
  from.get("bytes_out", to.bytes_out);
  from.get("bytes_in", to.bytes_in);
  from.get("stored_bytes", to.stored_bytes);
  from.get("client_cpu_ns", to.client_cpu_ns);
  from.get("server_cpu_ns", to.server_cpu_ns);
  return to;
}

warning read_warning(const value& from) {
  warning to;
  from.get("code", to.code);
  from.get("number", to.number);
  from.get("cause", to.cause);
  from.get("remedy", to.remedy);
  if (from.has("op")) from.get("op", to.op);
  if (from.has("flag")) from.get("flag", to.flag);
  return to;
}

/// What the renderings rely on: ids are unique, and comparisons name cells that are there.
void check_ids(const result& whole) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < whole.cells.size(); ++i) {
    const auto& id = whole.cells[i].what.id;
    if (!ids.insert(id).second) throw complaint(fmt::format("cells[{}].id is '{}' once more", i, id));
  }
  for (std::size_t i = 0; i < whole.docs.size(); ++i) {
    if (!ids.contains(whole.docs[i].cell))
      throw complaint(fmt::format("docs[{}].cell is '{}', which is no cell", i, whole.docs[i].cell));
  }
  const auto check = [&](const std::string& id, std::size_t i, char side) {
    if (!ids.contains(id))
      throw complaint(fmt::format("comparisons[{}].{} is '{}', which is no cell", i, side, id));
  };
  for (std::size_t i = 0; i < whole.comparisons.size(); ++i) {
    check(whole.comparisons[i].a, i, 'a');
    check(whole.comparisons[i].b, i, 'b');
  }
  for (std::size_t i = 0; i < whole.attributions.size(); ++i) {
    const auto& id = whole.attributions[i].cell;
    if (!ids.contains(id)) throw complaint(fmt::format("closure[{}].cell is '{}', which is no cell", i, id));
  }
}

/// Says what the document is before anything else of it is believed.
void check_kind(const value& document) {
  try {
    std::string tool;
    document.get("tool", tool);
    if (tool != "wirebench") throw complaint(fmt::format("tool is '{:.40}'", tool));
    int version = 0;
    document.get("schema_version", version);
    if (version < 1) throw complaint(fmt::format("schema_version is {}", version));
  } catch (const complaint& wrong) {
    throw complaint(fmt::format("is not a wirebench result: {}", wrong.what()));
  }
  int version = 0;
  document.get("schema_version", version);
  if (version > schema_version) {
    throw complaint(fmt::format("was written by a newer wirebench: schema {}, this one reads up to {}",
                                version, schema_version));
  }
}

result read_document(const ordered_json& json) {
  const value document(json);
  check_kind(document);
  result to;
  document.member("context").for_each_member(
      [&](const std::string& key, const value& fact) { to.context.emplace_back(key, read_text(fact)); });
  to.plan = read_plan(document.member("plan"));
  to.clock = read_clock(document.member("clock"));
  document.get_list("cells", to.cells, read_cell);
  document.get_list("comparisons", to.comparisons, read_comparison);
  if (document.has("closure")) document.get_list("closure", to.attributions, read_attribution);
  document.get_list("warnings", to.warnings, read_warning);
  if (document.has("docs")) document.get_list("docs", to.docs, read_docs_row);
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
