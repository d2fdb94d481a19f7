#include "wire/pipeline.hpp"

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
      .round_trips = to.channel.turns - from.channel.turns,
      .cpu_ns = to.cpu_ns - from.cpu_ns,
      .minor_faults = to.usage.ru_minflt - from.usage.ru_minflt,
      .major_faults = to.usage.ru_majflt - from.usage.ru_majflt,
  };
}

transfer_result run(channel& over, codecs::exchange& framing, const pipeline_end& end) {
  const auto before = read(over, end);
  const auto error = over.run(framing);
  return {error, error ? over.why() : std::string(), difference(before, read(over, end))};
}

}  // namespace

transfer_result transfer(channel& over, codecs::exchange& framing, source& from) {
  over.send_from(from.addresses());
  auto result = run(over, framing, from);
  over.send_from({});
  const auto is = [&](int error) {
    return result.error == error_code(error, boost::system::system_category());
  };
  const bool gone = is(EFAULT) || is(ENODATA);  // as mmap and sendfile hear of it
  if (gone && !from.intact()) {
    const codecs::failure cut{codecs::fault{codecs::errc::local_payload}, from.why()};
    result.error = make_error_code(cut.cause.code);
    result.why = cut.sentence();
  }
  return result;
}

transfer_result transfer(channel& over, codecs::exchange& framing, const sink& to) {
  return run(over, framing, to);
}

}  // namespace wire
