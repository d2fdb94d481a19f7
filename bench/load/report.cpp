#include "bench/load/report.hpp"

#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bench::load {
namespace {

/// Whole numbers with a comma between thousands.
std::string grouped(std::uint64_t value) {
  auto digits = std::to_string(value);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string us(double ns) {
  return number(ns / 1e3);
}

std::string per_op(const std::optional<double>& value) {
  return value ? number(*value) : "-";
}

class load_report {
 public:
  load_report(const cell& measured, bool colour) : cell_(measured), of_(*measured.load), colour_(colour) {}

  std::string text() const {
    return header() + throughput() + latencies() + schedule() + by_op() + costs() + connections() + errors() +
           limiter() + instrument() + "\n";
  }

 private:
  std::string header() const;
  std::string throughput() const;
  std::string latencies() const;
  std::string latency_lines(const latency_summary& of) const;
  std::string schedule() const;
  std::string by_op() const;
  std::string costs() const;
  std::string connections() const;
  std::string errors() const;
  std::string limiter() const;
  std::string instrument() const;

  const cell& cell_;
  const figures& of_;
  bool colour_;
};

std::string load_report::header() const {
  const auto& what = cell_.what;
  auto lines = bold(fmt::format("{} by {} against {}", what.op, what.client, what.peer), colour_) + "\n";
  const auto loop = of_.schedule ? fmt::format("open loop, {:g} ops/s, {} arrivals", of_.schedule->rate,
                                               of_.schedule->arrivals)
                                 : "closed loop";
  lines += paragraph(fmt::format(
      "{}, {}, {} I/O, {} connection{} on {} thread{}, {}{:g} s of warm-up, ended by {} after {:.1f} s",
      what.placement, loop, of_.io, of_.connections, of_.connections == 1 ? "" : "s", of_.threads,
      of_.threads == 1 ? "" : "s",
      of_.pipeline == 1 ? "" : fmt::format("{} ops in flight on each, ", of_.pipeline), of_.warm_up_s,
      of_.ended_by, of_.elapsed_s));
  if (of_.failure) lines += paragraph("failed: " + *of_.failure);
  return lines + "\n";
}

std::string load_report::throughput() const {
  auto line = fmt::format("  {:<13}{}, {} /s", "ops", grouped(of_.ops),
                          grouped(static_cast<std::uint64_t>(std::llround(of_.ops_per_s))));
  if (of_.bytes_out_per_s && of_.bytes_in_per_s) {
    line += fmt::format(", {} MB/s out, {} MB/s in", number(*of_.bytes_out_per_s / 1e6),
                        number(*of_.bytes_in_per_s / 1e6));
  }
  return line + "\n";
}

std::string load_report::latencies() const {
  if (!cell_.latency) return "";
  const auto* label = of_.schedule ? "service time, from the actual send" : "service time";
  return fmt::format("  {}\n", label) + latency_lines(*cell_.latency);
}

std::string load_report::latency_lines(const latency_summary& of) const {
  auto lines = fmt::format("    {:<11}{:>12}  {}\n", "us", "", "95 %, nearest rank, ceil(p*n)");
  lines += fmt::format("    {:<11}{:>12}  stddev {}\n", "mean", us(of.mean_ns), us(of.stddev_ns));
  lines += fmt::format("    {:<11}{:>12}\n", "min", us(static_cast<double>(of.min_ns)));
  for (const auto& each : of.percentiles) {
    const auto name = fmt::format("{:g} %", each.percent);
    if (each.ops_missing > 0) {
      lines += fmt::format("    {:<11}{:>12}  needs {} more ops\n", name, "-", grouped(each.ops_missing));
      continue;
    }
    const auto value = (each.at_least ? ">= " : "") + us(static_cast<double>(*each.ns));
    lines += fmt::format("    {:<11}{:>12}  {}\n", name, value, range(each.lo_ns, each.hi_ns, 1e3, number));
  }
  lines += fmt::format("    {:<11}{:>12}\n", "max", us(static_cast<double>(of.max_ns)));
  if (of.negative > 0)
    lines += paragraph(fmt::format("  {} ops ended before they began: the clock ran backwards", of.negative));
  return lines;
}

std::string load_report::schedule() const {
  if (!of_.schedule) return "";
  const auto& of = *of_.schedule;
  std::string lines;
  if (of.response) lines += "  response time, from the intended start\n" + latency_lines(*of.response);
  lines += fmt::format("  {:<13}mean {} us, max {} us behind the intended start\n", "schedule lag",
                       us(of.lag_mean_ns), us(static_cast<double>(of.lag_max_ns)));
  lines +=
      paragraph(fmt::format("response time counts from the moment that an op was due, service time from its "
                            "send: between the two it waits for "
                            "a free connection and for the client to wake up, {} us on average; a stall "
                            "counts for every op that was due in it",
                            us(of.lag_mean_ns)));
  if (!of.kept) {
    lines += bold(
        paragraph(fmt::format(
            "the rate of {:g} ops/s was not kept: {} ops/s were done, {} ops that were due had not been "
            "sent at the end{}",
            of.rate, grouped(static_cast<std::uint64_t>(std::llround(of_.ops_per_s))), grouped(of.backlog),
            of.never_sent == 0 ? ", and were sent then"
                               : fmt::format(", and {} of them never were: their response times are "
                                             "missing above, and would be longer",
                                             grouped(of.never_sent)))),
        colour_);
  }
  return lines;
}

std::string load_report::by_op() const {
  if (of_.by_op.empty()) return "";
  constexpr auto row = "  {:<20}{:>7}{:>13}{:>11}{:>11}{:>11}{:>11}\n";
  auto lines = fmt::format(row, "op", "weight", "ops", "mean us", "50 %", "99 %", "max");
  const auto percentile = [](const latency_summary& of, double percent) -> std::string {
    for (const auto& each : of.percentiles) {
      if (each.percent == percent && each.ns) return us(static_cast<double>(*each.ns));
    }
    return "-";
  };
  for (const auto& each : of_.by_op) {
    if (!each.latency) {
      lines += fmt::format(row, each.op, each.weight, 0, "-", "-", "-", "-");
      continue;
    }
    const auto& of = *each.latency;
    lines += fmt::format(row, each.op, each.weight, grouped(of.ops), us(of.mean_ns), percentile(of, 50),
                         percentile(of, 99), us(static_cast<double>(of.max_ns)));
  }
  return lines;
}

std::string load_report::costs() const {
  const auto& to = cell_.per_op;
  auto lines = fmt::format(
      "  {:<13}client {}, server {} us CPU; {} system calls; context switches {} voluntary, {} involuntary\n",
      "per op", microseconds(to.client_cpu_ns), microseconds(to.server_cpu_ns), count(to.syscalls),
      per_op(of_.voluntary_switches), per_op(of_.involuntary_switches));
  if (to.bytes_out) {
    lines += fmt::format("  {:<13}{} bytes out, {} in; {} frames out, {} in\n", "", count(to.bytes_out),
                         count(to.bytes_in), count(to.frames_out), count(to.frames_in));
  }
  if (of_.above_limit && of_.ops > 0) {
    lines += fmt::format(
        "  {:<13}{} ops ({:.3g} %) took longer than {:g} ms\n", "limit", grouped(*of_.above_limit),
        100 * static_cast<double>(*of_.above_limit) / static_cast<double>(of_.ops), *of_.latency_limit_ms);
  }
  return lines;
}

std::string load_report::connections() const {
  std::string lines;
  if (of_.connect_ns) {
    const auto& ns = *of_.connect_ns;
    lines += fmt::format(
        "  {:<13}{} made, ms each: min {}, median {}, max {}; log-in and preparing included, outside of the "
        "times above\n",
        "connections", grouped(of_.connects), number(ns.min / 1e6), number(ns.median / 1e6),
        number(ns.max / 1e6));
  }
  if (of_.ops_of_connection) {
    const auto& ops = *of_.ops_of_connection;
    lines += fmt::format("  {:<13}ops of each: min {:.0f}, median {:.0f}, max {:.0f}\n", "fairness", ops.min,
                         ops.median, ops.max);
  }
  return lines;
}

std::string load_report::errors() const {
  if (of_.errors.empty()) return fmt::format("  {:<13}none\n", "errors");
  std::string lines;
  for (const auto& each : of_.errors) {
    lines += fmt::format("  {:<13}{} {}", lines.empty() ? "errors" : "", grouped(each.count), each.kind) +
             "\n" + paragraph("  first: " + each.first);
  }
  lines += paragraph(fmt::format("{} ops given up, {} retried ({} retries); {} connections given up",
                                 grouped(of_.failed_ops), grouped(of_.retried_ops), grouped(of_.retries),
                                 grouped(of_.given_up)));
  return lines;
}

std::string load_report::limiter() const {
  if (!of_.client_cpus) return "";
  const auto percent = [](double cpus) { return fmt::format("{:.0f} %", 100 * cpus); };
  const double client = *of_.client_cpus;
  const double server = of_.server_cpus.value_or(0);
  const auto shares = fmt::format("client {} and server {} of one cpu", percent(client),
                                  of_.server_cpus ? percent(server) : std::string("unknown"));
  const bool one_cpu = cell_.what.placement == "same-cpu";
  if (of_.schedule && of_.schedule->kept)
    return paragraph("limited by the rate that was asked for: " + shares);
  if (one_cpu && client + server > 0.9)
    return paragraph("limited by the one cpu that both sides share: " + shares);
  if (client > 0.9 * static_cast<double>(of_.threads)) return paragraph("limited by client CPU: " + shares);
  if (server > 0.9) return paragraph("limited by server CPU: " + shares);
  return paragraph(
      "limited by waiting (wake-ups, the wire, the server's disk or locks), by neither side's CPU: " +
      shares);
}

std::string load_report::instrument() const {
  return paragraph(fmt::format("recording one latency costs {:.1f} ns, measured in this run", of_.record_ns));
}

}  // namespace

std::string report(const cell& measured, bool colour) {
  return load_report(measured, colour).text();
}

}  // namespace bench::load
