#include "bench/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr double us = 1e3;
constexpr double cpu_tolerance = 0.05;

double low(const estimate& of) {
  return of.range ? of.range->lo : of.value;
}

double high(const estimate& of) {
  return of.range ? of.range->hi : of.value;
}

/// The tests, one after the other, and what they found.
class examination {
 public:
  explicit examination(const closure_evidence& evidence) : evidence_(evidence) {}

  closure concluded() {
    if (calibrated()) {
      check_bounds();
      check_slope();
      check_sooner();
    }
    check_stages();
    check_cpu();
    found_.closed = found_.reasons.empty();
    if (found_.closed) widen(std::abs(evidence_.residual_ns->value));
    return std::move(found_);
  }

 private:
  void widen(double gap_ns) {
    found_.unexplained_ns = std::max(found_.unexplained_ns.value_or(0), gap_ns);
    found_.unexplained_share = *found_.unexplained_ns / evidence_.total_ns;
  }

  void fail(double gap_ns, std::string sentence) {
    widen(gap_ns);
    found_.reasons.push_back(std::move(sentence));
  }

  /// For tests of the op's time, a gap that raw against raw shows as well is none.
  void fail_unless_noise(double gap_ns, std::string sentence) {
    if (gap_ns > evidence_.aa_ns) fail(gap_ns, std::move(sentence));
  }

  bool calibrated() {
    if (!evidence_.calibrated) {
      found_.reasons.emplace_back("server time was not calibrated");
    } else if (!evidence_.calibrated->trouble.empty()) {
      found_.reasons.push_back(evidence_.calibrated->trouble);
    } else {
      return true;
    }
    return false;
  }

  void check_bounds() {
    const auto& middle = *evidence_.calibrated->server_ns;
    const auto &lo = evidence_.server_lo_ns, &hi = evidence_.server_hi_ns;
    if (!lo) {
      found_.unchecked.emplace_back("server time has no lower bound: the server does not report this op");
    } else if (low(*lo) > high(middle)) {
      fail_unless_noise(lo->value - middle.value,
                        fmt::format("the server reports {:.1f} us of its own, calibration finds {:.1f} us",
                                    lo->value / us, middle.value / us));
    }
    if (!hi) {
      found_.unchecked.emplace_back("server time has no upper bound: the client's wait was not stamped");
    } else if (low(middle) > high(*hi)) {
      fail_unless_noise(middle.value - hi->value,
                        fmt::format("calibration finds {:.1f} us of server time, the client waited {:.1f} us",
                                    middle.value / us, hi->value / us));
    }
  }

  void check_slope() {
    const auto& k = *evidence_.calibrated->slope;
    const double whole = std::max(1.0, std::round(k.value));
    if (low(k) <= whole && whole <= high(k)) return;
    fail_unless_noise(
        std::abs(k.value - whole) * evidence_.calibrated->service_ns->value,
        fmt::format("{:.3f} [{:.3f}, {:.3f}] sequential round trips per op are no whole number: some are "
                    "hidden, client and server overlap, or waiting costs the more the longer it lasts",
                    k.value, low(k), high(k)));
  }

  /// No server takes less than no time.
  void check_sooner() {
    const auto& waiting = *evidence_.calibrated->waiting_ns;
    if (evidence_.calibrated->service_ns->value > 0 || high(waiting) >= 0) return;
    fail_unless_noise(
        -waiting.value,
        fmt::format("the real server answers {:.1f} us sooner than the null server", -waiting.value / us));
  }

  void check_stages() {
    const auto& r = evidence_.residual_ns;
    if (!r || !r->range) {
      found_.reasons.emplace_back(r ? "the stages have no interval: too few rows" : "no stages were stamped");
    } else if (r->range->lo > 0 || r->range->hi < 0) {
      fail_unless_noise(std::abs(r->value),
                        fmt::format("the op takes {:.1f} us {} than its stages", std::abs(r->value) / us,
                                    r->value > 0 ? "longer" : "less"));
    }
  }

  /// CPU time is no part of the time that the A/A floor is a share of: its own tolerance is all it gets.
  void check_cpu() {
    const auto &thread = evidence_.thread_cpu_ns, &stages = evidence_.stages_cpu_ns;
    if (!thread || !stages) {
      found_.unchecked.emplace_back("CPU time was not split into stages");
    } else if (const double gap = std::abs(*thread - *stages); gap > cpu_tolerance * *thread) {
      fail(gap,
           fmt::format("the thread used {:.1f} us of CPU, its stages {:.1f} us", *thread / us, *stages / us));
    }
  }

  const closure_evidence& evidence_;
  closure found_;
};

}  // namespace

closure close_attribution(const closure_evidence& evidence) {
  return examination(evidence).concluded();
}

}  // namespace bench
