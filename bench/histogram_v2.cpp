#include "bench/histogram_v2.hpp"

#include "codecs/bytes.hpp"
#include "codecs/reader.hpp"

#include "bench/base64.hpp"

#include <fmt/format.h>

#include <zlib.h>

#include <bit>
#include <vector>

namespace bench {
namespace {

using bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t compressed_cookie = 0x1c849314;
constexpr std::uint32_t cookie = 0x1c849313;
constexpr std::int32_t digits = 3;
constexpr std::int64_t largest_limit = std::int64_t{1} << 62;
constexpr std::size_t header_bytes = 40;
constexpr std::size_t largest_number_bytes = 9;
constexpr std::uint64_t largest_total = std::uint64_t{1} << 53;  // beyond it a double holds no counts

template <typename Integer>
void append(bytes& to, Integer value) {
  to.resize(to.size() + sizeof value);
  codecs::store_be(to.data() + to.size() - sizeof value, value);
}

/// Zigzag: 0 -1 1 -2 2 ... become 0 1 2 3 4 ..., so that small numbers of either sign stay short.
void append_number(bytes& to, std::int64_t value) {
  auto rest = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  for (std::size_t i = 1; i < largest_number_bytes && rest > 0x7f; ++i, rest >>= 7) {
    to.push_back(static_cast<std::uint8_t>(rest | 0x80));
  }
  to.push_back(static_cast<std::uint8_t>(rest));
}

std::int64_t read_number(codecs::reader& from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < largest_number_bytes; ++i) {
    const std::uint64_t byte = from.u8("count");
    const bool last = i + 1 == largest_number_bytes;
    value |= (last ? byte : byte & 0x7f) << 7 * i;
    if (byte < 0x80) break;
  }
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

bytes encode_counts(const histogram& of) {
  auto counts = of.counts();
  while (counts.size() > 1 && counts.back() == 0) counts = counts.first(counts.size() - 1);
  bytes encoded;
  for (std::size_t i = 0; i < counts.size();) {
    std::size_t zeros = 0;
    while (i + zeros < counts.size() && counts[i + zeros] == 0) ++zeros;
    if (zeros > 1) {
      append_number(encoded, -static_cast<std::int64_t>(zeros));
      i += zeros;
    } else {
      append_number(encoded, static_cast<std::int64_t>(counts[i++]));
    }
  }
  return encoded;
}

absl::Status broken(std::string_view what) {
  return absl::DataLossError(fmt::format("histogram: {}", what));
}

absl::StatusOr<bytes> inflate_payload(codecs::bytes_view compressed) {
  bytes payload(header_bytes + largest_number_bytes * histogram::size_for(largest_limit));
  uLongf size = payload.size();
  if (uncompress(payload.data(), &size, compressed.data(), compressed.size()) != Z_OK) {
    return broken("its compressed part is damaged");
  }
  payload.resize(size);
  return payload;
}

absl::StatusOr<histogram> read_payload(codecs::bytes_view payload) {
  codecs::reader in(payload);
  const auto found_cookie = in.be<std::uint32_t>("cookie");
  const auto size = in.be<std::int32_t>("length of counts");
  const auto offset = in.be<std::int32_t>("normalizing offset");
  const auto found_digits = in.be<std::int32_t>("digits");
  const auto lowest = in.be<std::int64_t>("lowest value");
  const auto limit = in.be<std::int64_t>("highest value");
  in.be<std::int64_t>("conversion ratio");
  if (in.failed()) return broken(fmt::format("it ends within its {}", in.first_fault().field));
  if (found_cookie != cookie) return broken(fmt::format("unknown encoding 0x{:08x}", found_cookie));
  if (found_digits != digits || lowest != 1 || offset != 0) {
    return absl::InvalidArgumentError(
        fmt::format("histogram: {} digits from {} ns upwards, where three digits from 1 ns are read",
                    found_digits, lowest));
  }
  if (limit < 2 || limit > largest_limit) return broken(fmt::format("its highest value is {}", limit));
  if (size < 0 || static_cast<std::size_t>(size) != in.left())
    return broken("the length of its counts is wrong");

  const auto buckets = histogram::size_for(limit);
  std::vector<std::uint64_t> counts;
  std::uint64_t total = 0;
  while (in.left() > 0) {
    const auto number = read_number(in);
    if (in.failed()) return broken("it ends within a count");
    const auto added = number < 0 ? 0 - static_cast<std::uint64_t>(number) : 1;
    const auto count = number < 0 ? 0 : static_cast<std::uint64_t>(number);
    if (added > buckets - counts.size()) return broken("it has more buckets than its highest value needs");
    if (count > largest_total - total) return broken("it counts more than 2^53 values");
    counts.resize(counts.size() + added, count);
    total += count;
  }
  return histogram::of_counts(limit, counts);
}

}  // namespace

std::string encode_v2(const histogram& of) {
  const auto counts = encode_counts(of);
  bytes payload;
  append(payload, cookie);
  append(payload, static_cast<std::int32_t>(counts.size()));
  append(payload, std::int32_t{0});  // normalizing offset
  append(payload, digits);
  append(payload, std::int64_t{1});  // lowest value that is told from 0
  append(payload, of.limit_ns());
  append(payload, std::bit_cast<std::int64_t>(1.0));  // unit of doubles
  payload.insert(payload.end(), counts.begin(), counts.end());

  uLongf size = compressBound(payload.size());
  bytes compressed(size);
  compress2(compressed.data(), &size, payload.data(), payload.size(), Z_BEST_COMPRESSION);
  compressed.resize(size);

  bytes whole;
  append(whole, compressed_cookie);
  append(whole, static_cast<std::int32_t>(compressed.size()));
  whole.insert(whole.end(), compressed.begin(), compressed.end());
  return encode_base64(whole);
}

absl::StatusOr<histogram> decode_v2(std::string_view text) {
  const auto whole = decode_base64(text);
  if (!whole) return broken("it is not base64");
  codecs::reader in(*whole);
  const auto found_cookie = in.be<std::uint32_t>("cookie");
  const auto size = in.be<std::int32_t>("length");
  if (in.failed()) return broken(fmt::format("it ends within its {}", in.first_fault().field));
  if (found_cookie != compressed_cookie)
    return broken(fmt::format("unknown encoding 0x{:08x}", found_cookie));
  if (size < 0 || static_cast<std::size_t>(size) != in.left()) return broken("its length is wrong");
  const auto payload = inflate_payload(in.rest());
  return payload.ok() ? read_payload(*payload) : payload.status();
}

}  // namespace bench
