#include "wire/pipeline.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <time.h>

#include <cerrno>

namespace wire {
namespace {

struct reading {
  channel_counters channel;
  end_counters end;
  std::uint64_t copied_bytes;
  std::int64_t cpu_ns;
  rusage usage;
};

reading read(const channel& over, const pipeline_end& end) {
  timespec cpu;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  reading now{over.counters(),
              end.counters(),
              over.copied_bytes(),
              std::int64_t{cpu.tv_sec} * 1'000'000'000 + cpu.tv_nsec,
              {}};
  ::getrusage(RUSAGE_THREAD, &now.usage);
  return now;
}

transfer_report difference(const reading& from, const reading& to) {
  return {
      .payload_bytes = to.end.payload_bytes - from.end.payload_bytes,
      .wire_bytes_out = to.channel.bytes_out - from.channel.bytes_out,
      .wire_bytes_in = to.channel.bytes_in - from.channel.bytes_in,
      .frames_out = to.channel.frames_out - from.channel.frames_out,
      .frames_in = to.channel.frames_in - from.channel.frames_in,
      .socket_calls = to.channel.syscalls() - from.channel.syscalls(),
      .end_calls = to.end.syscalls - from.end.syscalls,
      .copied_bytes = to.copied_bytes - from.copied_bytes + to.end.copied_bytes - from.end.copied_bytes,
      .zerocopy_sends = to.end.zerocopy_sends - from.end.zerocopy_sends,
      .zerocopy_copies = to.end.zerocopy_copies - from.end.zerocopy_copies,
      .round_trips = to.channel.turns - from.channel.turns,
      .cpu_ns = to.cpu_ns - from.cpu_ns,
      .minor_faults = to.usage.ru_minflt - from.usage.ru_minflt,
      .major_faults = to.usage.ru_majflt - from.usage.ru_majflt,
  };
}

transfer_outcome refused(std::string why) {
  const codecs::failure cause{codecs::fault{codecs::errc::local_payload}, std::move(why)};
  return {make_error_code(cause.cause.code), cause.sentence()};
}

transfer_outcome run(channel& over, codecs::exchange& framing) {
  const auto error = over.run(framing);
  return {error, error ? over.why() : std::string()};
}

template <typename End>
transfer_result reported(channel& over, codecs::exchange& framing, End& end) {
  const auto before = read(over, end);
  auto outcome = move(over, framing, end);
  return {std::move(outcome), difference(before, read(over, end))};
}

}  // namespace

std::string zerocopy_remark(std::uint64_t sends, std::uint64_t copies) {
  if (sends == 0) return {};
  if (copies == 0) return fmt::format("the kernel copied none of {} zero-copy sends", sends);
  return fmt::format("the kernel copied {} of {} zero-copy sends anyway; on loopback it copies all", copies,
                     sends);
}

transfer_outcome move(channel& over, codecs::exchange& framing, source& from) {
  auto* const sender = from.sender();
  if (sender != nullptr && over.native_handle() < 0)
    return refused("this strategy sends over a socket, and there is none");
  if (sender != nullptr && !sender->begin(over.native_handle())) return refused(from.why());
  over.send_by(sender);
  auto outcome = run(over, framing);
  over.send_by(nullptr);
  if (sender != nullptr) sender->end();
  const auto is = [&](int error) {
    return outcome.error == error_code(error, boost::system::system_category());
  };
  const bool gone = is(EFAULT) || is(ENODATA);  // as the kernel says it of what is no longer in a file
  return gone && !from.intact() ? refused(from.why()) : outcome;
}

transfer_outcome move(channel& over, codecs::exchange& framing, sink& to) {
  over.land_by(to.receiver());
  auto outcome = run(over, framing);
  over.land_by(nullptr);
  return outcome;
}

transfer_result transfer(channel& over, codecs::exchange& framing, source& from) {
  return reported(over, framing, from);
}

transfer_result transfer(channel& over, codecs::exchange& framing, sink& to) {
  return reported(over, framing, to);
}

}  // namespace wire
