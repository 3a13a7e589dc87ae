"""A second implementation of flag evaluation, written only from the specification, and for clarity instead of
speed. It shares no code with the program that it checks."""

import ipaddress
import json
import re
import struct
from datetime import datetime

HUNDRED_PERCENT = 100_000
SEMVER = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?")
NEGATED = {"ne": "eq", "not_in": "in", "not_contains": "contains"}


def murmur3(data):
    """murmur3_x86_32 with seed 0."""
    mask = 0xFFFFFFFF

    def mixed(k):
        k = k * 0xCC9E2D51 & mask
        return ((k << 15 | k >> 17) & mask) * 0x1B873593 & mask

    h = 0
    whole = len(data) // 4 * 4
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        h ^= mixed(k)
        h = ((h << 13 | h >> 19) & mask) * 5 + 0xE6546B64 & mask
    if data[whole:]:
        h ^= mixed(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & mask
    h = (h ^ h >> 13) * 0xC2B2AE35 & mask
    return h ^ h >> 16


def bucket(text):
    return murmur3(text.encode()) * HUNDRED_PERCENT >> 32


def unit_of(context, name):
    """Returns the unit as text; None if it is absent, null, empty or of a type that cannot be a unit."""
    value = context.get(name)
    if isinstance(value, str):
        return value or None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return json.dumps(value) if is_number else None


def semver(text):
    *numbers, pre = SEMVER.fullmatch(text).groups()
    # A release comes after its pre-releases; numeric identifiers come before alphanumeric ones.
    parts = [(0, int(it), "") if it.isdigit() else (1, 0, it) for it in (pre or "").split(".")]
    return [int(it) for it in numbers], pre is None, parts


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def network(text):
    return ipaddress.ip_network(text)


READ = {"semver": semver, "date": instant, "ip": ipaddress.ip_address}
COMPARE = {
    "lt": lambda a, b: a < b,
    "lte": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "gte": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "before": lambda a, b: a < b,
    "after": lambda a, b: a > b,
    "contains": lambda a, b: b in a,
    "starts": lambda a, b: a.startswith(b),
    "ends": lambda a, b: a.endswith(b),
    "matches": lambda a, b: re.search(b, a) is not None,
}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fits(value, type_):
    """Whether a value has the attribute's type. A value of another type counts as missing."""
    if type_ in READ:
        try:
            return isinstance(value, str) and READ[type_](value) is not None
        except (ValueError, AttributeError):
            return False
    if type_ in ("string[]", "number[]"):
        return isinstance(value, list)
    return {"string": isinstance(value, str), "boolean": isinstance(value, bool)}.get(
        type_, is_number(value)
    )


class Evaluator:
    """Evaluates one document at one time. `assigned` contains the stored assignments of sticky experiments."""

    def __init__(self, document, now, assigned):
        self.document = document
        self.now = now
        self.assigned = assigned
        self.types = {it["name"]: it["type"] for it in document["attributes"]}
        self.flags = {it["key"]: it for it in document["flags"]}
        self.segments = {it["key"]: it["match"] for it in document["segments"]}
        self.layers = {it["key"]: it for it in document["layers"]}

    def is_met(self, condition, context):
        if "all" in condition:
            return all(self.is_met(it, context) for it in condition["all"])
        if "any" in condition:
            return any(self.is_met(it, context) for it in condition["any"])
        if "not" in condition:
            return not self.is_met(condition["not"], context)
        if "segment" in condition:
            return self.is_met(self.segments[condition["segment"]], context)
        op = condition["op"]
        if op in NEGATED:
            return not self.is_true(NEGATED[op], condition, context)
        return self.is_true(op, condition, context)

    def is_true(self, op, condition, context):
        value = context.get(condition["attr"])
        type_ = self.types.get(condition["attr"], "string")
        if op == "exists":
            return value is not None
        if value is None or not fits(value, type_):
            return False
        if op in ("has_any", "has_all"):
            # A number never equals a string or a boolean.
            members = [member for member in value if not isinstance(member, bool)]
            return {"has_any": any, "has_all": all}[op](wanted in members for wanted in condition["values"])
        read = READ.get(type_, lambda it: it)
        value = read(value)
        if op == "cidr":
            return any(value in network(it) for it in condition["values"])
        if op == "in":
            return any(value == read(it) for it in condition["values"])
        if op == "between":
            least, most = map(read, condition["values"])
            return least <= value <= most
        return COMPARE[op.removeprefix("semver_")](value, read(condition["value"]))

    def evaluate(self, flag, context):
        """Returns (variation, kind, from, [[holdout, group]…])."""
        if flag["archived"] or not flag["on"]:
            return flag["offVariation"], "OFF", "flag", []
        for it in flag["overrides"]:
            if unit_of(context, it["unit"]) == it["id"]:
                return it["variation"], "OVERRIDE", "override", []
        for it in flag["prerequisites"]:
            variation, kind, *_ = self.evaluate(self.flags[it["flag"]], context)
            if kind == "OFF" or variation not in it["in"]:
                return flag["offVariation"], "PREREQUISITE_FAILED", "flag:" + it["flag"], []
        groups = self.groups(flag, context)
        for key, group in groups:
            if group == "HELD_OUT":
                return flag["baselineVariation"], "HOLDOUT", "holdout:" + key, groups
        for rule in flag["rules"]:
            if self.is_met(rule["when"], context):
                served = self.serve(flag, rule, context)
                if served:
                    return *served, groups
        return flag["defaultVariation"], "DEFAULT", "default", groups

    def groups(self, flag, context):
        groups = []
        for holdout in sorted(self.document["holdouts"], key=lambda it: it["priority"]):
            population = holdout["population"]
            if not applies(holdout, flag) or population and not self.is_met(population, context):
                continue
            group = "GENERAL"
            unit = unit_of(context, holdout["unit"])
            if unit is not None:
                drawn = bucket(f"h:{holdout['salt']}:{unit}")
                share = round(holdout["percent"] * 1000)
                if drawn < share:
                    group = "HELD_OUT"
                elif drawn < 2 * share:
                    group = "COMPARISON"
            groups.append([holdout["key"], group])
        return groups

    def serve(self, flag, rule, context):
        serve = rule["serve"]
        source = "rule:" + rule["id"]
        if "variation" in serve:
            return serve["variation"], "TARGET" if only_segments(rule["when"]) else "RULE", source
        if "rollout" in serve:
            rollout = serve["rollout"]
            unit = unit_of(context, rollout["unit"])
            past = [it["percent"] for it in rollout["steps"] if instant(it["at"]) <= self.now]
            reach = round(past[-1] * 1000) if past else 0
            is_in = unit is not None and bucket(f"r:{flag['salt']}:{rule['id']}:{unit}") < reach
            return (rollout["variation"], "ROLLOUT", source) if is_in else None
        variation = self.draw(flag, rule, serve["experiment"], context)
        source = "experiment:" + serve["experiment"]["key"]
        return (variation, "AB_TEST", source) if variation else None

    def draw(self, flag, rule, experiment, context):
        unit = unit_of(context, experiment["unit"])
        if experiment["status"] != "running" or unit is None:
            return None
        if "layer" in experiment:
            layer = self.layers[experiment["layer"]]
            slot = bucket(f"l:{layer['salt']}:{unit}")
            if not any(
                it["experiment"] == experiment["key"] and it["from"] <= slot < it["to"]
                for it in layer["slots"]
            ):
                return None
        place = experiment["key"], unit
        if experiment["sticky"] and place in self.assigned:
            variation, version = self.assigned[place]
            if version < experiment["minBucketVersion"]:
                return None
            if version == experiment["bucketVersion"]:
                return variation
        if bucket(f"r:{flag['salt']}:{rule['id']}:{unit}") >= experiment["coverage"]:
            return None
        remaining = bucket(f"v:{experiment['seed']}:{unit}")
        for it in flag["variations"]:
            weight = experiment["weights"].get(it["key"], 0)
            if remaining < weight:
                if experiment["sticky"]:
                    self.assigned[place] = it["key"], experiment["bucketVersion"]
                return it["key"]
            remaining -= weight
        raise AssertionError("weights sum to 100,000")


def applies(holdout, flag):
    if holdout["status"] not in ("running", "analysis"):
        return False
    is_tested = any(
        it["serve"].get("experiment", {}).get("status") == "running" for it in flag["rules"]
    )
    if holdout["scope"] == "experiments" and not is_tested:
        return False
    choice = holdout["applies"]
    if choice["mode"] == "global":
        return flag["key"] not in choice["exceptFlags"]
    return flag["key"] in choice["flags"] or bool(set(choice["tags"]) & set(flag["tags"]))


def only_segments(condition):
    """Whether a condition consists of segments only."""

    def leaves(it):
        for inner in it.get("all", []) + it.get("any", []) + ([it["not"]] if "not" in it else []):
            yield from leaves(inner)
        if not it.keys() & {"all", "any", "not"}:
            yield "segment" in it

    named = list(leaves(condition))
    return bool(named) and all(named)
