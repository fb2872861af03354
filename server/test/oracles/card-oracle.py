"""Prices of price cards calculated with exact fractions: an oracle in another language than the product.

    python3 server/test/oracles/card-oracle.py                 writes card-vectors.json, which the tests read
    python3 server/test/oracles/card-oracle.py CASES [SEED]    prints so many cases, ten of one card a line

A vector is [card, terms, usage, quota], a line [card, terms, [[usage, quota], ...]]. It follows docs/billing.md: dollars for a million tokens, never ratios.
"""
import json
import math
import random
import sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

PROMPT_PARTS = ["cache_read", "cache_write", "cache_write_1h", "audio_prompt", "image_prompt"]
COMPLETION_PARTS = ["reasoning", "audio_completion", "image_completion"]
CLASSES = ["batch", "flex", "priority"]
ZONES = ["UTC", "Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]
MILLION = 10**6
A_LINE = 10
LARGEST = 2**53 - 1
# What is counted in units is metered in tokens: so many for one.
TOKENS_OF = {"image": Fraction(1000), "search": Fraction(1000), "second": Fraction(200, 60), "character": Fraction(1)}


# --- The card as it is written -----------------------------------------------------------------------------------------


def dollars(free=0.08):
    if random.random() < free:
        return "0"
    digits = random.choice([0, 1, 2, 3, 6, 15])
    whole = random.choice([0, 0, 1, 3, random.randrange(100), random.randrange(10**6)])
    text = str(whole)
    if digits > 0:
        text += "." + "".join(random.choice("0123456789") for _ in range(digits))
    return text


def is_free(text):
    return Fraction(text) == 0


def some_parts(sides):
    parts = {}
    for part in PROMPT_PARTS + COMPLETION_PARTS:
        if random.random() > 0.3:
            continue
        if part in COMPLETION_PARTS and is_free(sides["output"]):
            continue
        if part in PROMPT_PARTS and is_free(sides["output"]) and is_free(sides["input"]):
            continue
        parts[part] = dollars()
    return parts


def change(rates):
    changed = {side: dollars() for side in ("input", "output") if random.random() < 0.7}
    return {**changed, **some_parts({**rates, **changed})}


def hours():
    windows = []
    for _ in range(random.randrange(1, 4)):
        clock = lambda: f"{random.randrange(24):02}:{random.choice([0, 15, 30, 59]):02}"
        window = {"from": clock(), "to": random.choice([clock(), "24:00"]), "factor": random.choice(["0.5", "0.25", "2", "1", "0", "1.333333"])}
        if random.random() < 0.6:
            window["days"] = random.sample(range(1, 8), random.randrange(1, 6))
        windows.append(window)
    return {"zone": random.choice(ZONES), "windows": windows}


def card():
    if random.random() < 0.15:
        made = {"units": {random.choice(list(TOKENS_OF)): dollars()}}
    else:
        rates = {"input": dollars(), "output": dollars()}
        rates.update(some_parts(rates))
        made = {"rates": rates}
        if random.random() < 0.5:
            above = random.sample([1, 10, 100, 1000, 128_000, 200_000, 272_000], random.randrange(1, 4))
            made["tiers"] = [{"above": tokens, **change(rates)} for tokens in above]
        if random.random() < 0.5:
            made["classes"] = {name: change(rates) for name in random.sample(CLASSES, random.randrange(1, 4))}
        if random.random() < 0.1:
            made["units"] = {random.choice(list(TOKENS_OF)): dollars()}
    if random.random() < 0.3:
        made["hours"] = hours()
    return made


def usage():
    def tokens():
        return random.choice([0, 1, random.randrange(300), random.randrange(3000), 128_000, 200_000, 200_001, random.randrange(10**6), random.randrange(10**8)])

    prompt, completion = tokens(), tokens()
    parts = {}
    for names, side in ((PROMPT_PARTS, prompt), (COMPLETION_PARTS, completion)):
        left = side
        for part in random.sample(names, random.randrange(len(names) + 1)):
            count = random.choice([left, random.randrange(left + 1), min(left, 1)])
            if count > 0:
                parts[part] = count
                left -= count
    made = {"prompt": prompt, "completion": completion}
    if parts or random.random() < 0.5:
        made["parts"] = parts
    if random.random() < 0.4:
        made["serviceClass"] = random.choice(CLASSES)
    return made


# --- What it costs -----------------------------------------------------------------------------------------------------


def rates_of(named):
    """Absolute dollars of every part that is named, and of the sides."""
    return {name: Fraction(text) for name, text in named.items() if name != "above"}


def basis(part, rates):
    """What a part keeps its relation to: its side, and where the prompt is free, the output."""
    if part in PROMPT_PARTS and rates["input"] != 0:
        return "input"
    return "output"


def rescale(rates, sides):
    moved = dict(sides)
    for part, price in rates.items():
        if part in ("input", "output"):
            continue
        name = basis(part, rates)
        moved[part] = price * sides[name] / rates[name] if rates[name] != 0 else price
    return moved


def changed_rates(base, named):
    change = rates_of(named)
    sides = {side: change.get(side, base[side]) for side in ("input", "output")}
    return {**rescale(base, sides), **change}


def multiplied(tier, base, classed):
    sides = {}
    for side in ("input", "output"):
        sides[side] = tier[side] * classed[side] / base[side] if base[side] != 0 else tier[side]
    return {**rescale(classed, sides), **rescale(tier, sides)}


def rates_for(card, used):
    """The rates of the highest tier that the prompt is above, of the service class where the card has prices for it."""
    if "rates" not in card:
        [(unit, each)] = card["units"].items()
        return {"input": Fraction(each) * MILLION / TOKENS_OF[unit], "output": Fraction(0)}
    base = rates_of(card["rates"])
    reached = [tier for tier in card.get("tiers", []) if used["prompt"] > tier["above"]]
    tier = changed_rates(base, max(reached, key=lambda each: each["above"])) if reached else None
    named = card.get("classes", {}).get(used.get("serviceClass"))
    if named is None:
        return base if tier is None else tier
    classed = changed_rates(base, named)
    return classed if tier is None else multiplied(tier, base, classed)


def factor_at(card, at_ms):
    if "hours" not in card:
        return Fraction(1)
    instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=at_ms)
    local = instant.astimezone(ZoneInfo(card["hours"]["zone"]))
    minute = local.hour * 60 + local.minute
    today = local.isoweekday()
    yesterday = 7 if today == 1 else today - 1
    for window in card["hours"]["windows"]:
        start, end = (int(text[:2]) * 60 + int(text[3:]) for text in (window["from"], window["to"]))
        days = window.get("days", range(1, 8))
        if end > start:
            fits = today in days and start <= minute < end
        else:
            fits = (today in days and minute >= start) or (yesterday in days and minute < end)
        if fits:
            return Fraction(window["factor"])
    return Fraction(1)


