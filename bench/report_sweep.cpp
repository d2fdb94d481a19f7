#include "bench/report_sweep.hpp"

#include "bench/pareto.hpp"
#include "bench/report_text.hpp"
#include "bench/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr double mib = 1024 * 1024;
constexpr double kib = 1024;

double payload(const cell& one) {
  return static_cast<double>(one.what.payload_bytes.value_or(0));
}

double chunk(const cell& one) {
  return static_cast<double>(one.what.chunk_bytes.value_or(0));
}

/// MiB/s at a time per op.
std::optional<double> rate(const cell& one, const std::optional<double>& ns) {
  if (!ns || *ns <= 0) return std::nullopt;
  return payload(one) / mib / *ns * 1e9;
}

std::optional<double> per(double unit, const cell& one, const std::optional<double>& of_op) {
  if (!of_op || payload(one) <= 0) return std::nullopt;
  return *of_op / payload(one) * unit;
}

std::string shown(const std::optional<double>& value) {
  return value ? number(*value) : "-";
}

std::string of_client(const cell& one) {
  return one.what.client == "raw" ? one.what.strategy.value_or("") : one.what.client;
}

std::string subject(const cell& one) {
  return fmt::format("{} {}{}", one.what.framing.value_or(""), of_client(one),
                     one.what.rung == "real" ? ", real" : "");
}

/// How many times as fast as the first row, which `pair` has as times.
std::string over_first(const comparison* pair) {
  const auto inverse = [](const std::optional<double>& ratio) {
    return ratio ? std::optional(1 / *ratio) : std::nullopt;
  };
  return pair == nullptr
             ? "1"
             : with_range(inverse(pair->ratio), inverse(pair->hi), inverse(pair->lo), 1, ratio_number);
}

const comparison* against_first(const result& measured, const cell& one) {
  const auto found = std::ranges::find(measured.comparisons, one.what.id, &comparison::b);
  return found == measured.comparisons.end() ? nullptr : &*found;
}

constexpr auto line = "{} {:<8}{:<10}{:>5} {:>20}{:>7}{:>7}{:>10}{:>6}{:>6}{:>7} {:>20}\n";

std::string table_head() {
  return fmt::format(line, " ", "", "", "", "", "client", "server", "frames", "", "calls", "", "") +
         fmt::format(line, " ", "framing", "strategy", "chunk", "MiB/s", "ns/KiB", "ns/KiB", "out/in",
                     "trips", "/MiB", "copies", "x the first row");
}

std::string table_row(const result& measured, const cell& one, bool best) {
  const auto& figures = one.per_op;
  return fmt::format(
      line, best ? "*" : " ", one.what.framing.value_or(""), of_client(one),
      size_name(one.what.chunk_bytes.value_or(0)),
      with_range(rate(one, figures.median_ns), rate(one, figures.hi_ns), rate(one, figures.lo_ns), 1, number),
      shown(per(kib, one, figures.client_cpu_ns)), shown(per(kib, one, figures.server_cpu_ns)),
      fmt::format("{}/{}", count(figures.frames_out), count(figures.frames_in)), count(figures.round_trips),
      shown(per(mib, one, figures.syscalls)), count(per(1, one, figures.copied_bytes)),
      over_first(against_first(measured, one)));
}

/// What the chunks of one client cost.
std::string fit_lines(const chunk_series& series) {
  const auto& first = *series.cells.front();
  if (!series.fit.ok())
    return paragraph(
        fmt::format("{}: no fit: {}", subject(first), std::string(series.fit.status().message())));
  const auto& fit = *series.fit;
  std::string residuals;
  for (std::size_t i = 0; i < series.cells.size(); ++i) {
    residuals +=
        fmt::format("{}{} {:+.1f} %", i == 0 ? "" : ", ",
                    size_name(series.cells[i]->what.chunk_bytes.value_or(0)), 100 * fit.residuals[i]);
  }
  const auto knee = fit.knee_bytes();
  const auto where =
      !knee ? std::string("no knee: larger chunks do not pay")
      : *knee < fit.smallest_bytes || *knee > fit.largest_bytes
          ? fmt::format("chunks and bytes cost the same at {:.0f} KiB, outside of what was measured",
                        *knee / kib)
          : fmt::format("chunks and bytes cost the same at {:.0f} KiB", *knee / kib);
  return paragraph(fmt::format("{}: {} us per chunk, {} ns per byte; {}; off the line by {}", subject(first),
                               number(fit.alpha_ns / 1e3), ratio_number(fit.beta_ns), where, residuals));
}

/// One line for all of them where none has enough sizes.
std::string fits(const sweep_table& table) {
  const auto all = chunk_series_of(table);
  const auto& why = all.front().fit.status();
  const auto as_first = [&why](const chunk_series& series) { return series.fit.status() == why; };
  if (!why.ok() && std::ranges::all_of(all, as_first))
    return paragraph(fmt::format("what a chunk costs is not known: {}", std::string(why.message())));
  std::string lines;
  for (const auto& series : all) lines += fit_lines(series);
  return lines;
}

