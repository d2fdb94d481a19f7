#include "codecs/pg/extended.hpp"

namespace codecs::pg {
namespace {

void write_oids(writer& out, std::span<const oid> oids) {
  out.be(static_cast<std::uint16_t>(oids.size()));
  for (const oid each : oids) out.be(each);
}

void write_named(writer& out, std::uint8_t type, target what, std::string_view name) {
  const auto length = begin_message(out, type);
  out.u8(static_cast<std::uint8_t>(what));
  out.cstring(name, "name");
  end_message(out, length, max_small_request);
}

fault read_named(bytes_view frame, target& what, std::string_view& name, const char* message) {
  reader in(body_of(frame));
  what = static_cast<target>(in.u8("target"));
  if (what != target::statement && what != target::portal) in.fail(errc::remote_bad_value, "target");
  name = in.cstring("name");
  return in.finish(message);
}

}  // namespace

void encode_parse(writer& out, std::string_view statement, std::string_view query,
                  std::span<const oid> parameter_types) {
  if (parameter_types.size() > max_list_size) {
    return out.fail(errc::local_too_many_parameters, "parameter type count");
  }
  const auto length = begin_message(out, request::parse);
  out.cstring(statement, "statement name");
  out.cstring(query, "query");
  write_oids(out, parameter_types);
  end_message(out, length, max_large_request);
}

fault decode(bytes_view frame, parse& into) {
  reader in(body_of(frame));
  into.statement = in.cstring("statement name");
  into.query = in.cstring("query");
  into.parameter_types = oid_list::read(in, "parameter types");
  return in.finish("Parse");
}

void encode_bind(writer& out, std::string_view portal, std::string_view statement,
                 std::span<const value> parameters, format parameter_format, format result_format) {
  if (parameters.size() > max_list_size) {
    return out.fail(errc::local_too_many_parameters, "parameter count");
  }
  const auto length = begin_message(out, request::bind);
  out.cstring(portal, "portal name");
  out.cstring(statement, "statement name");
  write_format(out, parameter_format);
  write_values(out, parameters);
  write_format(out, result_format);
  end_message(out, length, max_large_request);
}

fault decode(bytes_view frame, bind& into) {
  reader in(body_of(frame));
  into.portal = in.cstring("portal name");
  into.statement = in.cstring("statement name");
  into.parameter_formats = format_list::read(in, "parameter formats");
  into.parameters = value_list::read(in, "parameter value");
  if (!into.parameter_formats.fits(into.parameters.size())) {
    in.fail(errc::remote_bad_value, "parameter format count");
  }
  into.result_formats = format_list::read(in, "result formats");
  return in.finish("Bind");
}

void encode(writer& out, const describe& message) {
  write_named(out, request::describe, message.what, message.name);
}

fault decode(bytes_view frame, describe& into) {
  return read_named(frame, into.what, into.name, "Describe");
}

void encode(writer& out, const close& message) {
  write_named(out, request::close, message.what, message.name);
}

fault decode(bytes_view frame, close& into) {
  return read_named(frame, into.what, into.name, "Close");
}

void encode(writer& out, const execute& message) {
  const auto length = begin_message(out, request::execute);
  out.cstring(message.portal, "portal name");
  out.be(message.max_rows);
  end_message(out, length, max_small_request);
}

fault decode(bytes_view frame, execute& into) {
  reader in(body_of(frame));
  into.portal = in.cstring("portal name");
  into.max_rows = in.be<std::int32_t>("row limit");
  return in.finish("Execute");
}

void encode_parameter_description(writer& out, std::span<const oid> types) {
  if (types.size() > max_list_size) return out.fail(errc::local_too_many_parameters, "parameter count");
  const auto length = begin_message(out, reply::parameter_description);
  write_oids(out, types);
  end_message(out, length, max_parameter_description);
}

fault decode(bytes_view frame, parameter_description& into) {
  reader in(body_of(frame));
  into.types = oid_list::read(in, "parameter types");
  return in.finish("ParameterDescription");
}

}  // namespace codecs::pg
