#pragma once
// What the MongoDB ops of the default op set are, for every client alike: names, documents and filters. The
// application builds its documents with libbson into a reused bson_t, whatever client then sends them.

#include "codecs/mongo/bson.hpp"

namespace bench::workloads {

inline constexpr char database[] = "wirebench";
inline constexpr char collection[] = "docs";

/// insert_one: a document of 400 bytes with a fresh ObjectId as _id. Valid until `into` changes.
inline constexpr std::size_t inserted_bytes = 400;
void build_inserted(codecs::mongo::document& into);

/// find_one: what is looked for, and the document of 1 KiB that a real server holds under that _id.
inline constexpr std::size_t found_bytes = 1024;
void build_filter(codecs::mongo::document& into);
void build_found(codecs::mongo::document& into);

}  // namespace bench::workloads
