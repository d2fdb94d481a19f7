#include "bench/report_json.hpp"

#include "bench/field_writer.hpp"

namespace bench {

using nlohmann::ordered_json;

std::string report_json(const result& measured) {
  auto context = ordered_json::object();
  for (const auto& [key, value] : measured.context) {
    const bool again = context.contains(key);  // a real server of each protocol
    context[key] = again ? context[key].get<std::string>() + "; " + value : value;
  }
  ordered_json whole{{"schema_version", schema_version}, {"tool", "wirebench"}, {"context", context}};
  const field_writer writer(whole);
  fields(writer, measured);
  if (!measured.docs.empty()) writer("docs", measured.docs);
  if (!measured.files.empty()) writer("files", measured.files);
  if (measured.sweep) writer("sweep", *measured.sweep);
  if (!measured.memory.empty()) writer("memory", measured.memory);
  // Text from a server or the command line may hold bytes that are not UTF-8; they are replaced, not thrown
  // at.
  return whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bench
