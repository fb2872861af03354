"""Prices calculated with exact fractions: an oracle in another language than the product.

    python3 server/test/price-oracle.py                 writes price-vectors.json, which the tests read
    python3 server/test/price-oracle.py CASES [SEED]    prints so many cases, one a line
"""
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path


def decimal(low, high):
    digits = random.choice([0, 1, 2, 4, 6, 15])
    value = random.uniform(low, high)
    return f"{value:.{digits}f}"


def tokens():
    return random.choice([0, 1, random.randrange(100), random.randrange(10_000), random.randrange(10**8)])


def quota(prompt, completion, m, c, g):
    rate = Fraction(m) * Fraction(g)
    if rate == 0 or prompt + completion == 0:
        return 0
    return min(2**53 - 1, max(1, math.ceil((prompt + completion * Fraction(c)) * rate)))


def case():
    m = random.choice(["0", "0.25", "15", "8.52", "3.981818181818182", "0.000295", "-500000", decimal(0, 1), decimal(0, 1000)])
    c = random.choice(["1", "3", "1.320754716981132", "8.333333333333334", decimal(0, 10)])
    g = random.choice(["1", "0.5", "1.1", "0.1", decimal(0, 3), "1e-3", "2E2"])
    prompt, completion = tokens(), tokens()
    return json.dumps([m, c, g, prompt, completion, quota(prompt, completion, m, c, g)])


if len(sys.argv) > 1:
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1])):
        print(case())
else:
    random.seed(20260101)
    target = Path(__file__).parent / "price-vectors.json"
    target.write_text("[\n" + ",\n".join(case() for _ in range(1500)) + "\n]\n")
