#pragma once
// The keys of a result file, listed once, for writing and for reading, in the order in which they are written. fields() calls
// an archive (field_writer, field_reader) with each key and its value:
//
//   archive(key, value)           must be there; an optional may be null or absent
//   archive.may_lack(key, value)  keeps its default where it is null or absent: older files do not hold it
//   archive.text(key, text)       null while it is empty
//   archive.count(key, optional)  per op: a whole number where all rounds agree, and then written as one
//   archive.beside(key, optional) its keys stand among those of its owner, all null while it is empty; `key` is one of them
//   archive.object(key, use)      use(archive) with the archive of the object `key`
//   archive.both(key, a, key, b)  two optionals, both there or none
//   archive.require(holds, key, what)  else the reader complains of `key`: what the renderings rely on
//
// What stands in the file otherwise than in the model goes through a variable and, where `reads` holds, back into the model.

#include "bench/load/fields.hpp"
#include "bench/result.hpp"

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

template <typename Given>
inline constexpr bool reads = !std::is_const_v<Given>;

/// What a file may hold of each enum, by name().
constexpr auto words_of(ended_by) {
  using enum ended_by;
  return std::array{budget, precision, rows, stop, failure};
}
constexpr auto words_of(question) {
  using enum question;
  return std::array{aa, floor, layer, overhead, server, dispatch, work, interaction, first_row};
}
constexpr auto words_of(verdict) {
  using enum verdict;
  return std::array{equivalent, inconclusive, faster, slower};
}

/// The names of the flags that are raised, and back.
std::vector<std::string> words_of(const round_flags& flags);
round_flags flags_of(const std::vector<std::string>& words);

/// How the interval was made, and back: which sample it is of.
std::string method_of(const comparison& pair);
void set_sample(comparison& pair, const std::string& method);

template <typename Archive, either<clock_record> Given>
void fields(Archive&& archive, Given& of) {
  archive("source", of.source);
  archive("resolution_ns", of.resolution_ns);
  archive("read_cost_p50_ns", of.read_cost_p50_ns);
  archive("read_cost_p99_ns", of.read_cost_p99_ns);
  archive("cpus_checked", of.cpus_checked);
  archive("backward_steps", of.backward_steps);
}

template <typename Archive, either<op_plan::row_group> Given>
void fields(Archive&& archive, Given& of) {
  archive("cells", of.cells);
  archive("ops_per_round", of.ops_per_round);
}

template <typename Archive, either<op_plan> Given>
void fields(Archive&& archive, Given& of) {
  archive("op", of.op);
  archive("groups", of.groups);
  archive("rows", of.rows);
  archive.may_lack("processes", of.processes);
  archive("balanced", of.balanced);
  archive("budget_s", of.budget_s);
  archive("elapsed_s", of.elapsed_s);
  archive("ended_by", of.reason);
  archive("aa_floor", of.aa_floor);
  archive.text("failure", of.failure);
}

template <typename Archive, either<plan> Given>
void fields(Archive&& archive, Given& of) {
  archive("seed", of.seed);
  if constexpr (!reads<Given>) archive("order", std::string("latin square, a fresh permutation per block"));
  archive("cpu", of.cpu);
  archive("delta", of.delta);
  archive("ops", of.ops);
}

template <typename Archive, either<traffic> Given>
void fields(Archive&& archive, Given& of) {
  archive("frames_out", of.frames_out);
  archive("frames_in", of.frames_in);
  archive("bytes_out", of.bytes_out);
  archive("bytes_in", of.bytes_in);
}

template <typename Archive, either<delay_tally> Given>
void fields(Archive&& archive, Given& of) {
  archive("delayed_requests", of.requests);
  archive("delayed_ns", of.ns);
}

template <typename Archive, either<stage_times> Given>
void fields(Archive&& archive, Given& of) {
  for (const auto one : all_stages) {
    const auto i = static_cast<std::size_t>(one);
    archive.object(name(one), [&](const auto& told) {
      told("ns", of.ns[i]);
      told("intervals", of.intervals[i]);
    });
  }
  archive("window_ns", of.window_ns);
  archive("windows", of.windows);
}