/// What each client has needed in a process of its own, where that was counted.
std::string memory_table(const sweep_table& table) {
  constexpr auto columns = "  {:<8}{:<10}{:>5} {:>12}{:>12}{:>12}{:>9}\n";
  const auto mebibytes = [](const std::optional<std::int64_t>& bytes) {
    return bytes ? number(static_cast<double>(*bytes) / mib) : "-";
  };
  std::string rows, unknown;
  for (const auto* one : table) {
    if (!one->counts) continue;
    const auto& counts = *one->counts;
    rows += fmt::format(columns, one->what.framing.value_or(""), of_client(*one),
                        size_name(one->what.chunk_bytes.value_or(0)), mebibytes(counts.live_heap_peak_bytes),
                        mebibytes(counts.heap_growth_bytes), count(counts.allocations),
                        mebibytes(counts.rss_peak_bytes));
    for (const auto& [kind, why] : counts.unknown) {
      const auto sentence = paragraph(fmt::format("not counted, {}: {}", kind, why));
      if (unknown.find(sentence) == std::string::npos) unknown += sentence;
    }
  }
  if (rows.empty()) return {};
  return "\n" + fmt::format(columns, "counted", "apart", "", "heap peak", "growth", "allocations", "RSS") +
         fmt::format(columns, "", "", "", "MiB", "MiB", "per file", "MiB") + rows + unknown +
         paragraph(
             "each row is a process of its own; heap: above a client that has moved a file; RSS: of the "
             "whole "
             "process, the payload of one file included");
}

std::string heading(const result& measured, const cell& one, bool colour) {
  std::string how;
  for (const auto& [key, fact] : measured.context) {
    if (key == "transfers") how = ", " + fact;
  }
  return bold(fmt::format("{} of {} on {}", one.what.op, size_name(one.what.payload_bytes.value_or(0)),
                          one.what.rung),
              colour) +
         "\n" +
         paragraph(fmt::format("against {}, {}; both sides on cpu {}{}", one.what.peer, one.what.placement,
                               measured.plan.cpu, how));
}

std::string warnings_of(const result& measured, const std::string& op) {
  std::string lines;
  for (const auto& doubt : measured.warnings) {
    if (doubt.op == op) lines += warning_lines(doubt);
  }
  return lines;
}

std::string again_line(const result& measured, const std::string& op) {
  for (const auto& pair : measured.comparisons) {
    if (pair.op != op || pair.asks != question::aa) continue;
    return paragraph(fmt::format(
        "the first row again is {} x the first row: less than that is noise; {} rows, interleaved",
        over_first(&pair), pair.rows));
  }
  return {};
}

}  // namespace

bool is_sweep(const result& measured) {
  return std::ranges::any_of(measured.cells, [](const cell& one) { return one.what.framing.has_value(); });
}

std::vector<sweep_table> sweep_tables(const result& measured) {
  std::vector<sweep_table> tables;
  for (const auto& one : measured.cells) {
    if (!one.what.framing || one.what.id.ends_with("/again")) continue;
    const auto same = [&](const sweep_table& table) {
      return table.front()->what.op == one.what.op && table.front()->what.rung == one.what.rung;
    };
    const auto found = std::ranges::find_if(tables, same);
    if (found == tables.end()) {
      tables.push_back({&one});
    } else {
      found->push_back(&one);
    }
  }
  return tables;
}

std::vector<chunk_series> chunk_series_of(const sweep_table& table) {
  std::vector<chunk_series> all;
  for (const auto* one : table) {
    const auto found = std::ranges::find_if(
        all, [one](const chunk_series& series) { return subject(*series.cells.front()) == subject(*one); });
    if (found == all.end()) {
      all.push_back({{one}, absl::InvalidArgumentError("")});
    } else {
      found->cells.push_back(one);
    }
  }
  for (auto& series : all) {
    std::vector<chunk_point> points;
    for (const auto* one : series.cells) {
      if (!one->per_op.median_ns) continue;
      points.push_back(
          {chunk(*one), std::ceil(payload(*one) / chunk(*one)), payload(*one), *one->per_op.median_ns});
    }
    series.fit = fit_chunks(points);
  }
  return all;
}

std::set<std::string> best_of(const sweep_table& table) {
  std::vector<trade> choices;
  std::vector<std::string> ids;
  for (const auto* one : table) {
    const auto throughput = rate(*one, one->per_op.median_ns);
    if (!throughput || !one->per_op.client_cpu_ns || one->what.client == floor_strategy) continue;
    choices.push_back({*throughput, *one->per_op.client_cpu_ns});
    ids.push_back(one->what.id);
  }
  std::set<std::string> best;
  const auto flags = pareto_best(choices);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (flags[i]) best.insert(ids[i]);
  }
  return best;
}

sweep_figures sweep_figures_of(const result& measured) {
  sweep_figures all;
  for (const auto& table : sweep_tables(measured)) {
    for (const auto& series : chunk_series_of(table)) {
      auto& told = all.fits.emplace_back();
      for (const auto* one : series.cells) told.cells.push_back(one->what.id);
      if (series.fit.ok()) {
        told.alpha_ns = series.fit->alpha_ns;
        told.beta_ns = series.fit->beta_ns;
        told.knee_bytes = series.fit->knee_bytes();
        told.residuals = series.fit->residuals;
      } else {
        told.trouble = std::string(series.fit.status().message());
      }
    }
    const auto best = best_of(table);
    for (const auto* one : table) {
      if (best.contains(one->what.id)) all.best.push_back(one->what.id);
    }
  }
  return all;
}

std::string report_sweep(const result& measured, bool colour) {
  std::string text = warnings_of(measured, "");
  for (const auto& table : sweep_tables(measured)) {
    const auto& first = *table.front();
    const auto best = best_of(table);
    text += (text.empty() ? "" : "\n") + heading(measured, first, colour) +
            warnings_of(measured, first.what.op) + "\n" + table_head();
    for (const auto* one : table) text += table_row(measured, *one, best.contains(one->what.id));
    text += "\n" +
            paragraph(
                "* no other row but floor is as fast for less client CPU. calls: system calls of the client; "
                "copies: "
                "of each payload byte in user space, by the client; trips: times it had sent all and waited");
    text += again_line(measured, first.what.op);
    text += fits(table) + memory_table(table);
  }
  return text + "\n";
}

}  // namespace bench
