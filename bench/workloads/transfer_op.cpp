#include "bench/workloads/transfer_op.hpp"

#include "wire/status.hpp"
#include "wire/strategy/memory_sink.hpp"
#include "wire/strategy/source.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::workloads {
namespace {

using needs = wire::source_strategy::kind;

const wire::source_strategy& source_of(std::string_view strategy) {
  return *std::ranges::find(wire::source_strategies(), strategy, &wire::source_strategy::name);
}

}  // namespace

transfer_op::transfer_op(const transfer& what, transfer_payload& payload, wire::channel& channel)
    : what_(what), payload_(payload), channel_(channel), receiving_(wire::find_receiving(what.strategy)) {}

absl::Status transfer_op::make_ready() {
  if (receiving_ != nullptr) {
    const auto problem = wire::receive_by(channel_, *receiving_);
    if (!problem.empty()) return absl::UnavailableError(problem);
  }
  return prepare();
}

absl::Status transfer_op::run(std::uint64_t ops) {
  for (std::uint64_t i = 0; i < ops; ++i) {
    auto status = what_.way == direction::upload ? upload() : download();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

std::optional<std::uint64_t> transfer_op::syscalls() const {
  return channel_.counters().syscalls() + ends_.syscalls;
}

std::optional<std::uint64_t> transfer_op::copied_bytes() const {
  return channel_.copied_bytes() + ends_.copied_bytes;
}

std::optional<traffic> transfer_op::counted() const {
  const auto& counters = channel_.counters();
  return traffic{.frames_out = counters.frames_out,
                 .frames_in = counters.frames_in,
                 .bytes_out = counters.bytes_out,
                 .bytes_in = counters.bytes_in};
}

absl::Status transfer_op::move(codecs::exchange& by, wire::source& from) {
  return outcome(wire::move(channel_, by, from));
}

absl::Status transfer_op::move(codecs::exchange& by, wire::sink& to) {
  return outcome(wire::move(channel_, by, to));
}

wire::made_source transfer_op::any_source() {
  return wire::make_source("gather", payload_.memory());
}

absl::Status transfer_op::upload() {
  const auto& strategy = source_of(what_.strategy);
  const auto owner = strategy.needs == needs::file ? wire::owner(wire::file_path{payload_.file()})
                                                   : wire::owner(payload_.memory());
  auto made = wire::make_source(strategy.name, owner);
  if (!made.source) return absl::UnavailableError(made.problem);
  auto status = send(*made.source);
  note(made.source->counters());
  return status;
}

absl::Status transfer_op::download() {
  if (receiving_ == nullptr) return download_to(wire::discard_sink());
  return receiving_->needs_file ? download_to_file() : download_to(wire::memory_sink(payload_.room()));
}

absl::Status transfer_op::download_to_file() {
  const auto file = receiving_->make_file();
  auto status = file->open(payload_.received()) ? download_to(std::move(*file)) : absl::OkStatus();
  if (status.ok() && !file->close(wire::file_sink::durability::page_cache))
    status = absl::UnavailableError(fmt::format("{}: {}", what_.how->name, file->why()));
  return status;
}

absl::Status transfer_op::download_to(wire::sink&& to) {
  auto status = receive(to);
  note(to.counters());
  const auto bytes = to.counters().payload_bytes;
  if (!status.ok() || bytes == payload_.file_bytes()) return status;
  return absl::DataLossError(
      fmt::format("{}: {} bytes came where the file has {}", what_.how->name, bytes, payload_.file_bytes()));
}

absl::Status transfer_op::outcome(const wire::transfer_outcome& ended) const {
  return wire::to_status(ended.error, std::string(what_.how->name), ended.why);
}

void transfer_op::note(const wire::end_counters& end) {
  ends_.syscalls += end.syscalls;
  ends_.copied_bytes += end.copied_bytes;
}

}  // namespace bench::workloads
