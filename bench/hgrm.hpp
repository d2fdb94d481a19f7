#pragma once
// A histogram as HdrHistogram's percentile distribution, the .hgrm text that its plotters read: one line per percentile, five
// to each halving of the distance to 100 %, in the columns value (us), percentile, number of values up to it, 1/(1-percentile);
// then mean, deviation, maximum and size as comments.

#include "bench/histogram.hpp"

#include <string>

namespace bench {

std::string hgrm(const histogram& of);

}  // namespace bench
