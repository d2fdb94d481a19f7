#include "bench/load/findings.hpp"

#include "bench/load/recording.hpp"
#include "bench/standstill.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::load {
namespace {

class finding {
 public:
  explicit finding(const cell& measured) : cell_(measured), of_(*measured.load) {}

  std::vector<warning> all() {
    if (of_.threads > 1 && cell_.what.placement == "unpinned") place();
    if (of_.delayed_ack_share) delayed_acks();
    if (const auto stood = standstill_of(cell_); stood && !of_.schedule) standstills(*stood);
    if (of_.schedule && !of_.schedule->kept) rate();
    if (!of_.schedule && of_.closed_loop_share > 1) little();
    if (of_.ops > 0 && of_.elapsed_s < of_.warm_up_s && of_.ended_by == "count") too_short();
    if (of_.failed_ops > 0) errors();
    for (const auto& each : of_.errors) {
      if (each.kind == no_free_port) ports(each.count);
    }
    return std::move(found_);
  }

 private:
  void add(const char* code, std::string number, const char* cause, const char* remedy,
           std::string flag = {}) {
    found_.push_back({code, std::move(number), cause, remedy, {}, std::move(flag)});
  }

  void place() {
    add("W-PLACE", fmt::format("{} threads", of_.threads),
        "they ran on any cpu, so that times contain wake-ups and moves", "name a cpu for both sides",
        "--cpu N");
  }
  void delayed_acks() {
    add("W-ACK", fmt::format("{:.1f} % of ops near 40 ms", 100 * *of_.delayed_ack_share),
        "small writes without TCP_NODELAY wait for a delayed ACK: TCP's time, not the server's",
        "set TCP_NODELAY on both sides");
  }
  void standstills(const standstill& stood) {
    add("W-FROZEN",
        fmt::format("{} of {} rounds, {:.2f} s together", stood.rounds, cell_.rounds.size(), stood.ns / 1e9),
        "no connection made progress, and neither side used the cpu; in a closed loop that is a few slow "
        "samples, and all the "
        "ops that would have been sent meanwhile are missing from the percentiles",
        "see whether the server was stopped, swapped out, or waited for its disk; an open loop counts them",
        "--rate OPS");
  }
  void rate() {
    add("W-RATE", fmt::format("{:.0f} of {:g} ops/s", of_.ops_per_s, of_.schedule->rate),
        "the rate was not kept, so that response times grow with the length of the run",
        "lower it or add connections", "--connections " + std::to_string(2 * of_.connections));
  }
  void little() {
    add("W-LITTLE", fmt::format("{:.4f} times connections x elapsed", of_.closed_loop_share),
        "the latencies add up to more time than there was", "do not trust them, and report this");
  }
  void too_short() {
    add("W-SHORT", fmt::format("{:.3f} s", of_.elapsed_s), "measured for less time than was warmed up",
        "raise --count");
  }
  void errors() {
    const bool passing =
        std::any_of(of_.errors.begin(), of_.errors.end(), [](const auto& each) { return passes(each.kind); });
    add("W-ERRORS", fmt::format("{} ops", of_.failed_ops), "they failed and are in no latency",
        passing ? "see the errors by kind; those that pass can be tried again" : "see the errors by kind",
        passing ? "--max-tries 3" : "");
  }
  void ports(std::uint64_t count) {
    add("W-PORTS", fmt::format("{} connections", count),
        "every local port was in use, most of them in TIME_WAIT: the client's limit, not the server's "
        "failure; SO_REUSEADDR "
        "is no help",
        "keep connections, connect from several addresses (127.0.0.x), or close with a reset",
        "--reconnect-every " + std::to_string(10 * std::max<std::uint64_t>(of_.reconnect_every, 1)));
  }

  const cell& cell_;
  const figures& of_;
  std::vector<warning> found_;
};

}  // namespace

std::vector<warning> doubts(const cell& measured) {
  return finding(measured).all();
}

}  // namespace bench::load
