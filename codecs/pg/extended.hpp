#pragma once
// Extended query (manual, "Extended Query"): a statement is parsed once, bound to values in a portal, executed. Flush,
// Sync and the bare replies (ParseComplete, BindComplete, CloseComplete, NoData, PortalSuspended, EmptyQueryResponse)
// are encode_bare() and decode_bare() of frame.hpp.

#include "codecs/pg/frame.hpp"
#include "codecs/pg/values.hpp"

namespace codecs::pg {

/// Exactly one statement. The unnamed one may be parsed again; a named one must be closed first.
struct parse {
  std::string_view statement;  ///< its name; empty: the unnamed one
  std::string_view query;
  oid_list parameter_types;  ///< 0, or no entry: the server decides
};
void encode_parse(writer& out, std::string_view statement, std::string_view query,
                  std::span<const oid> parameter_types = {});
fault decode(bytes_view frame, parse& into);

struct bind {
  std::string_view portal;
  std::string_view statement;
  format_list parameter_formats;
  value_list parameters;
  format_list result_formats;
};
/// Binds with one format for all parameters and one for all results. From 64 bytes on a parameter may be borrowed
/// (values.hpp). More than 65,535 parameters are local_too_many_parameters, found before anything is written.
void encode_bind(writer& out, std::string_view portal, std::string_view statement,
                 std::span<const value> parameters, format parameter_format = format::binary,
                 format result_format = format::binary);
fault decode(bytes_view frame, bind& into);

/// What Describe and Close name.
enum class target : std::uint8_t { statement = 'S', portal = 'P' };

struct describe {
  target what = target::statement;
  std::string_view name;
};
void encode(writer& out, const describe& message);
fault decode(bytes_view frame, describe& into);

/// Closing a name that does not exist is no error.
struct close {
  target what = target::statement;
  std::string_view name;
};
void encode(writer& out, const close& message);
fault decode(bytes_view frame, close& into);

/// Never answered by a RowDescription; ends with exactly one of CommandComplete, EmptyQueryResponse, ErrorResponse or,
/// when `max_rows` is not 0, PortalSuspended.
struct execute {
  std::string_view portal;
  std::int32_t max_rows = 0;  ///< 0: all
};
void encode(writer& out, const execute& message);
fault decode(bytes_view frame, execute& into);

struct parameter_description {
  oid_list types;
};
void encode_parameter_description(writer& out, std::span<const oid> types);
fault decode(bytes_view frame, parameter_description& into);

}  // namespace codecs::pg