def quota(card, terms, used):
    rates = rates_for(card, used)
    each = Fraction(terms["unitsPerDollar"]) * Fraction(terms["group"]) * factor_at(card, terms["atMs"]) / MILLION
    if used["prompt"] + used["completion"] == 0:
        return 0
    if each == 0 or (rates["input"] == 0 and rates["output"] == 0):
        return 0
    total = Fraction(0)
    for side, names, tokens in (("input", PROMPT_PARTS, used["prompt"]), ("output", COMPLETION_PARTS, used["completion"])):
        rest = tokens
        for part in names:
            if part in rates:
                count = used.get("parts", {}).get(part, 0)
                total += count * rates[part]
                rest -= count
        total += rest * rates[side]
    return min(LARGEST, max(1, math.ceil(total * each)))


def terms_of_call():
    return {
        "unitsPerDollar": random.choice(["500000", "500000", "1000000", "1", "333.333", "0.5"]),
        "group": random.choice(["1", "1", "0.5", "1.1", "0", "2.75"]),
        "atMs": random.randrange(1_700_000_000_000, 1_900_000_000_000),
    }


def vector():
    made, terms, used = card(), terms_of_call(), usage()
    return json.dumps([made, terms, used, quota(made, terms, used)])


def line():
    made, terms = card(), terms_of_call()
    usages = [usage() for _ in range(A_LINE)]
    return json.dumps([made, terms, [[used, quota(made, terms, used)] for used in usages]])


if len(sys.argv) > 1:
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1]) // A_LINE):
        print(line())
else:
    random.seed(20261125)
    target = Path(__file__).parent / "card-vectors.json"
    target.write_text("[\n" + ",\n".join(vector() for _ in range(400)) + "\n]\n")
