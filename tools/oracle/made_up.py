"""Generates random documents and people that use every part of the schema in any combination."""

TYPES = {
    "country": "string",
    "age": "number",
    "pro": "boolean",
    "app": "semver",
    "since": "date",
    "ip": "ip",
    "zones": "string[]",
    "numbers": "number[]",
}
UNITS = ["key", "userId", "anonymousId", "email", "age", "country"]
COUNTRIES = ["UY", "DE", "FR", "مصر", "Ünter", "uy", ""]
IDS = [f"u{it}" for it in range(30)]
PIECES = ["U", "u", "1", "er", "ü", "صر"]
PATTERNS = ["^u", "[0-9]$", "U", "nt.r", "^$"]
VERSIONS = [
    "1.0.0", "1.2.3", "1.2.3-beta.2", "1.2.3-beta.11", "2.0.0+b5", "10.0.0", "2.0.0-rc.1", "0.9.9",
]  # fmt: skip
DATES = [
    "2026-01-01T00:00:00Z",
    "2026-06-01T12:00:00+02:00",
    "2026-06-01T10:00:00.000Z",
    "2025-12-31T23:59:59.999Z",
    "2027-01-01T00:00:00-05:00",
]
ADDRESSES = ["10.1.2.3", "10.2.0.1", "192.168.4.4", "2001:db8::1", "2001:db8:1::5", "::1"]
NETWORKS = [
    "10.0.0.0/8", "10.1.0.0/16", "2001:db8::/32", "192.168.4.4/32", "::1/128", "0.0.0.0/0",
]  # fmt: skip
NUMBERS = [0, 1, -1, 9, 10, 10.5, 2**53 - 1, 0.1, 1e3]
FOREIGN = [1, "x", True, [], {}, ["a", 1], "1.2", 0.5, "2026-13-01T00:00:00Z", "300.1.1.1", None, ""]
VALUES = {
    "boolean": [True, False],
    "string": ["a", 'b"\u2028', "", "d"],
    "number": [1, 2.5, -3, 2**53 - 1],
    "json": [{"a": [1, None]}, [], {"x": "é"}, [{}]],
}


def several(random, pool, most):
    return random.sample(pool, random.randint(0, most))


def leaf(random, document):
    if document["segments"] and random.random() < 0.25:
        return {"segment": random.choice(document["segments"])["key"]}
    attribute = random.choice([*TYPES, "userId", "email"])
    if random.random() < 0.08:
        return {"attr": attribute, "op": "exists"}
    type_ = TYPES.get(attribute, "string")
    one = lambda op, pool: {"attr": attribute, "op": op, "value": random.choice(pool)}
    many = lambda op, pool, n: {"attr": attribute, "op": op, "values": random.sample(pool, n)}
    pick = lambda ops: random.choice(ops.split())
    if type_ == "boolean":
        return one(pick("eq ne"), [True, False])
    if type_ == "semver":
        return one(pick("semver_eq semver_lt semver_lte semver_gt semver_gte"), VERSIONS)
    if type_ == "date":
        return one(pick("before after"), DATES)
    if type_ == "ip":
        return many("cidr", NETWORKS, 2)
    if type_ == "string[]":
        return many(pick("has_any has_all"), ["a", "b", "c", "d"], 2)
    if type_ == "number[]":
        return many(pick("has_any has_all"), [1, 2, 3, 4.5], 2)
    pool = NUMBERS if type_ == "number" else COUNTRIES if attribute == "country" else IDS
    op = pick("eq ne in not_in " + ("lt lte gt gte between" if type_ == "number" else
              "contains not_contains starts ends matches"))  # fmt: skip
    if op == "between":
        return {"attr": attribute, "op": op, "values": sorted(random.sample(pool, 2))}
    if op in ("in", "not_in"):
        return many(op, pool, 3)
    if op == "matches":
        return one(op, PATTERNS)
    return one(op, PIECES if op in ("contains", "not_contains", "starts", "ends") else pool)


def condition(random, document, depth=0):
    kind = random.random() if depth < 3 else 1
    inner = lambda: condition(random, document, depth + 1)
    if kind < 0.45:
        name = "all" if kind < 0.25 else "any"
        return {name: [inner() for _ in range(random.randint(0, 3))]}
    return {"not": inner()} if kind < 0.55 else leaf(random, document)


def weights(random, keys):
    cuts = sorted(random.randint(0, 100_000) for _ in keys[1:])
    return {key: to - from_ for key, from_, to in zip(keys, [0, *cuts], [*cuts, 100_000])}


