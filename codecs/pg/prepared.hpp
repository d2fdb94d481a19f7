#pragma once
// What the extended query leaves with a server between two messages: the statements that a client has had parsed, and
// the portals that it has bound them in. Statements stay until they are closed; how long a portal lives is up to the
// transaction, and so to the conversation.

#include "codecs/pg/by_name.hpp"
#include "codecs/pg/extended.hpp"
#include "codecs/pg/plan.hpp"
#include "codecs/pg/refusal.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace codecs::pg {

/// The reply to an execution that is longer than anybody wants to hold.
class reply_stream {
 public:
  virtual ~reply_stream() = default;

  /// Writes the next messages, the last of which is CommandComplete, and returns how many they are. Every call writes some.
  virtual std::uint64_t write(writer& out) = 0;

  virtual bool at_end() const = 0;
};

/// The statements and portals of one connection; the unnamed ones have the name "".
class prepared {
 public:
  struct statement {
    const plan* what = nullptr;
    std::vector<oid> parameter_types;
  };

  struct portal {
    const plan* what = nullptr;
    format results = format::text;
    flat_buffer reply;
    std::size_t sent = 0;                  ///< bytes of the reply
    std::unique_ptr<reply_stream> stream;  ///< set: it is the reply

    /// What of the reply is left to send.
    bytes_view rest() const { return reply.view().subspan(sent); }

    /// The next `max_rows` rows, or all that is left: for 0, or when there are fewer. They count as sent.
    bytes_view take(std::int32_t max_rows);
  };

  /// Keeps a statement. Refused when there is one of that name already (the unnamed one is replaced), and when statements
  /// or parameters are too many.
  std::optional<refusal> prepare(const parse& asked, const plan& what);

  /// Makes a portal for `what`, with an empty reply. Refused when the values do not fit the statement, when there is a
  /// portal of that name already (the unnamed one is replaced), and when portals are too many.
  std::optional<refusal> open(const bind& asked, const statement& what, portal*& made);

  /// Null when there is none; valid until it is closed or replaced.
  const statement* find_statement(std::string_view name) { return statements_.find(name); }
  portal* find_portal(std::string_view name) { return portals_.find(name); }

  void close_statement(std::string_view name) { statements_.erase(name); }
  void close_portal(std::string_view name) { portals_.erase(name); }

  void close_statements() { statements_.clear(); }
  void close_portals() { portals_.clear(); }

 private:
  by_name<statement> statements_;
  by_name<portal> portals_;
};

}  // namespace codecs::pg
