#include "bench/report_json.hpp"

#include "bench/load/fields.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace bench {
namespace {

using nlohmann::ordered_json;

/// Null for what is empty. A number that is not finite becomes null as well: nlohmann-json writes it so.
template <typename Value>
ordered_json maybe(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// A count per op is a whole number where all rounds agree, and is then written as one; beyond 2^53 a double holds no counts.
ordered_json maybe_count(const std::optional<double>& count) {
  if (!count) return nullptr;
  const bool whole = *count >= 0 && *count <= 0x1p53 && *count == std::floor(*count);
  return whole ? ordered_json(static_cast<std::uint64_t>(*count)) : ordered_json(*count);
}

/// Structs whose keys are listed in load/fields.hpp, and what they are made of.
struct field_writer {
  ordered_json to = ordered_json::object();

  template <typename Value>
  void operator()(const char* key, const Value& value) {
    to[key] = of(value);
  }

  static ordered_json of(const std::string& value) { return value; }
  template <typename Number>
  static ordered_json of(const Number& value) requires std::is_arithmetic_v<Number> {
    return value;
  }
  template <typename Value>
  static ordered_json of(const std::optional<Value>& value) {
    return value ? of(*value) : ordered_json();
  }
  template <typename Value>
  static ordered_json of(const std::vector<Value>& values) {
    auto all = ordered_json::array();
    for (const auto& each : values) all.push_back(of(each));
    return all;
  }
  template <typename Struct>
  static ordered_json of(const Struct& value) {
    field_writer writer;
    fields(writer, value);
    return writer.to;
  }
};

ordered_json to_json(const clock_record& clock) {
  return {{"source", clock.source},
          {"resolution_ns", clock.resolution_ns},
          {"read_cost_p50_ns", clock.read_cost_p50_ns},
          {"read_cost_p99_ns", clock.read_cost_p99_ns},
          {"cpus_checked", clock.cpus_checked},
          {"backward_steps", clock.backward_steps}};
}

ordered_json to_json(const op_plan& op) {
  auto groups = ordered_json::array();
  for (const auto& group : op.groups) {
    groups.push_back({{"cells", group.cells}, {"ops_per_round", group.ops_per_round}});
  }
  return {{"op", op.op},
          {"groups", groups},
          {"rows", op.rows},
          {"processes", op.processes},
          {"balanced", op.balanced},
          {"budget_s", op.budget_s},
          {"elapsed_s", op.elapsed_s},
          {"ended_by", name(op.reason)},
          {"aa_floor", maybe(op.aa_floor)},
          {"failure", op.failure.empty() ? ordered_json() : ordered_json(op.failure)}};
}

ordered_json to_json(const plan& laid_out) {
  auto ops = ordered_json::array();
  for (const auto& op : laid_out.ops) ops.push_back(to_json(op));
  return {{"seed", laid_out.seed},
          {"order", "latin square, a fresh permutation per block"},
          {"cpu", laid_out.cpu},
          {"delta", laid_out.delta},
          {"ops", ops}};
}

ordered_json to_json(const round_flags& flags) {
  auto names = ordered_json::array();
  for (const auto& [name, flag] : round_flag_names) {
    if (flags.*flag) names.push_back(name);
  }
  return names;
}

ordered_json to_json(const stage_times& told) {
  ordered_json to;
  for (const auto one : all_stages) {
    const auto i = static_cast<std::size_t>(one);
    to[name(one)] = {{"ns", told.ns[i]}, {"intervals", told.intervals[i]}};
  }
  to["window_ns"] = told.window_ns;
  to["windows"] = told.windows;
  return to;
}

ordered_json to_json(const round& timed) {
  ordered_json to{{"row", timed.row},
                  {"position", timed.position},
                  {"group", timed.group},
                  {"connection_set", timed.connection_set},
                  {"process", timed.process},
                  {"ops", timed.ops},
                  {"elapsed_ns", timed.elapsed_ns},
                  {"client_cpu_ns", timed.client_cpu_ns},
                  {"server_cpu_ns", maybe(timed.server_cpu_ns)},
                  {"voluntary_switches", timed.voluntary_switches},
                  {"involuntary_switches", timed.involuntary_switches},
                  {"minor_faults", timed.minor_faults},
                  {"major_faults", timed.major_faults},
                  {"steal_ticks", maybe(timed.steal_ticks)},
                  {"pressure_us", maybe(timed.pressure_us)},
                  {"migrations", maybe(timed.migrations)},
                  {"cpu_start", timed.cpu_start},
                  {"cpu_end", timed.cpu_end},
                  {"flags", to_json(timed.flags)}};
  const auto& moved = timed.moved;
  to["frames_out"] = moved ? ordered_json(moved->frames_out) : ordered_json();
  to["frames_in"] = moved ? ordered_json(moved->frames_in) : ordered_json();
  to["bytes_out"] = moved ? ordered_json(moved->bytes_out) : ordered_json();
  to["bytes_in"] = moved ? ordered_json(moved->bytes_in) : ordered_json();
  to["syscalls"] = maybe(timed.syscalls);
  const auto& delayed = timed.delayed;
  to["delayed_requests"] = delayed ? ordered_json(delayed->requests) : ordered_json();
  to["delayed_ns"] = delayed ? ordered_json(delayed->ns) : ordered_json();
  to["server_told_ns"] = maybe(timed.server_told_ns);
  to["stages"] = timed.stages ? to_json(*timed.stages) : ordered_json();
  return to;
}

ordered_json to_json(const cell_counts& counts) {
  return {{"instructions", maybe_count(counts.instructions)},
          {"instructions_by",
           counts.instructions_by.empty() ? ordered_json() : ordered_json(counts.instructions_by)},
          {"allocations", maybe_count(counts.allocations)},
          {"allocated_bytes", maybe_count(counts.allocated_bytes)},
          {"live_heap_peak_bytes", maybe(counts.live_heap_peak_bytes)},
          {"heap_growth_bytes", maybe(counts.heap_growth_bytes)},
          {"payload_copies_bytes", maybe_count(counts.payload_copies_bytes)},
          {"syscalls_by_kind", maybe(counts.syscalls_by_kind)},
          {"rss_peak_bytes", maybe(counts.rss_peak_bytes)},
          {"unknown", counts.unknown}};
}

ordered_json to_json(const cell& measured) {
  const auto& what = measured.what;
  const auto& per_op = measured.per_op;
  auto rounds = ordered_json::array();
  for (const auto& timed : measured.rounds) rounds.push_back(to_json(timed));
  return {{"id", what.id},
          {"op", what.op},
          {"rung", what.rung},
          {"client", what.client},
          {"peer", what.peer},
          {"transport", what.transport},
          {"placement", what.placement},
          {"profile", what.profile ? ordered_json(*what.profile) : ordered_json()},
          {"service_time_ns", maybe(what.service_ns)},
          {"stamps", what.stamps.empty() ? ordered_json() : ordered_json(what.stamps)},
          {"group", measured.group},
          {"median_ns", maybe(per_op.median_ns)},
          {"lo_ns", maybe(per_op.lo_ns)},
          {"hi_ns", maybe(per_op.hi_ns)},
          {"client_cpu_ns", maybe(per_op.client_cpu_ns)},
          {"server_cpu_ns", maybe(per_op.server_cpu_ns)},
          {"frames_out", maybe_count(per_op.frames_out)},
          {"frames_in", maybe_count(per_op.frames_in)},
          {"bytes_out", maybe_count(per_op.bytes_out)},
          {"bytes_in", maybe_count(per_op.bytes_in)},
          {"syscalls", maybe_count(per_op.syscalls)},
          {"latency", field_writer::of(measured.latency)},
          {"load", field_writer::of(measured.load)},
          {"counts", measured.counts ? to_json(*measured.counts) : ordered_json()},
          {"rounds", rounds}};
}

ordered_json to_json(const docs_row& row) {
  return {{"cell", row.cell},
          {"threads", row.threads},
          {"batch", row.batch},
          {"document_bytes", row.document_bytes},
          {"documents", row.documents},
          {"payload_bytes", row.payload_bytes},
          {"errors", row.errors},
          {"elapsed_ns", row.elapsed_ns},
          {"bytes_out", maybe(row.bytes_out)},
          {"bytes_in", maybe(row.bytes_in)},
          {"stored_bytes", maybe(row.stored_bytes)},
          {"client_cpu_ns", row.client_cpu_ns},
          {"server_cpu_ns", maybe(row.server_cpu_ns)}};
}

ordered_json to_json(const comparison& pair) {
  return {{"op", pair.op},
          {"question", name(pair.asks)},
          {"a", pair.a},
          {"b", pair.b},
          {"ratio", maybe(pair.ratio)},
          {"lo", maybe(pair.lo)},
          {"hi", maybe(pair.hi)},
          {"level", pair.level},
          {"coverage", maybe(pair.coverage)},
          {"difference_ns", maybe(pair.difference_ns)},
          {"difference_lo_ns", maybe(pair.difference_lo_ns)},
          {"difference_hi_ns", maybe(pair.difference_hi_ns)},
          {"floor_units", maybe(pair.floor_units)},
          {"floor_units_lo", maybe(pair.floor_units_lo)},
          {"floor_units_hi", maybe(pair.floor_units_hi)},
          {"rows", pair.rows},
          {"tied", pair.tied},
          {"effective_rows", maybe(pair.effective_rows)},
          {"method", pair.by_process          ? "sign interval over processes"
                     : pair.by_connection_set ? "sign interval over connection sets"
                                              : "sign interval over rows"},
          {"verdict", name(pair.says)}};
}

ordered_json to_json(const std::optional<estimate>& of) {
  if (!of) return nullptr;
  return {{"value", of->value},
          {"lo", of->range ? ordered_json(of->range->lo) : ordered_json()},
          {"hi", of->range ? ordered_json(of->range->hi) : ordered_json()},
          {"coverage", of->range ? ordered_json(of->range->coverage) : ordered_json()}};
}

ordered_json to_json(const std::optional<stage_figures>& of) {
  if (!of) return nullptr;
  ordered_json to;
  for (const auto one : all_stages) to[name(one)] = (*of)[static_cast<std::size_t>(one)];
  return to;
}

ordered_json to_json(const calibration::point& at) {
  return {{"service_ns", at.service_ns}, {"time_ns", at.time_ns}, {"waiting_ns", maybe(at.waiting_ns)}};
}

template <typename Item>
ordered_json list(const std::vector<Item>& items);

ordered_json to_json(const std::optional<calibration>& made) {
  if (!made) return nullptr;
  return {{"client_ns", to_json(std::optional(made->client_ns))},
          {"round_trips", to_json(made->slope)},
          {"service_ns", to_json(made->service_ns)},
          {"server_ns", to_json(made->server_ns)},
          {"waiting_ns", to_json(made->waiting_ns)},
          {"points", list(made->points)},
          {"trouble", made->trouble.empty() ? ordered_json() : ordered_json(made->trouble)}};
}

ordered_json to_json(const attribution& made) {
  return {{"op", made.op},
          {"cell", made.cell},
          {"closed", made.judged.closed},
          {"unexplained_ns", maybe(made.judged.unexplained_ns)},
          {"unexplained_share", maybe(made.judged.unexplained_share)},
          {"reasons", made.judged.reasons},
          {"unchecked", made.judged.unchecked},
          {"total_ns", to_json(made.total_ns)},
          {"calibration", to_json(made.calibrated)},
          {"server_lo_ns", to_json(made.server_lo_ns)},
          {"server_hi_ns", to_json(made.server_hi_ns)},
          {"told_by", made.told_by},
          {"stages_ns", to_json(made.stages_ns)},
          {"stages_cpu_ns", to_json(made.stages_cpu_ns)},
          {"residual_ns", to_json(made.residual_ns)},
          {"client_cpu_ns", maybe(made.client_cpu_ns)},
          {"biases", made.biases}};
}

ordered_json to_json(const warning& doubt) {
  return {{"code", doubt.code},
          {"number", doubt.number},
          {"cause", doubt.cause},
          {"remedy", doubt.remedy},
          {"op", doubt.op.empty() ? ordered_json() : ordered_json(doubt.op)},
          {"flag", doubt.flag.empty() ? ordered_json() : ordered_json(doubt.flag)}};
}

template <typename Item>
ordered_json list(const std::vector<Item>& items) {
  auto all = ordered_json::array();
  for (const auto& item : items) all.push_back(to_json(item));
  return all;
}

}  // namespace

std::string report_json(const result& measured) {
  auto context = ordered_json::object();
  for (const auto& [key, value] : measured.context) {
    const bool again = context.contains(key);  // a real server of each protocol
    context[key] = again ? context[key].get<std::string>() + "; " + value : value;
  }
  ordered_json whole{{"schema_version", schema_version},
                     {"tool", "wirebench"},
                     {"context", context},
                     {"plan", to_json(measured.plan)},
                     {"clock", to_json(measured.clock)},
                     {"cells", list(measured.cells)},
                     {"comparisons", list(measured.comparisons)},
                     {"closure", list(measured.attributions)},
                     {"warnings", list(measured.warnings)}};
  if (!measured.docs.empty()) whole["docs"] = list(measured.docs);
  // Text from a server or the command line may hold bytes that are not UTF-8; they are replaced, not thrown
  // at.
  return whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bench
