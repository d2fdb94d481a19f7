#pragma once
// The two ends of a chunk pipeline in memory, with a record of what a framing did to them.

#include "codecs/chunks.hpp"

#include <algorithm>
#include <string>

namespace tests {

/// A source of `text`. Its chunks are views of it.
struct text_source final : codecs::chunk_source {
  explicit text_source(std::string_view content) : text(content) {}
  explicit text_source(codecs::bytes_view content) : text(codecs::as_text(content)) {}

  std::int64_t size() const override { return static_cast<std::int64_t>(text.size()); }
  codecs::bytes_view take(std::size_t wanted) override {
    ++taken;
    if (taken > good) return {};
    const auto chunk = codecs::as_bytes(text).subspan(at, std::min(wanted, text.size() - at));
    at += chunk.size();
    return chunk;
  }
  void release() override { ++released; }
  std::size_t most_in_flight() const override { return most; }
  bool intact() override { return !changed; }
  const std::string& why() const override { return reason; }

  std::string_view text;
  std::size_t at = 0;
  int taken = 0;
  int released = 0;
  int good = 1'000'000;  ///< so many chunks can be had
  std::size_t most = 1'000'000;
  bool changed = false;
  std::string reason = "the file has shrunk";
};

/// A source of any size whose chunks are all the same memory.
struct sparse_source final : codecs::chunk_source {
  sparse_source(std::int64_t bytes, codecs::bytes_view memory) : length(bytes), block(memory) {}

  std::int64_t size() const override { return length; }
  codecs::bytes_view take(std::size_t wanted) override { return block.first(wanted); }
  void release() override {}
  const std::string& why() const override { return reason; }

  std::int64_t length;
  codecs::bytes_view block;
  std::string reason;
};

/// Keeps everything, or as many chunks as there is room for.
struct text_sink final : codecs::chunk_sink {
  bool put(codecs::bytes_view chunk) override {
    if (room-- == 0) return false;
    text += codecs::as_text(chunk);
    return true;
  }
  const std::string& why() const override { return reason; }

  std::string text;
  int room = 1'000'000;
  std::string reason = "no space left on device";
};

}  // namespace tests
