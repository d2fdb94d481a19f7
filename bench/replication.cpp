#include "bench/replication.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench {
namespace {

op_plan* find_op(result& in, const std::string& name) {
  auto& ops = in.plan.ops;
  const auto found = std::find_if(ops.begin(), ops.end(), [&](const op_plan& op) { return op.op == name; });
  return found == ops.end() ? nullptr : &*found;
}

bool same_groups(const op_plan& a, const op_plan& b) {
  return std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                    [](const auto& left, const auto& right) { return left.cells == right.cells; });
}

/// What the first row, connection set and process of the next process are counted from.
struct offsets {
  std::uint64_t row = 0;
  std::uint64_t connection_set = 0;
  std::uint64_t process = 0;
};

offsets behind(const result& whole, const op_plan& op) {
  offsets next{.row = op.rows};
  for (const auto& one : whole.cells) {
    if (one.what.op != op.op || one.rounds.empty()) continue;
    next.connection_set = std::max(next.connection_set, one.rounds.back().connection_set + 1);
    next.process = std::max(next.process, one.rounds.back().process + 1);
  }
  return next;
}

void append_cells(result& whole, const result& one, const std::string& op, const offsets& next) {
  for (const auto& measured : one.cells) {
    if (measured.what.op != op) continue;
    const auto found = std::find_if(whole.cells.begin(), whole.cells.end(),
                                    [&](const cell& known) { return known.what.id == measured.what.id; });
    const bool is_new = found == whole.cells.end();
    auto& to =
        is_new ? whole.cells.emplace_back(cell{.what = measured.what, .group = measured.group}) : *found;
    for (auto timed : measured.rounds) {
      timed.row += next.row;
      timed.connection_set += next.connection_set;
      timed.process = next.process;
      to.rounds.push_back(timed);
    }
  }
}

}  // namespace

absl::Status append_process(result& whole, const result& one) {
  for (const auto& op : one.plan.ops) {
    const auto* known = find_op(whole, op.op);
    if (known != nullptr && !same_groups(*known, op)) {
      return absl::FailedPreconditionError(
          fmt::format("{} fell into other row groups than in the processes before", op.op));
    }
  }
  for (const auto& op : one.plan.ops) {
    auto* to = find_op(whole, op.op);
    if (to == nullptr) {
      append_cells(whole, one, op.op, {});
      whole.plan.ops.push_back(op);
      continue;
    }
    append_cells(whole, one, op.op, behind(whole, *to));
    to->rows += op.rows;
    to->balanced = to->balanced && op.balanced;
    to->budget_s += op.budget_s;
    to->elapsed_s += op.elapsed_s;
    to->reason = op.reason;
    to->failure = op.failure;
    ++to->processes;
  }
  return absl::OkStatus();
}

}  // namespace bench