def serve(random, document, keys, experiments):
    kind = random.random()
    if kind < 0.35:
        return {"variation": random.choice(keys)}
    if kind < 0.65:
        steps = [
            {"at": "2026-11-02T06:00:00Z", "percent": random.choice([5, 33.333, 50])},
            {"at": "2026-11-16T06:00:00Z", "percent": random.choice([60, 75.5, 100])},
            {"at": "2099-01-01T00:00:00Z", "percent": 100},
        ]
        unit = random.choice(UNITS)
        return {"rollout": {"unit": unit, "steps": steps, "variation": random.choice(keys)}}
    experiment = {
        # Never a key of an earlier document, whose sticky assignments would still apply.
        "key": f"experiment-{random.getrandbits(64):x}",
        "unit": random.choice(UNITS),
        "seed": str(random.random()),
        "coverage": random.choice([100_000, 50_000, 12_345, 0]),
        "weights": weights(random, keys),
        "sticky": random.random() < 0.5,
        "bucketVersion": 1,
        "minBucketVersion": 0,
        "phase": 1,
        "status": random.choice(["running", "running", "draft"]),
    }
    if random.random() < 0.4:
        experiment["layer"] = random.choice([it["key"] for it in document["layers"]])
    experiments.append(experiment)
    return {"experiment": experiment}


def flag(random, document, number, experiments):
    type_ = random.choice(list(VALUES))
    values = VALUES[type_][: 2 if type_ == "boolean" else random.randint(2, 4)]
    keys = [f"v{it}" for it in range(len(values))]
    made = {
        "key": f"flag-{number}",
        "type": type_,
        "on": random.random() < 0.9,
        "salt": str(random.random()),
        "tags": several(random, ["t1", "t2", "t3"], 2),
        "archived": random.random() < 0.05,
        "variations": [{"key": key, "value": value} for key, value in zip(keys, values)],
        "prerequisites": [],
        "overrides": [],
        "rules": [],
    }
    for name in ("offVariation", "defaultVariation", "baselineVariation"):
        made[name] = random.choice(keys)
    if document["flags"] and random.random() < 0.3:
        other = random.choice(document["flags"])
        theirs = [it["key"] for it in other["variations"]]
        fulfils = random.sample(theirs, random.randint(1, len(theirs)))
        made["prerequisites"].append({"flag": other["key"], "in": fulfils})
    if random.random() < 0.2:
        override = {"unit": "userId", "id": random.choice(IDS), "variation": random.choice(keys)}
        made["overrides"].append(override)
    for place in range(random.randint(0, 4)):
        when = condition(random, document)
        what = serve(random, document, keys, experiments)
        made["rules"].append({"id": f"r{place}", "when": when, "serve": what})
    return made


def holdout(random, document, number):
    is_global = random.random() < 0.5
    return {
        "key": f"holdout-{number}",
        "salt": str(random.random()),
        "unit": random.choice(["key", "userId", "email"]),
        "percent": random.choice([5, 20, 12.345]),
        "status": random.choice(["running", "running", "analysis", "ended", "draft"]),
        "priority": number,
        "scope": random.choice(["all", "experiments"]),
        "applies": {
            "mode": "global" if is_global else "selected",
            "exceptFlags": ["flag-2"] if is_global else [],
            "flags": [] if is_global else ["flag-1", "flag-5"],
            "tags": [] if is_global else ["t1"],
        },
        "population": condition(random, document) if random.random() < 0.3 else None,
    }


def document(random, flags=25):
    made = {
        "schema": "musette.flags/1",
        "environment": "oracle",
        "attributes": [{"name": name, "type": type_} for name, type_ in TYPES.items()],
        "segments": [],
        "layers": [{"key": key, "salt": str(random.random())} for key in ("one", "two")],
        "holdouts": [],
        "flags": [],
    }
    for number in range(4):
        made["segments"].append({"key": f"s{number}", "match": condition(random, made)})
    experiments = []
    for number in range(flags):
        made["flags"].append(flag(random, made, number, experiments))
    for layer in made["layers"]:
        inside = [it["key"] for it in experiments if it.get("layer") == layer["key"]]
        step = 100_000 // max(len(inside), 1)
        layer["slots"] = [
            {"experiment": key, "from": place * step, "to": (place + 1) * step}
            for place, key in enumerate(inside)
        ]
    made["holdouts"] = [holdout(random, made, number) for number in range(3)]
    return made


def redrawn(random, document):
    """Changes weights, and bucket versions and seeds of some experiments, so that sticky assignments matter."""
    for flag in document["flags"]:
        for rule in flag["rules"]:
            experiment = rule["serve"].get("experiment")
            if experiment:
                experiment["weights"] = weights(random, list(experiment["weights"]))
                experiment["bucketVersion"] += random.random() < 0.3
                if random.random() < 0.3:
                    experiment["minBucketVersion"] = experiment["bucketVersion"]
    return document


def person(random):
    made = {
        "key": f"k{random.randint(0, 9_999)}",
        "userId": random.choice(IDS),
        "anonymousId": f"a{random.random()}",
        "email": f"{random.choice(IDS)}@larkspur.example",
        "country": random.choice(COUNTRIES),
        "age": random.choice(NUMBERS),
        "pro": random.random() < 0.5,
        "app": random.choice(VERSIONS),
        "since": random.choice(DATES),
        "ip": random.choice(ADDRESSES),
        "zones": several(random, ["a", "b", "c", "d"], 3),
        "numbers": several(random, [1, 2, 3, 4.5], 3),
    }
    made = {name: value for name, value in made.items() if random.random() < 0.75}
    if random.random() < 0.3:
        made[random.choice([*TYPES, "key", "userId", "email"])] = random.choice(FOREIGN)
    return made