template <typename Archive, either<round> Given>
void fields(Archive&& archive, Given& of) {
  archive("row", of.row);
  archive("position", of.position);
  archive("group", of.group);
  archive("connection_set", of.connection_set);
  archive.may_lack("process", of.process);
  archive("ops", of.ops);
  archive.require(of.ops > 0, "ops", "is 0: a round without an op has no time per op");
  archive("elapsed_ns", of.elapsed_ns);
  archive("client_cpu_ns", of.client_cpu_ns);
  archive("server_cpu_ns", of.server_cpu_ns);
  archive("voluntary_switches", of.voluntary_switches);
  archive("involuntary_switches", of.involuntary_switches);
  archive("minor_faults", of.minor_faults);
  archive("major_faults", of.major_faults);
  archive("steal_ticks", of.steal_ticks);
  archive("pressure_us", of.pressure_us);
  archive("migrations", of.migrations);
  archive("cpu_start", of.cpu_start);
  archive("cpu_end", of.cpu_end);
  auto flags = words_of(of.flags);
  archive.may_lack("flags", flags);
  if constexpr (reads<Given>) of.flags = flags_of(flags);
  archive.beside("frames_out", of.moved);
  archive("syscalls", of.syscalls);
  archive("copied_bytes", of.copied_bytes);
  archive("round_trips", of.round_trips);
  archive.beside("delayed_ns", of.delayed);
  archive("server_told_ns", of.server_told_ns);
  archive("stages", of.stages);
}

template <typename Archive, either<labels> Given>
void fields(Archive&& archive, Given& of) {
  archive("id", of.id);
  archive("op", of.op);
  archive("rung", of.rung);
  archive("client", of.client);
  archive("peer", of.peer);
  archive("transport", of.transport);
  archive("placement", of.placement);
  archive("profile", of.profile);
  archive("service_time_ns", of.service_ns);
  archive("delay_mode", of.delay_mode);
  archive.text("stamps", of.stamps);
  archive("framing", of.framing);
  archive("direction", of.direction);
  archive("strategy", of.strategy);
  archive("chunk_bytes", of.chunk_bytes);
  archive("payload_bytes", of.payload_bytes);
}

template <typename Archive, either<figures> Given>
void fields(Archive&& archive, Given& of) {
  archive("median_ns", of.median_ns);
  archive.both("lo_ns", of.lo_ns, "hi_ns", of.hi_ns);
  archive("client_cpu_ns", of.client_cpu_ns);
  archive("server_cpu_ns", of.server_cpu_ns);
  archive.count("frames_out", of.frames_out);
  archive.count("frames_in", of.frames_in);
  archive.count("bytes_out", of.bytes_out);
  archive.count("bytes_in", of.bytes_in);
  archive.count("syscalls", of.syscalls);
  archive.count("copied_bytes", of.copied_bytes);
  archive.count("round_trips", of.round_trips);
}

template <typename Archive, either<cell_counts> Given>
void fields(Archive&& archive, Given& of) {
  archive.count("instructions", of.instructions);
  archive.text("instructions_by", of.instructions_by);
  archive.count("allocations", of.allocations);
  archive.count("allocated_bytes", of.allocated_bytes);
  archive("live_heap_peak_bytes", of.live_heap_peak_bytes);
  archive("heap_growth_bytes", of.heap_growth_bytes);
  archive.count("payload_copies_bytes", of.payload_copies_bytes);
  archive("syscalls_by_kind", of.syscalls_by_kind);
  archive("rss_peak_bytes", of.rss_peak_bytes);
  archive("unknown", of.unknown);
}

template <typename Archive, either<cell> Given>
void fields(Archive&& archive, Given& of) {
  fields(archive, of.what);
  archive("group", of.group);
  fields(archive, of.per_op);
  archive("latency", of.latency);
  archive("load", of.load);
  archive("counts", of.counts);
  archive("rounds", of.rounds);
}

template <typename Archive, either<comparison> Given>
void fields(Archive&& archive, Given& of) {
  archive("op", of.op);
  archive("question", of.asks);
  archive("a", of.a);
  archive("b", of.b);
  archive("ratio", of.ratio);
  archive.both("lo", of.lo, "hi", of.hi);
  archive("level", of.level);
  archive("coverage", of.coverage);
  archive("difference_ns", of.difference_ns);
  archive.both("difference_lo_ns", of.difference_lo_ns, "difference_hi_ns", of.difference_hi_ns);
  archive("floor_units", of.floor_units);
  archive.both("floor_units_lo", of.floor_units_lo, "floor_units_hi", of.floor_units_hi);
  archive("rows", of.rows);
  archive("tied", of.tied);
  archive("effective_rows", of.effective_rows);
  auto method = method_of(of);
  archive("method", method);
  if constexpr (reads<Given>) set_sample(of, method);
  archive("verdict", of.says);
}

template <typename Archive, either<interval> Given>
void fields(Archive&& archive, Given& of) {
  archive("lo", of.lo);
  archive("hi", of.hi);
  archive("coverage", of.coverage);
}

template <typename Archive, either<estimate> Given>
void fields(Archive&& archive, Given& of) {
  archive("value", of.value);
  archive.beside("lo", of.range);
}

template <typename Archive, either<calibration::point> Given>
void fields(Archive&& archive, Given& of) {
  archive("service_ns", of.service_ns);
  archive("time_ns", of.time_ns);
  archive("waiting_ns", of.waiting_ns);
}

