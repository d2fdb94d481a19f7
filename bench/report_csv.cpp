#include "bench/report_csv.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

/// Quoted where it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// The shortest text that reads back as the same number.
std::string field(double value) {
  return fmt::format("{}", value);
}

template <typename Integer>
requires std::is_integral_v<Integer> std::string field(Integer value) {
  return fmt::format("{}", value);
}

template <typename Value>
std::string field(const std::optional<Value>& value) {
  return value ? field(*value) : std::string();
}

template <typename... Values>
std::string line(const Values&... values) {
  std::string text;
  ((text += field(values) + ','), ...);
  text.back() = '\n';
  return text;
}

/// "steal pressure", so that they fit into a field.
std::string words(const round_flags& flags) {
  std::string all;
  for (const auto& [name, flag] : round_flag_names) {
    if (flags.*flag) all += (all.empty() ? "" : " ") + std::string(name);
  }
  return all;
}

}  // namespace

std::string cells_csv(const result& measured) {
  std::string text =
      "id,op,rung,client,peer,transport,placement,profile,service_time_ns,group,rounds,median_ns,lo_ns,hi_ns,"
      "client_cpu_ns,server_cpu_ns,frames_out,frames_in,bytes_out,bytes_in,syscalls\n";
  for (const auto& one : measured.cells) {
    const auto& what = one.what;
    const auto& per_op = one.per_op;
    text += line(what.id, what.op, what.rung, what.client, what.peer, what.transport, what.placement,
                 what.profile, what.service_ns, one.group, one.rounds.size(), per_op.median_ns, per_op.lo_ns,
                 per_op.hi_ns, per_op.client_cpu_ns, per_op.server_cpu_ns, per_op.frames_out,
                 per_op.frames_in, per_op.bytes_out, per_op.bytes_in, per_op.syscalls);
  }
  return text;
}

std::string comparisons_csv(const result& measured) {
  std::string text =
      "op,question,a,b,ratio,lo,hi,level,coverage,difference_ns,difference_lo_ns,difference_hi_ns,"
      "floor_units,floor_units_lo,floor_units_hi,rows,tied,verdict\n";
  for (const auto& pair : measured.comparisons) {
    text += line(pair.op, std::string(name(pair.asks)), pair.a, pair.b, pair.ratio, pair.lo, pair.hi,
                 pair.level, pair.coverage, pair.difference_ns, pair.difference_lo_ns, pair.difference_hi_ns,
                 pair.floor_units, pair.floor_units_lo, pair.floor_units_hi, pair.rows, pair.tied,
                 std::string(name(pair.says)));
  }
  return text;
}

std::string rounds_csv(const result& measured) {
  std::string text =
      "id,row,position,group,connection_set,process,ops,elapsed_ns,client_cpu_ns,server_cpu_ns,"
      "voluntary_switches,involuntary_switches,minor_faults,major_faults,steal_ticks,pressure_us,migrations,"
      "cpu_start,cpu_end,flags,frames_out,frames_in,bytes_out,bytes_in,syscalls\n";
  for (const auto& one : measured.cells) {
    for (const auto& timed : one.rounds) {
      const auto moved = [&timed](std::uint64_t traffic::*part) {
        return timed.moved ? std::optional((*timed.moved).*part) : std::nullopt;
      };
      text +=
          line(one.what.id, timed.row, timed.position, timed.group, timed.connection_set, timed.process,
               timed.ops, timed.elapsed_ns, timed.client_cpu_ns, timed.server_cpu_ns,
               timed.voluntary_switches, timed.involuntary_switches, timed.minor_faults, timed.major_faults,
               timed.steal_ticks, timed.pressure_us, timed.migrations, timed.cpu_start, timed.cpu_end,
               words(timed.flags), moved(&traffic::frames_out), moved(&traffic::frames_in),
               moved(&traffic::bytes_out), moved(&traffic::bytes_in), timed.syscalls);
    }
  }
  return text;
}

}  // namespace bench
