#pragma once
// The one model of what was measured. Everything that a report shows stands here; report_console and
// report_json only render it. What cannot be known is empty, never zero: 0 system calls is a claim.
//
// Units are in the names. All figures of a cell are per op; those of a round are totals of its timed ops.

#include "bench/calibration.hpp"
#include "bench/clock.hpp"
#include "bench/closure.hpp"
#include "bench/files_figures.hpp"
#include "bench/load/figures.hpp"
#include "bench/memory_figures.hpp"
#include "bench/peer.hpp"
#include "bench/sweep_figures.hpp"
#include "bench/verdict.hpp"
#include "bench/warning.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// What is measured: one client x peer x transport x parameters.
struct labels {
  std::string id;                        ///< unique in a result
  std::string op;                        ///< "ping"
  std::string rung;                      ///< floor | mem | unix | tcp0 | driver | real; sweep: null | real
  std::string client;                    ///< floor | raw | libmongoc | libpq
  std::string peer;                      ///< "null", or the real server's name and version
  std::string transport;                 ///< mem | unix | tcp
  std::string placement;                 ///< "same-cpu"
  std::optional<std::string> profile{};  ///< of a MongoDB null server: standalone | no-sessions | replica-set
  std::optional<std::int64_t> service_ns{};  ///< tcpD: what the null server was asked to take per request
  std::optional<std::string> delay_mode{};   ///< tcpD: "spin" or "sleep", how it lets that time pass
  std::string stamps{};                      ///< "wall" or "thread": the rounds hold stages by that clock
  std::optional<std::string> framing{};      ///< these five: sweep; how the protocol carries the file
  std::optional<std::string> direction{};    ///< "upload" or "download"
  std::optional<std::string> strategy{};     ///< how payload travels between its owner and the socket
  std::optional<std::int64_t> chunk_bytes{};
  std::optional<std::int64_t> payload_bytes{};  ///< of one op
};

/// What passed its limit in a round (noise.hpp). A flagged round stays in every figure.
struct round_flags {
  bool steal = false;
  bool pressure = false;
  bool taken = false;  ///< others held the cpu
  bool switches = false;
  bool faults = false;
  bool migrated = false;

  bool operator==(const round_flags&) const = default;
};

inline constexpr std::pair<const char*, bool round_flags::*> round_flag_names[] = {
    {"steal", &round_flags::steal},   {"pressure", &round_flags::pressure},
    {"taken", &round_flags::taken},   {"switches", &round_flags::switches},
    {"faults", &round_flags::faults}, {"migrated", &round_flags::migrated}};

/// A timed batch of ops of one cell. `row` counts from 0 over the whole run of the op, `position` within the
/// row's group. Rounds of two cells are a pair when they share row and group; they then have equal op counts.
struct round {
  std::uint64_t row = 0;
  std::uint64_t position = 0;
  std::uint64_t group = 0;           ///< row group by speed; 0 holds the fastest cells
  std::uint64_t connection_set = 0;  ///< grows by one each time all cells get fresh connections
  std::uint64_t process = 0;         ///< counts the fresh processes of a replicated run from 0
  std::uint64_t ops = 0;
  std::int64_t elapsed_ns = 0;

  std::int64_t client_cpu_ns = 0;  ///< of the measuring thread
  std::optional<std::int64_t>
      server_cpu_ns;                    ///< of the serving process; empty when it is this thread or remote
  std::int64_t voluntary_switches = 0;  ///< these four: of the measuring thread
  std::int64_t involuntary_switches = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;
  std::optional<std::int64_t> steal_ticks;  ///< these three: noise.hpp, since the round before
  std::optional<std::int64_t> pressure_us;
  std::optional<std::int64_t> migrations;
  int cpu_start = -1;
  int cpu_end = -1;
  round_flags flags;

  std::optional<traffic> moved;  ///< counted by the client, else by the peer
  std::optional<std::uint64_t> syscalls;
  std::optional<std::uint64_t> copied_bytes;   ///< payload that the client has copied in user space
  std::optional<std::uint64_t> round_trips;    ///< times that the client had sent all it had and waited
  std::optional<delay_tally> delayed;          ///< service time that the peer let pass, where it can
  std::optional<stage_times> stages;           ///< of stamped cells
  std::optional<std::int64_t> server_told_ns;  ///< the server's own account, of cells that ask for it
};

