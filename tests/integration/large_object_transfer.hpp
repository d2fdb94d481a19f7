#pragma once
// A temporary PostgreSQL with its large objects, through our client.

#include "wire/pg/large_object.hpp"

#include "fixtures/datasets.hpp"
#include "fixtures/temp_dir.hpp"

#include "tests/codecs/chunk_ends.hpp"
#include "tests/codecs/pg/sink.hpp"
#include "tests/integration/file_transfer.hpp"

#include <optional>
#include <string>

namespace tests {

class LargeObjectTransfer : public FileTransfer {
 protected:
  void SetUp() override {
    FileTransfer::SetUp();
    ASSERT_FALSE(objects_.prepare()) << client_.why();
    auto made = fixtures::temp_dir::make();
    ASSERT_TRUE(made.ok()) << made.status();
    directory_.emplace(*std::move(made));
  }

  std::string file() const { return directory_->path() + "/file"; }

  std::string objects_there() { return ask("SELECT count(*) FROM pg_largeobject_metadata"); }

  std::int64_t call(const codecs::pg::large_object::call& what) {
    EXPECT_FALSE(client_.call(what)) << client_.why();
    return client_.number();
  }

  bytes download(codecs::pg::oid object, std::int64_t size, std::size_t chunk = chunk_bytes) {
    text_sink sink;
    EXPECT_FALSE(objects_.download(object, sink, {size, static_cast<std::int64_t>(chunk)})) << client_.why();
    return bytes(sink.text.begin(), sink.text.end());
  }

  wire::pg::large_objects objects_{client_};
  std::optional<fixtures::temp_dir> directory_;
};

}  // namespace tests
