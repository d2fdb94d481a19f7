#pragma once
// What the files of async_channel share of Asio. Included by these alone.

#include "wire/async_channel.hpp"
#include "wire/reactor.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace wire {

/// Memory of one operation of Asio's, which takes it when the operation starts and gives it back before its callback: one
/// at a time, so that none comes from the heap.
struct async_slot {
  static constexpr std::size_t size = 1536;  // a send holds a gather list of 64
  alignas(std::max_align_t) std::byte memory[size];
};

struct async_slots {
  async_slot read;
  async_slot write;
};

template <typename Value>
struct async_slot_allocator {
  using value_type = Value;

  explicit async_slot_allocator(async_slot& of) : slot(&of) {}
  template <typename Other>
  async_slot_allocator(const async_slot_allocator<Other>& other) : slot(other.slot) {}

  Value* allocate([[maybe_unused]] std::size_t count) const {
    assert(count * sizeof(Value) <= async_slot::size);
    return reinterpret_cast<Value*>(slot->memory);
  }
  void deallocate(Value*, std::size_t) const {}
  bool operator==(const async_slot_allocator&) const = default;

  async_slot* slot;
};

/// What Asio calls when an operation is over.
template <typename Function>
struct async_callback {
  using allocator_type = async_slot_allocator<std::byte>;
  allocator_type get_allocator() const { return allocator_type(*slot); }

  template <typename... Results>
  void operator()(const error_code& error, Results... results) {
    then(error, results...);
  }

  Function then;
  async_slot* slot;
};
template <typename Function>
async_callback(Function, async_slot*) -> async_callback<Function>;

struct async_channel::socket {
  using handle_type = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol,
                                                       boost::asio::io_context::executor_type>;

  handle_type handle;
  bool reading = false;  // an operation is under way
  bool writing = false;
  std::unique_ptr<async_slots> slots = std::make_unique<async_slots>();
  std::array<boost::asio::const_buffer, 64> gathered;  // as many as Asio takes at a time

  /// The first of `segments`, for Asio; valid until the next call.
  std::span<const boost::asio::const_buffer> gather(std::span<const iovec> segments) {
    const auto count = std::min(segments.size(), gathered.size());
    for (std::size_t i = 0; i < count; ++i) gathered[i] = {segments[i].iov_base, segments[i].iov_len};
    return {gathered.data(), count};
  }

  bool busy() const { return reading || writing; }
};

}  // namespace wire