/// Figures per op over the rounds of the cell's own row group. Times and CPU are medians over rounds, with
/// the single 95 % sign interval of the median time; counts are exact where all rounds agree (a warning says
/// so if not).
struct figures {
  std::optional<double> median_ns;
  std::optional<double> lo_ns;
  std::optional<double> hi_ns;
  std::optional<double> client_cpu_ns;
  std::optional<double> server_cpu_ns;
  std::optional<double> frames_out;
  std::optional<double> frames_in;
  std::optional<double> bytes_out;
  std::optional<double> bytes_in;
  std::optional<double> syscalls;
  std::optional<double> copied_bytes;
  std::optional<double> round_trips;
};

/// What ops cost in units that do not depend on the weather, counted in passes of their own (bench/counting), never in
/// timed rounds. They order clients by work, not by time.
struct cell_counts {
  std::optional<double> instructions;     ///< per op, in user space, of the thread that runs the ops
  std::string instructions_by;            ///< "callgrind" or "perf_event"
  std::optional<double> allocations;      ///< per op, like the bytes: all threads, C libraries included
  std::optional<double> allocated_bytes;  ///< as asked for
  std::optional<std::int64_t>
      live_heap_peak_bytes;                       ///< of 16 ops (sweep: 2), above the warmed-up client's heap
  std::optional<std::int64_t> heap_growth_bytes;  ///< the same, what was still there after them
  std::optional<double> payload_copies_bytes;     ///< per op, in user space; our own clients alone tell
  std::optional<std::map<std::string, double>> syscalls_by_kind;  ///< per op, of that thread
  std::optional<std::int64_t> rss_peak_bytes;  ///< of the whole client process; socket buffers are not in it
  std::map<std::string, std::string> unknown;  ///< which of these could not be counted, and why
};

struct cell {
  labels what;
  std::uint64_t group = 0;  ///< its own row group; an anchor has rounds in slower groups as well
  std::vector<round> rounds;
  figures per_op;
  std::optional<latency_summary> latency{};  ///< of single ops, where they were timed (run)
  std::optional<load::figures> load{};       ///< of a tight loop (run)
  std::optional<cell_counts> counts{};       ///< empty when no counting pass was asked for
};

/// The question that a comparison answers.
enum class question {
  aa,           ///< raw against itself: what this run cannot tell apart
  floor,        ///< what the raw client costs over bare send and recv
  layer,        ///< what a rung adds to the one below it
  overhead,     ///< what a driver costs over the raw client
  server,       ///< what a real server costs over the null server
  dispatch,     ///< the same on an op for which it has nothing to do
  work,         ///< what the op costs a real server over that noop
  interaction,  ///< client x peer: whether a driver costs more on the real server than on the null server
  first_row,    ///< what a cell of a sweep costs over the first one
};

/// Cell `b` against cell `a`, paired by row. Of an interaction `a` is the driver on the null server and `b` the driver on
/// the real one; the difference is (driver - raw on the real server) - (driver - raw on the null server), and the ratio is
/// b over what it would be if that difference were zero. Intervals are single 95 % sign intervals; the verdict is taken
/// at the level that its table's number of comparisons asks for (Bonferroni). Empty where there were too few
/// rows.
struct comparison {
  question asks = question::overhead;
  std::string op;
  std::string a;  ///< cell ids
  std::string b;
  std::optional<double> ratio;  ///< time of b over time of a
  std::optional<double> lo;
  std::optional<double> hi;
  double level = 0.95;             ///< nominal
  std::optional<double> coverage;  ///< achieved, at least the level
  std::optional<double> difference_ns;
  std::optional<double> difference_lo_ns;
  std::optional<double> difference_hi_ns;
  std::optional<double> floor_units;  ///< difference over the floor's time in the same rows
  std::optional<double> floor_units_lo;
  std::optional<double> floor_units_hi;
  std::uint64_t rows = 0;
  std::uint64_t tied = 0;  ///< rows in which both rounds took the same time to the clock's resolution
  std::optional<double> effective_rows;  ///< how many independent rows these are worth; at most `rows`
  bool by_connection_set = false;        ///< the sample is the medians of connection sets instead of rows
  bool by_process = false;               ///< the sample is the medians of processes instead of rows
  verdict says = verdict::inconclusive;
};

