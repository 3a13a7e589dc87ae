"""Reports random experiments to the running program and compares its results with those of gbstats.

Each experiment has its own number of arms, weights, kind of metric, direction and cap. Some lose events, and
some show people two arms. The expected results are computed here from the people, and never from the
program's sums: which people count, the sums of their values, and then the tests of gbstats."""

import http.client
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta, timezone

from gbstats.frequentist.tests import SequentialConfig, SequentialTwoSidedTTest
from gbstats.models.statistics import (
    ProportionStatistic,
    RatioStatistic,
    RegressionAdjustedStatistic,
    SampleMeanStatistic,
    compute_theta,
)
from gbstats.utils import check_srm

EXPERIMENTS = 200
DIGITS = 1e-6
KINDS = ["conversion", "sum", "mean", "ratio"]
UNITS_LEAST = 8
START = datetime.now(timezone.utc) - timedelta(days=10)


class Program:
    """The program on a free port, with a temporary data directory."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        environment = {**os.environ, "MUSETTE_TEST": "1", "MUSETTE_LIMITS": "off"}
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--data", folder],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        address = self.process.stdout.readline().rsplit("/", 1)[-1].strip()
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.key = self.run("key", "create", "--env", "production", "--kind", "server").strip()
        self.run("user", "add", "--id", "reader", "--role", "operator", "--email", "r@larkspur.example")
        issued = self.run("token", "issue", "--user", "reader", "--access-ttl", "3600")
        self.token = json.loads(issued)["dhhToken"]

    def run(self, *arguments):
        command = [self.binary, *arguments, "--data", self.folder]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def call(self, method, path, token, body=None):
        headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        self.connection.request(method, path, body and json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise AssertionError(f"{answer.status} {text} to {path}")
        return json.loads(text)

    def save(self, document):
        file = os.path.join(self.folder, "document.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(document, out)
        self.run("flags", "import", file, "--env", "production")

    def report(self, what, rows):
        for begin in range(0, len(rows), 500):
            some = rows[begin : begin + 500]
            answer = self.call("POST", f"/api/flags/v3/{what}", self.key, some)
            assert answer["accepted"] == len(some), answer

    def results(self, key, more=""):
        return self.call("GET", f"/api/admin/v1/experiments/{key}/results{more}", self.token)


class Experiment:
    """One random experiment and its people."""

    def __init__(self, number, source):
        self.key, self.source = f"x{number}", source
        self.kind = KINDS[number % 4]
        self.direction = source.choice(["increase", "decrease"])
        self.cap = source.choice([None, 6.0]) if self.kind == "sum" else None
        self.arms = [f"a{arm}" for arm in range(source.randint(2, 5))]
        parts = [source.choice([1, 1, 2, 4]) for _ in self.arms]
        weights = [100_000 * part // sum(parts) for part in parts]
        weights[0] += 100_000 - sum(weights)
        self.weights = dict(zip(self.arms, weights))
        self.adjustable = source.random() < 0.4
        lost = source.choice(self.arms) if source.random() < 0.15 else None
        wandering = 0.05 if source.random() < 0.1 else 0.0
        effects = {arm: source.choice([0.0, 0.0, 0.3, -0.3, 0.7]) for arm in self.arms[1:]}
        size = source.choice([20, 150, 600])
        self.people = []
        for arm in self.arms:
            people = round(size * len(self.arms) * self.weights[arm] / 100_000)
            people = round(people * (0.6 if arm == lost else 1.0))
            for number in range(people):
                effect = effects.get(arm, 0.0)
                self.people.append(self.person(f"{self.key}-{arm}-{number}", arm, effect, wandering))

    def person(self, unit, arm, effect, wandering):
        source = self.source
        seen = START + timedelta(minutes=source.randint(0, 8 * 24 * 60))
        habit = source.gauss(0, 1)
        values = [(seen + timedelta(hours=source.randint(0, 30)), self.amount(effect, habit))
                  for _ in range(source.choice([0, 1, 1, 2, 5]))]  # fmt: skip
        if self.adjustable:
            values += [(seen - timedelta(days=source.randint(1, 13), hours=1), self.amount(0, habit))
                       for _ in range(source.choice([0, 1, 2]))]  # fmt: skip
            values.append((seen - timedelta(days=15), 1000.0))
        others = [(at, float(source.randint(1, 4))) for at, _ in values if source.random() < 0.9]
        second = source.choice(self.arms) if source.random() < wandering else arm
        return {"unit": unit, "arms": {arm, second}, "seen": seen, "values": values, "others": others}

    def amount(self, effect, habit):
        if self.kind == "conversion":
            return float(self.source.random() < 0.3 + 0.1 * habit + 0.3 * effect)
        return round(max(0.0, self.source.gauss(2 + effect + 0.5 * habit, 1)), 3)

    def metrics(self):
        metric = {"key": self.key, "kind": self.kind, "direction": self.direction}
        if self.cap:
            metric["cap"] = self.cap
        if self.kind != "ratio":
            return [metric]
        return [{**metric, "denominator": self.key + "-by"}, {"key": self.key + "-by"}]

    def flag(self):
        experiment = {"key": self.key, "weights": self.weights, "goal": self.key}
        return {
            "key": self.key, "type": "string",
            "variations": [{"key": arm, "value": arm} for arm in self.arms],
            "offVariation": self.arms[0], "defaultVariation": self.arms[0],
            "rules": [{"id": "test", "serve": {"experiment": experiment}}],
        }  # fmt: skip

    def events(self):
        for person in self.people:
            for arm in sorted(person["arms"]):
                yield {
                    "name": "ab_test.participated", "id": f"{person['unit']}-{arm}",
                    "unit": person["unit"], "experiment": self.key, "phase": 1, "variation": arm,
                    "at": instant(person["seen"]),
                }  # fmt: skip

    def values(self):
        for person in self.people:
            reported = [(self.key, person["values"])]
            if self.kind == "ratio":
                reported.append((self.key + "-by", person["others"]))
            for metric, values in reported:
                for number, (at, value) in enumerate(values):
                    yield {
                        "id": f"{metric}-{person['unit']}-{number}", "unit": person["unit"],
                        "metric": metric, "value": value, "at": instant(at),
                    }  # fmt: skip

    def total(self, values):
        total = sum(values)
        if self.kind == "conversion":
            return float(total > 0)
        return min(total, self.cap) if self.cap else total

    def samples(self):
        """Returns each arm's people as (y, x, d): the values after and before, and the divisor of a ratio."""
        samples = {arm: [] for arm in self.arms}
        with_past = False
        for person in self.people:
            if len(person["arms"]) > 1:
                continue
            (arm,) = person["arms"]
            seen = person["seen"]
            after = [value for at, value in person["values"] if at >= seen]
            before = [value for at, value in person["values"]
                      if seen - timedelta(days=14) <= at < seen]  # fmt: skip
            with_past = with_past or bool(before)
            others = [value for at, value in person["others"] if at >= seen]
            divisor = len(after) if self.kind == "mean" else sum(others)
            samples[arm].append((self.total(after), self.total(before), float(divisor)))
        return samples, with_past and self.kind in ("conversion", "sum")


