"""Give the kernel's readers a million mutated files and report what became of them.

    python -m tests.fuzz_million [--inputs 1000000] [--seed 0]

Prints counts of files read and refused. Ends with status 1, and the seed and number of the input, at the first panic or
any other exception; `--seed S --only N` runs that input again. Not part of the test suite, which runs the first tens of
thousands (`test_parser_fuzz.py`).
"""

import argparse
import collections
import sys
import time
from random import Random

from tests.support.mutation import mutate, parse


def run(inputs: range, seed: int) -> collections.Counter[str]:
    """Outcomes of the numbered inputs. Raises what the kernel raised, with the number noted."""
    counts: collections.Counter[str] = collections.Counter()
    for number in inputs:
        data = mutate(Random(f"{seed}/{number}"))
        try:
            counts[parse(data)] += 1
        except BaseException as error:
            error.add_note(f"seed {seed}, input {number}: {data[:400]!r}")
            raise
    return counts


def main() -> int:
    """Read the options, run, report."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--inputs", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--only", type=int, default=None)
    chosen = options.parse_args()
    inputs = range(chosen.inputs) if chosen.only is None else range(chosen.only, chosen.only + 1)
    start = time.perf_counter()
    counts = run(inputs, chosen.seed)
    seconds = time.perf_counter() - start
    sys.stdout.write(
        f"{len(inputs)} inputs, seed {chosen.seed}: {counts['read']} read, {counts['refused']} refused, "
        f"0 panics, {seconds:.0f} s\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
