#include "bench/drivers/libmongoc_client.hpp"

#include "codecs/mongo/command.hpp"

#include <fmt/format.h>

namespace bench::drivers {
namespace {

/// libmongoc wants one init before and one cleanup after all use.
void init_once() {
  struct library {
    library() {
      mongoc_init();
      mongoc_log_set_handler(nullptr, nullptr);  // its warnings would stand between the program's own lines
    }
    ~library() { mongoc_cleanup(); }
  };
  static const library instance;
}

}  // namespace

absl::StatusOr<libmongoc_client> open_client(const std::string& uri, std::chrono::milliseconds timeout) {
  init_once();
  bson_error_t error{};
  const std::unique_ptr<mongoc_uri_t, destroy<mongoc_uri_destroy>> parsed(
      mongoc_uri_new_with_error(uri.c_str(), &error));
  if (!parsed) return absl::InvalidArgumentError(fmt::format("libmongoc: {}", error.message));
  for (const auto* option :
       {MONGOC_URI_SOCKETTIMEOUTMS, MONGOC_URI_CONNECTTIMEOUTMS, MONGOC_URI_SERVERSELECTIONTIMEOUTMS}) {
    mongoc_uri_set_option_as_int32(parsed.get(), option, static_cast<std::int32_t>(timeout.count()));
  }
  libmongoc_client client(mongoc_client_new_from_uri_with_error(parsed.get(), &error), mongoc_client_destroy);
  if (!client) return absl::UnavailableError(fmt::format("libmongoc: {}", error.message));
  mongoc_client_set_error_api(client.get(), MONGOC_ERROR_API_VERSION_2);
  codecs::mongo::document ping;
  codecs::mongo::build_ping(ping);
  if (!mongoc_client_command_simple(client.get(), "admin", ping.get(), nullptr, nullptr, &error))
    return absl::UnavailableError(fmt::format("libmongoc: {}", error.message));
  return client;
}

}  // namespace bench::drivers
