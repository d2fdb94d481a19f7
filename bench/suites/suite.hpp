#pragma once
// Named suites: measurements that somebody once made with a program of his own, made again. Each prints what was published then
// beside its own figures: as context, since machines, servers and drivers were others, and never as a target. An explicit list;
// nothing registers itself.

#include "bench/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace bench::suites {

struct suite {
  const char* name;
  const char* summary;
  std::string (*report)(const result& measured, bool colour);
};

std::span<const suite> all();

/// The suite that a result is of; null when it is of none.
const suite* find_suite(const result& measured);

/// Says in the context of `measured` which suite it is of, and how many times the published size.
void mark(result& measured, std::string_view name, double scale);

/// "0.1 x the published size"; "the published size" for 1.
std::string scale_clause(const result& measured);

}  // namespace bench::suites
