#include "bench/docs_crew.hpp"

#include "bench/clock.hpp"

#include <algorithm>

namespace bench {

using workloads::docs_share;

void docs_crew::member::do_share() {
  tally = {};
  const auto used_before = read_usage(std::nullopt);
  began_ns = now_ns();
  status = works->run(share, tally);
  ended_ns = now_ns();
  used = read_usage(std::nullopt) - used_before;
}

docs_crew::docs_crew(std::vector<client> clients)
    : start_(static_cast<std::ptrdiff_t>(clients.size()) + 1),
      finish_(static_cast<std::ptrdiff_t>(clients.size()) + 1) {
  for (auto& one : clients) members_.push_back({.works = std::move(one)});
  if (members_.size() == 1) return;
  for (auto& one : members_) {
    threads_.emplace_back([this, &one] {
      while (true) {
        start_.arrive_and_wait();
        if (leaving_) return;
        one.do_share();
        finish_.arrive_and_wait();
      }
    });
  }
}

docs_crew::~docs_crew() {
  if (threads_.empty()) return;
  leaving_ = true;
  start_.arrive_and_wait();
  for (auto& one : threads_) one.join();
}

docs_crew::outcome docs_crew::run(const docs_share& share) {
  const auto count = share.end - share.begin;
  const auto place = [&](std::size_t of) { return share.begin + count * of / members_.size(); };
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].share = {share.test, place(i), place(i + 1), share.pass};
  }
  if (threads_.empty()) {
    members_.front().do_share();
  } else {
    start_.arrive_and_wait();
    finish_.arrive_and_wait();
  }
  return summed();
}

docs_crew::outcome docs_crew::summed() const {
  outcome all;
  auto began = members_.front().began_ns;
  auto ended = members_.front().ended_ns;
  for (const auto& one : members_) {
    began = std::min(began, one.began_ns);
    ended = std::max(ended, one.ended_ns);
    all.used.client_cpu_ns += one.used.client_cpu_ns;
    all.used.voluntary_switches += one.used.voluntary_switches;
    all.used.involuntary_switches += one.used.involuntary_switches;
    all.used.minor_faults += one.used.minor_faults;
    all.used.major_faults += one.used.major_faults;
    all.tally.documents += one.tally.documents;
    all.tally.payload_bytes += one.tally.payload_bytes;
    all.tally.errors += one.tally.errors;
    if (all.tally.first_error.empty()) all.tally.first_error = one.tally.first_error;
    all.status.Update(one.status);
  }
  all.elapsed_ns = ended - began;
  return all;
}

std::optional<std::uint64_t> docs_crew::syscalls() const {
  std::uint64_t all = 0;
  for (const auto& one : members_) {
    const auto own = one.works->syscalls();
    if (!own) return std::nullopt;
    all += *own;
  }
  return all;
}

std::optional<traffic> docs_crew::counted() const {
  traffic all;
  for (const auto& one : members_) {
    const auto own = one.works->counted();
    if (!own) return std::nullopt;
    all.frames_out += own->frames_out;
    all.frames_in += own->frames_in;
    all.bytes_out += own->bytes_out;
    all.bytes_in += own->bytes_in;
  }
  return all;
}

}  // namespace bench