/// Whose time an op's time is: that of one cell, by inverse calibration, with what speaks for it and against it. All
/// figures per op.
struct attribution {
  std::string op;
  std::string cell;                       ///< id of the raw cell whose time is attributed
  std::optional<estimate> total_ns;       ///< its time
  std::optional<calibration> calibrated;  ///< client and kernel, round trips, really waiting, server

  std::optional<estimate> server_lo_ns;  ///< S_lo: what the server tells itself, less its resolution
  std::optional<estimate>
      server_hi_ns;     ///< S_hi: from the client's last send to the first byte of the answer
  std::string told_by;  ///< where S_lo comes from and what it contains, or why there is none

  std::optional<stage_figures> stages_ns;      ///< by the wall clock
  std::optional<stage_figures> stages_cpu_ns;  ///< the part of them on the cpu
  std::optional<estimate> residual_ns;         ///< time of rounds without stamps, less all stages
  std::optional<double> client_cpu_ns;         ///< of rounds without stamps

  closure judged;
  std::vector<std::string> biases;  ///< that the method has here
};

/// Totals of one document test through one client: all rounds of its cell together, and what rounds do not hold.
struct docs_row {
  std::string cell;  ///< id
  std::uint64_t threads = 0;
  std::uint64_t batch = 0;           ///< documents per command
  std::uint64_t document_bytes = 0;  ///< of one document
  std::uint64_t documents = 0;       ///< inserted, changed or found
  std::uint64_t payload_bytes = 0;   ///< of those documents; of changed ones what was to be told
  std::uint64_t errors = 0;          ///< commands that the server refused
  std::int64_t elapsed_ns = 0;
  std::optional<std::uint64_t> bytes_out;  ///< counted by the client, else by the peer
  std::optional<std::uint64_t> bytes_in;
  std::optional<std::uint64_t> stored_bytes;  ///< the collection after the test, as the server tells
  std::int64_t client_cpu_ns = 0;             ///< of all threads
  std::optional<std::int64_t> server_cpu_ns;
};

enum class ended_by { budget, precision, rows, stop, failure };

/// How the rows of one op were laid out and why they ended.
struct op_plan {
  struct row_group {
    std::vector<std::string> cells;  ///< ids
    std::uint64_t ops_per_round = 0;
  };
  std::string op;
  std::vector<row_group> groups;
  std::uint64_t rows = 0;
  std::uint64_t processes = 1;  ///< that ran them one after the other; budget and rows are of all of them
  bool balanced = true;         ///< every cell stood equally often in every position
  double budget_s = 0;
  double elapsed_s = 0;  ///< warm-up and reconnects included
  ended_by reason = ended_by::budget;
  std::optional<double>
      aa_floor;         ///< |ln ratio| that raw against raw does not exclude: smaller effects are noise
  std::string failure;  ///< the sentence that ended the run; empty unless reason is failure
};

struct plan {
  std::uint64_t seed = 0;
  int cpu = -1;
  double delta = 0.02;  ///< threshold of the verdicts
  std::vector<op_plan> ops;
};

struct result {
  std::vector<std::pair<std::string, std::string>> context;  ///< in print order
  clock_record clock;
  bench::plan plan;
  std::vector<cell> cells;
  std::vector<comparison> comparisons;
  std::vector<attribution> attributions;
  std::vector<docs_row> docs;          ///< of `docs` alone
  std::vector<files_row> files;        ///< of `files` alone
  std::optional<sweep_figures> sweep;  ///< of `sweep` alone
  std::vector<memory_row> memory;      ///< of `suite gridfs-memory` and `put` alone
  std::vector<warning> warnings;
};

const char* name(question asks);
const char* name(ended_by reason);

/// The cell with that id, or null. Valid until `cells` changes.
const cell* find_cell(const std::vector<cell>& cells, const std::string& id);

/// Two modes among the round times of the cell's own group, where there are.
std::optional<modes> modes_of(const cell& measured);

/// Fills `per_op` from `rounds`. A cell without rounds keeps empty figures.
void summarize(cell& measured);

}  // namespace bench
