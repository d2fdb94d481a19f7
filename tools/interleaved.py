"""What the comparison scripts share: programs in alternating rounds, ratios with sign intervals."""

import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def fail(why):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {why}")


def measured(words):
    """Standard output and CPU seconds of a program and of the children that it has waited for."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(words, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            fail(f"{' '.join(words)}: {err.read().decode(errors='replace').strip()}")
        return out.read().decode(), used.ru_utime + used.ru_stime


def median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def sign_interval(values):
    """Of the median, with at least 95 %; None for fewer than six values (measurement method, part 4)."""
    n = len(values)
    below, k = 0.0, 0
    while below + math.comb(n, k) / 2**n <= 0.025:
        below += math.comb(n, k) / 2**n
        k += 1
    return (sorted(values)[k - 1], sorted(values)[n - k]) if k else None


def with_interval(values):
    """'0.953 [0.941, 0.962]'"""
    interval = sign_interval(values)
    text = f"[{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "[-] (an interval needs 6 rounds)"
    return f"{median(values):.3f} {text}"
