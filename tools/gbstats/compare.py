"""Computes the same statistics with our code and with gbstats. A difference within 6 digits is an error."""

import json
import math
import random
import subprocess
import sys

import numpy

from gbstats.frequentist.tests import (
    FrequentistConfig,
    SequentialConfig,
    SequentialTwoSidedTTest,
    TwoSidedTTest,
)
from gbstats.models.statistics import (
    ProportionStatistic,
    RegressionAdjustedStatistic,
    SampleMeanStatistic,
    compute_theta,
)
from gbstats.utils import check_srm

DIGITS = 1e-6
# For a large difference, gbstats' test statistic overflows a double. The p-value is 0 anyway.
numpy.seterr(over="ignore")
# gbstats computes a p-value as 1 minus its complement, which limits it to 16 decimal places.
P_VALUE_LEAST = 1e-9


def sums(random, n, measure, effect):
    """Returns the sums over n generated units."""
    total = {"n": n, "y": 0.0, "y2": 0.0, "x": 0.0, "x2": 0.0, "xy": 0.0}
    for _ in range(n):
        if measure == "proportion":
            x = float(random.random() < 0.3)
            y = float(random.random() < 0.1 + 0.4 * x + effect)
        else:
            x = random.gauss(40, 12)
            y = 0.7 * x + random.gauss(10, 8) * (1 + effect) + 5 * effect
        for name, value in (("y", y), ("y2", y * y), ("x", x), ("x2", x * x), ("xy", x * y)):
            total[name] += value
    return total


def questions(random):
    for sizes in [(40, 55), (400, 400), (3_000, 2_000), (20_000, 20_100)]:
        for measure in ["mean", "proportion"]:
            for effect in [0.0, 0.02, 0.2]:
                for adjusted in [False, True]:
                    for alpha in [0.05, 0.01]:
                        yield {
                            "ask": "compare",
                            "baseline": sums(random, sizes[0], measure, 0.0),
                            "other": sums(random, sizes[1], measure, effect),
                            "measure": measure,
                            "adjusted": adjusted,
                            "alpha": alpha,
                        }
    for arms in range(2, 7):
        for scale in [20, 1_000, 1_000_000]:
            for skew in [0.0, 0.01, 0.1]:
                weights = [random.uniform(0.5, 2) for _ in range(arms)]
                units = [round(w * scale * (1 + random.uniform(-skew, skew))) for w in weights]
                yield {"ask": "ratio", "arms": list(zip(units, weights))}


def plain(sums, measure, name):
    if measure == "proportion":
        return ProportionStatistic(n=sums["n"], sum=sums[name])
    return SampleMeanStatistic(n=sums["n"], sum=sums[name], sum_squares=sums[name + "2"])


def arms(question):
    measure, both = question["measure"], (question["baseline"], question["other"])
    if not question["adjusted"]:
        return [plain(arm, measure, "y") for arm in both]
    statistics = [
        RegressionAdjustedStatistic(
            n=arm["n"],
            post_statistic=plain(arm, measure, "y"),
            pre_statistic=plain(arm, measure, "x"),
            post_pre_sum_of_products=arm["xy"],
            theta=0,
        )
        for arm in both
    ]
    theta = compute_theta(*statistics)
    for arm in statistics:
        arm.theta = theta
    return statistics


def expected(question):
    """Yields the name of each number with the value that gbstats computes."""
    if question["ask"] == "ratio":
        units, weights = zip(*question["arms"])
        yield "pValue", check_srm(list(units), list(weights))
        return
    baseline, other = arms(question)
    for ours, theirs in [("difference", "absolute"), ("lift", "relative")]:
        once = TwoSidedTTest(
            baseline, other, FrequentistConfig(difference_type=theirs, alpha=question["alpha"])
        ).compute_result()
        always = SequentialTwoSidedTTest(
            baseline, other, SequentialConfig(difference_type=theirs, alpha=question["alpha"])
        ).compute_result()
        yield f"{ours}.value", once.expected
        yield f"{ours}.standardError", once.uplift.stddev
        for name, result in [("once", once), ("always", always)]:
            yield f"{ours}.{name}.pValue", result.p_value
            yield f"{ours}.{name}.interval.low", result.ci[0]
            yield f"{ours}.{name}.interval.high", result.ci[1]


def at(answer, path):
    for name in path.split("."):
        answer = answer[name]
    return answer


def main():
    requests = list(questions(random.Random(20261121)))
    lines = "\n".join(json.dumps(question) for question in requests)
    run = subprocess.run([sys.argv[1]], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(requests), "an answer is missing"
    compared, wrong = 0, 0
    for question, answer in zip(requests, answers):
        for path, want in expected(question):
            got, want = at(answer, path), float(want)
            least = P_VALUE_LEAST if path.endswith("pValue") else 0.0
            compared += 1
            if not math.isclose(got, want, rel_tol=DIGITS, abs_tol=least):
                wrong += 1
                print(f"{path}: got {got}, gbstats gives {want}, for {json.dumps(question)}")
    print(f"{compared} numbers compared with gbstats, {wrong} differ")
    sys.exit(1 if wrong or compared < 1000 else 0)


main()