template <typename Archive, either<calibration> Given>
void fields(Archive&& archive, Given& of) {
  archive.may_lack("client_ns", of.client_ns);
  archive("round_trips", of.slope);
  archive("service_ns", of.service_ns);
  archive("server_ns", of.server_ns);
  archive("waiting_ns", of.waiting_ns);
  archive("points", of.points);
  archive.text("trouble", of.trouble);
}

template <typename Archive, either<stage_figures> Given>
void fields(Archive&& archive, Given& of) {
  for (const auto one : all_stages) archive(name(one), of[static_cast<std::size_t>(one)]);
}

template <typename Archive, either<attribution> Given>
void fields(Archive&& archive, Given& of) {
  archive("op", of.op);
  archive("cell", of.cell);
  archive("closed", of.judged.closed);
  archive("unexplained_ns", of.judged.unexplained_ns);
  archive("unexplained_share", of.judged.unexplained_share);
  archive("reasons", of.judged.reasons);
  archive("unchecked", of.judged.unchecked);
  archive("total_ns", of.total_ns);
  archive("calibration", of.calibrated);
  archive("server_lo_ns", of.server_lo_ns);
  archive("server_hi_ns", of.server_hi_ns);
  archive("told_by", of.told_by);
  archive("stages_ns", of.stages_ns);
  archive("stages_cpu_ns", of.stages_cpu_ns);
  archive("residual_ns", of.residual_ns);
  archive("client_cpu_ns", of.client_cpu_ns);
  archive("biases", of.biases);
}

template <typename Archive, either<memory_row> Given>
void fields(Archive&& archive, Given& of) {
  archive("cell", of.cell);
  archive("iteration", of.iteration);
  archive("file_id", of.file_id);
  archive("file_bytes", of.file_bytes);
  archive("live_heap_peak_bytes", of.live_heap_peak_bytes);
  archive("allocations", of.allocations);
  archive("rss_peak_bytes", of.rss_peak_bytes);
  archive("anon_peak_bytes", of.anon_peak_bytes);
  archive("minor_faults", of.minor_faults);
  archive("mmap_calls", of.mmap_calls);
  archive("brk_calls", of.brk_calls);
}

template <typename Archive, either<docs_row> Given>
void fields(Archive&& archive, Given& of) {
  archive("cell", of.cell);
  archive("threads", of.threads);
  archive("batch", of.batch);
  archive("document_bytes", of.document_bytes);
  archive("documents", of.documents);
  archive("payload_bytes", of.payload_bytes);
  archive("errors", of.errors);
  archive("elapsed_ns", of.elapsed_ns);
  archive("bytes_out", of.bytes_out);
  archive("bytes_in", of.bytes_in);
  archive("stored_bytes", of.stored_bytes);
  archive("client_cpu_ns", of.client_cpu_ns);
  archive("server_cpu_ns", of.server_cpu_ns);
}

template <typename Archive, either<files_row> Given>
void fields(Archive&& archive, Given& of) {
  archive("cell", of.cell);
  archive("store", of.store);
  archive("how", of.how);
  archive("phase", of.phase);
  archive("threads", of.threads);
  archive("file_bytes", of.file_bytes);
  archive("files", of.files);
  archive("payload_bytes", of.payload_bytes);
  archive("duplicates", of.duplicates);
  archive("failed", of.failed);
  archive("check", of.check);
  archive("errors", of.errors);
  archive("retries", of.retries);
  archive("client_peak_bytes", of.client_peak_bytes);
  archive("server_peak_bytes", of.server_peak_bytes);
  archive("server_processes", of.server_processes);
  archive("peaks_of_phase", of.peaks_of_phase);
  archive("disk_bytes", of.disk_bytes);
}

template <typename Archive, either<fitted_chunks> Given>
void fields(Archive&& archive, Given& of) {
  archive("cells", of.cells);
  archive("alpha_ns", of.alpha_ns);
  archive("beta_ns", of.beta_ns);
  archive("knee_bytes", of.knee_bytes);
  archive("residuals", of.residuals);
  archive.text("trouble", of.trouble);
}

template <typename Archive, either<sweep_figures> Given>
void fields(Archive&& archive, Given& of) {
  archive("fits", of.fits);
  archive("best", of.best);
}

template <typename Archive, either<warning> Given>
void fields(Archive&& archive, Given& of) {
  archive("code", of.code);
  archive("number", of.number);
  archive("cause", of.cause);
  archive("remedy", of.remedy);
  archive.text("op", of.op);
  archive.text("flag", of.flag);
}

/// What stands around these is report_json's and read_result's own: schema, context, docs, files and memory, which
/// other commands lack.
template <typename Archive, either<result> Given>
void fields(Archive&& archive, Given& of) {
  archive("plan", of.plan);
  archive("clock", of.clock);
  archive("cells", of.cells);
  archive("comparisons", of.comparisons);
  archive.may_lack("closure", of.attributions);
  archive("warnings", of.warnings);
}

}  // namespace bench
