#pragma once
// A result for an issue, a pull request or a wiki: GitHub-flavoured Markdown with the tables and sentences of the console
// report.

#include "bench/result.hpp"

#include <string>

namespace bench {

std::string report_markdown(const result& measured);

}  // namespace bench
