"""What a reported usage is charged, by the table of docs/billing.md: an oracle in another language than the product.

    python3 server/test/usage-oracle.py                 writes usage-vectors.json, which the tests read
    python3 server/test/usage-oracle.py CASES [SEED]    prints so many cases, one a line

A case is [usage as the JSON text of its members, whether anything was put out, prompt, completion, estimated]; where
Weir counts, it counts 11 tokens of prompt and 22 of completion.
"""
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

MISSING = "missing"
COUNTED = {"prompt": 11, "completion": 22}
LARGEST = 100_000_000

ODD = [
    "null", "true", "false", '""', '"7"', '"1e3"', "[]", "[7]", "{}", '{"a":1}', "-1", "-0", "-0.0", "0", "0.0", "1.0",
    "7.0", "1.5", "0.1", "-7", "-1e9", "1e2", "1.2e1", "1e308", "-1e308", "1e999", "-1e999", "99999999", "100000000",
    "100000001", "1e8", "1.00000001e8", "2147483648", "9007199254740991", "9007199254740993", "1e-400", "123456789012",
]


def value():
    kind = random.random()
    if kind < 0.2:
        return MISSING
    if kind < 0.55:
        return str(random.choice([random.randrange(0, 40), random.randrange(0, 10_000), random.randrange(0, LARGEST + 1)]))
    return random.choice(ODD)


def believed(text):
    """A whole number from 0 to 10^8, however it is written; None: anything else."""
    if text == MISSING:
        return None
    parsed = json.loads(text, parse_float=lambda digits: float(digits))
    if isinstance(parsed, bool) or not isinstance(parsed, (int, float)) or parsed in (float("inf"), float("-inf")):
        return None
    exact = Fraction(parsed)
    return int(exact) if exact.denominator == 1 and 0 <= exact <= LARGEST else None


def charged(prompt_text, completion_text, total_text, has_output):
    prompt, completion, total = (believed(text) for text in (prompt_text, completion_text, total_text))
    alone = prompt_text == MISSING and completion_text == MISSING
    if completion_text == MISSING and prompt is not None and total is not None and total > prompt:
        completion = total - prompt
    if prompt == 0:
        prompt = None
    if completion == 0 and has_output:
        completion = None
    estimated = prompt is None or completion is None
    if prompt is None:
        prompt = COUNTED["prompt"]
    if completion is None and alone and total is not None and total > prompt:
        completion = total - prompt
    if completion is None:
        completion = COUNTED["completion"]
    return prompt, completion, estimated


def case():
    prompt, completion, total = value(), value(), value()
    has_output = random.random() < 0.8
    members = {"prompt": prompt, "completion": completion, "total": total}
    text = "{" + ",".join(f'"{name}":{raw}' for name, raw in members.items() if raw != MISSING) + "}"
    return json.dumps([text, has_output, *charged(prompt, completion, total, has_output)])


if len(sys.argv) > 1:
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1])):
        print(case())
else:
    random.seed(20260102)
    target = Path(__file__).parent / "usage-vectors.json"
    target.write_text("[\n" + ",\n".join(case() for _ in range(2000)) + "\n]\n")
