#include "bench/workloads/raw.hpp"

#include "wire/status.hpp"

#include "bench/server_error.hpp"
#include "bench/workloads/connect.hpp"

namespace bench::workloads {
namespace {

opened_raw only(opened_raws opened) {
  if (!opened.ok()) return opened.status();
  return std::move(opened->front());
}

}  // namespace

absl::Status raw_workload::run(std::uint64_t ops) {
  for (std::uint64_t i = 0; i < ops; ++i) {
    if (auto status = outcome(channel_.run(next_op())); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status raw_workload::failed(wire::error_code error) const {
  if (!error) error = make_error_code(codecs::errc::remote_bad_value);
  auto status = wire::to_status(error, "raw client", channel_.why());
  return error == codecs::errc::remote_server_error ? with_server_code(std::move(status), server_code())
                                                    : status;
}

absl::Status raw_workload::refused(const std::string& why) const {
  auto status = wire::to_status(make_error_code(codecs::errc::remote_server_error), "raw client", why);
  return with_server_code(std::move(status), server_code());
}

std::optional<std::uint64_t> raw_workload::syscalls() const {
  const bool in_memory = native_handle() < 0;  // its reads and writes are calls of functions
  return in_memory ? 0 : channel_.counters().syscalls();
}

std::optional<traffic> raw_workload::counted() const {
  const auto& counters = channel_.counters();
  return traffic{.frames_out = counters.frames_out,
                 .frames_in = counters.frames_in,
                 .bytes_out = counters.bytes_out,
                 .bytes_in = counters.bytes_in};
}

opened_raw open_raw(const std::string& op, const wire::endpoint& to, wire::watchdog& dog,
                    const wrap_transport& wrap) {
  return only(open_raw(std::vector{op}, to, dog, wrap));
}

opened_raws open_raw(const std::vector<std::string>& ops, const wire::endpoint& to, wire::watchdog& dog,
                     const wrap_transport& wrap, const sql_statement* own, wire::nagle delay) {
  auto connected = connect(to, dog, delay);
  if (!connected.ok()) return connected.status();
  auto transport = *std::move(connected);
  if (wrap) transport = wrap(std::move(transport));
  return to.protocol == wire::protocol::mongo ? open_mongo(ops, std::move(transport), dog)
                                              : open_pg(ops, std::move(transport), to, dog, own);
}

opened_raw open_mongo(const std::string& op, std::unique_ptr<wire::transport> transport,
                      wire::watchdog& dog) {
  return only(open_mongo(std::vector{op}, std::move(transport), dog));
}

opened_raw open_pg(const std::string& op, std::unique_ptr<wire::transport> transport,
                   const wire::endpoint& login, wire::watchdog& dog) {
  return only(open_pg(std::vector{op}, std::move(transport), login, dog));
}

}  // namespace bench::workloads
