#pragma once
// What it costs to note one latency.

namespace bench {

/// ns that histogram::record() takes per value, median over batches of latencies from 5 us to 500 us. The two clock readings
/// that make a latency come on top (clock_record). Takes less than a millisecond.
double recording_cost_ns();

}  // namespace bench
