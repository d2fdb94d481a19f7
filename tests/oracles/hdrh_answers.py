"""Reads an encoded histogram as HdrHistogram's port for Python does, and encodes one: prints one line of JSON."""
import io
import json
import sys

from hdrh.histogram import HdrHistogram

with open(sys.argv[1], encoding="utf-8") as file:
    question = json.load(file)

read = HdrHistogram.decode(question["encoded"])
wrote = HdrHistogram(1, question["limit_ns"], 3)
for value in question["values"]:
    wrote.record_value(value)
distribution = io.BytesIO()
read.output_percentile_distribution(distribution, 1000.0)
print(json.dumps({
    "count": read.get_total_count(),
    "min": read.get_min_value(),
    "max": read.get_max_value(),
    "percentiles": [read.get_value_at_percentile(p) for p in question["percentiles"]],
    "distribution": distribution.getvalue().decode(),
    "encoded": wrote.encode().decode(),
}))
