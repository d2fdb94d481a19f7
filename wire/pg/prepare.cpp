#include "wire/pg/prepare.hpp"

namespace wire::pg {

error_code prepare(client& client, std::initializer_list<codecs::pg::named_statement> statements) {
  for (const auto& each : statements) {
    codecs::pg::statement made{.name = std::string(each.name), .parameter_types = {}, .columns = {}};
    if (const auto error = client.prepare(each.text, made)) return error;
  }
  return client.query("SET plan_cache_mode = force_generic_plan");
}

}  // namespace wire::pg
