#pragma once
// Large objects (manual chapter "Large Objects") as FunctionCalls. The functions' OIDs are built in and do not change
// between releases (pg_proc.dat), so no query for them is needed.
//
// A descriptor is an index into a table of the transaction: the first lo_open in a transaction returns 0 (newLOfd), and
// the descriptor dies with the transaction (case C26).

#include "codecs/exchange.hpp"
#include "codecs/pg/function_call.hpp"
#include "codecs/pg/named_statement.hpp"

namespace codecs::pg::large_object {

namespace function {
inline constexpr oid lo_create = 715;
inline constexpr oid lo_open = 952;
inline constexpr oid lo_close = 953;
inline constexpr oid loread = 954;
inline constexpr oid lowrite = 955;
inline constexpr oid lo_lseek = 956;
inline constexpr oid lo_creat = 957;
inline constexpr oid lo_tell = 958;
inline constexpr oid lo_unlink = 964;
inline constexpr oid lo_truncate = 1004;
inline constexpr oid lo_lseek64 = 3170;
inline constexpr oid lo_tell64 = 3171;
inline constexpr oid lo_truncate64 = 3172;
inline constexpr oid lo_put = 3460;
}  // namespace function

/// Modes of lo_open. Writing implies reading and sees the current state; reading alone freezes the snapshot of lo_open.
inline constexpr std::int32_t inv_write = 0x20000;
inline constexpr std::int32_t inv_read = 0x40000;

/// What `offset` of lo_lseek64 counts from.
enum class whence : std::int32_t { start = 0, position = 1, end = 2 };

/// A call that is ready to be encoded; it borrows the payload of lowrite.
struct call {
  oid function = 0;
  function_arguments arguments;
};

/// Returns the new object's OID.
inline call lo_creat() {
  return {function::lo_creat, function_arguments().int4(inv_read | inv_write)};
}

/// Returns the OID of the new object: `object`, which must be free, or for 0 one that the server chooses.
inline call lo_create(oid object) {
  return {function::lo_create, function_arguments().int4(static_cast<std::int32_t>(object))};
}

/// Returns 1; the object is gone with the end of the transaction.
inline call lo_unlink(oid object) {
  return {function::lo_unlink, function_arguments().int4(static_cast<std::int32_t>(object))};
}

/// Returns a descriptor.
inline call lo_open(oid object, std::int32_t mode) {
  return {function::lo_open, function_arguments().int4(static_cast<std::int32_t>(object)).int4(mode)};
}

/// Returns the number of bytes written, as int4: keep a chunk below 1 GiB.
inline call lowrite(std::int32_t descriptor, bytes_view data) {
  return {function::lowrite, function_arguments().int4(descriptor).payload(data)};
}

/// Returns at most `bytes` bytes; none at the end of the object.
inline call loread(std::int32_t descriptor, std::int32_t bytes) {
  return {function::loread, function_arguments().int4(descriptor).int4(bytes)};
}

/// Returns 0.
inline call lo_close(std::int32_t descriptor) {
  return {function::lo_close, function_arguments().int4(descriptor)};
}

/// Returns the new position, as int8.
inline call lo_lseek64(std::int32_t descriptor, std::int64_t offset, whence from) {
  return {function::lo_lseek64,
          function_arguments().int4(descriptor).int8(offset).int4(static_cast<std::int32_t>(from))};
}

/// Returns the position, as int8. The 32-bit lo_tell and lo_lseek are errors from 2 GiB on (case C23).
inline call lo_tell64(std::int32_t descriptor) {
  return {function::lo_tell64, function_arguments().int4(descriptor)};
}

/// Returns 0. An object that grows by it is sparse: what was never written reads as zeros.
inline call lo_truncate64(std::int32_t descriptor, std::int64_t size) {
  return {function::lo_truncate64, function_arguments().int4(descriptor).int8(size)};
}

/// To be prepared once per session.
namespace statement {
/// Creates an object as lo_create() does and opens it for writing: one row of its OID and its descriptor.
inline constexpr named_statement create{
    "n", "SELECT object, lo_open(object, 131072) FROM lo_create($1) AS object"};
inline constexpr named_statement write{"w", "SELECT lowrite($1, $2)"};
inline constexpr named_statement close{"c", "SELECT lo_close($1)"};
/// Writes at the offset $2, without a descriptor.
inline constexpr named_statement put{"u", "SELECT lo_put($1, $2, $3)"};
/// The object's size, as int8. The descriptor dies with the implicit transaction.
inline constexpr named_statement size{"s", "SELECT lo_lseek64(lo_open($1, 262144), 0, 2)"};
/// One row for each chunk of $2 = $3 bytes, from the first to that with index $4. With int4 the product would overflow at 2 GiB.
inline constexpr named_statement get{
    "g", "SELECT lo_get($1::oid, i * $2::int8, $3::int4) FROM generate_series(0::int8, $4::int8) AS i"};
}  // namespace statement

/// The largest chunk: a message of lowrite, loread or lo_get holds little more.
inline constexpr std::int64_t max_chunk_bytes = max_large_request - 64;

/// Set when no message holds a chunk of that size: local_bad_value.
std::optional<failure> refuse_chunk_size(std::int64_t chunk_bytes);

/// Why a descriptor is refused outside a transaction, by the last Z (case C26): local_wrong_state.
failure outside_transaction();

/// Whether a function makes or takes a descriptor, and so is of no use outside a transaction block.
constexpr bool needs_transaction(oid function) {
  switch (function) {
    case function::lo_open:
    case function::lo_close:
    case function::loread:
    case function::lowrite:
    case function::lo_lseek:
    case function::lo_lseek64:
    case function::lo_tell:
    case function::lo_tell64:
    case function::lo_truncate:
    case function::lo_truncate64:
      return true;
    default:
      return false;
  }
}

}  // namespace codecs::pg::large_object
