#pragma once
// A tight loop as text.

#include "bench/result.hpp"

#include <string>

namespace bench::load {

/// Of a cell that has `load`: the paragraph that report_console prints for it.
std::string report(const cell& measured, bool colour);

}  // namespace bench::load