def instant(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def mean_of(kind, values):
    n, total, squares = len(values), sum(values), sum(value * value for value in values)
    if kind == "conversion":
        return ProportionStatistic(n=n, sum=total)
    return SampleMeanStatistic(n=n, sum=total, sum_squares=squares)


def statistic(kind, sample, adjusted):
    y, x, d = ([part[at] for part in sample] for at in range(3))
    if kind in ("mean", "ratio"):
        return RatioStatistic(
            n=len(sample), m_statistic=mean_of(kind, y), d_statistic=mean_of(kind, d),
            m_d_sum_of_products=sum(a * b for a, b in zip(y, d)),
        )  # fmt: skip
    if not adjusted:
        return mean_of(kind, y)
    return RegressionAdjustedStatistic(
        n=len(sample), post_statistic=mean_of(kind, y), pre_statistic=mean_of(kind, x),
        post_pre_sum_of_products=sum(a * b for a, b in zip(y, x)), theta=0,
    )  # fmt: skip


def compared(experiment, baseline, arm, adjusted, comparisons):
    """Returns the verdict and its numbers; None without enough data."""
    if min(len(baseline), len(arm)) < UNITS_LEAST:
        return None
    both = [statistic(experiment.kind, sample, adjusted) for sample in (baseline, arm)]
    if experiment.kind in ("mean", "ratio") and min(sum(p[2] for p in s) for s in (baseline, arm)) <= 0:
        return None
    if adjusted:
        theta = compute_theta(*both)
        for it in both:
            it.theta = theta
    if sum(it.variance / it.n for it in both) <= 0:
        return None
    config = SequentialConfig(difference_type="absolute", alpha=0.05 / comparisons)
    result = SequentialTwoSidedTTest(*both, config).compute_result()
    low, high = (float(end) for end in result.ci)
    sign = 1 if experiment.direction == "increase" else -1
    verdict = "not_yet"
    if not low <= 0 <= high:
        verdict = "better" if (low > 0) == (sign > 0) else "worse"
    p_value = min(1.0, float(result.p_value) * comparisons)
    return verdict, float(result.expected), low, high, p_value


def warnings_of(experiment):
    counts = [sum(arm in person["arms"] for person in experiment.people) for arm in experiment.arms]
    weights = [experiment.weights[arm] for arm in experiment.arms]
    all_units = sum(counts)
    due = min(all_units * weight / 100_000 for weight in weights) >= UNITS_LEAST
    enough = min(counts) >= UNITS_LEAST
    if (enough or due) and check_srm(counts, weights) < 0.001:
        yield "sample_ratio_mismatch"
    several = sum(len(person["arms"]) > 1 for person in experiment.people)
    if several >= 10 and several / len(experiment.people) > 0.01:
        yield "multiple_exposures"


def near(got, want):
    return math.isclose(got, want, rel_tol=DIGITS, abs_tol=1e-9)


def differences(experiment, found, daily, seen):
    expected_warnings = list(warnings_of(experiment))
    seen.update(expected_warnings or ["readable"])
    if found["warnings"] != expected_warnings:
        yield f"warnings: {found['warnings']}, expected {expected_warnings}"
    metric = found["metric"]
    samples, adjusted = experiment.samples()
    comparisons = len(experiment.arms) - 1
    said = (metric["kind"], metric["direction"], metric["adjusted"], metric["comparisons"])
    if said != (experiment.kind, experiment.direction, adjusted, comparisons):
        yield f"metric: {said}, adjusted {adjusted}"
    last = {it["arm"]: it for it in daily["days"][-1]["arms"]}
    for arm in metric["arms"][1:]:
        want = compared(experiment, samples[experiment.arms[0]], samples[arm["arm"]], adjusted, comparisons)
        seen[want[0] if want else "no_data"] += 1
        if arm["units"] != len(samples[arm["arm"]]):
            yield f"{arm['arm']}: {arm['units']} people, expected {len(samples[arm['arm']])}"
        if want is None:
            if arm["verdict"] != "no_data" or "comparison" in arm:
                yield f"{arm['arm']}: {arm}, expected nothing"
            continue
        effect = arm["comparison"]["difference"]
        interval = effect["always"]["interval"]
        got = (arm["verdict"], effect["value"], interval["low"], interval["high"], effect["always"]["pValue"])
        if got[0] != want[0] or not all(near(a, b) for a, b in zip(got[1:], want[1:])):
            yield f"{arm['arm']}: {got}, expected {want}"
        day = last[arm["arm"]]
        by_day = (day["difference"], day["interval"]["low"], day["interval"]["high"])
        if not all(near(a, b) for a, b in zip(by_day, want[1:4])):
            yield f"{arm['arm']}: the last day says {by_day}, expected {want[1:4]}"


def main(binary, seed):
    source = random.Random(seed)
    experiments = [Experiment(number, source) for number in range(EXPERIMENTS)]
    seen, wrong = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, folder)
        try:
            program.save({
                "schema": "musette.flags/1", "environment": "production",
                "metrics": [metric for it in experiments for metric in it.metrics()],
                "flags": [it.flag() for it in experiments],
            })  # fmt: skip
            program.report("events", [row for it in experiments for row in it.events()])
            program.report("metrics", [row for it in experiments for row in it.values()])
            for experiment in experiments:
                found = program.results(experiment.key)
                daily = program.results(experiment.key, "/daily")
                for difference in differences(experiment, found, daily, seen):
                    wrong += 1
                    print(f"{experiment.key} ({experiment.kind}): {difference}")
        finally:
            program.process.terminate()
            program.process.wait()
    print(f"{EXPERIMENTS} experiments compared with gbstats, {wrong} differences; {dict(seen)}")
    # Each outcome must have been tried.
    tried = {"better", "worse", "not_yet", "sample_ratio_mismatch", "multiple_exposures", "readable"}
    sys.exit(1 if wrong or tried - set(seen) else 0)


main(sys.argv[1], int(os.environ.get("SEED", "20261122")))
