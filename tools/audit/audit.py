"""Checks the crates of Cargo.lock for known vulnerabilities, against the snapshot in advisories.json.

`cargo audit` and `cargo deny` do the same with the newest database; this script needs neither them nor a
network. It exits with 1 if a crate is affected and not in ACCEPTED, or if an entry there is stale.
"""

import json
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent

# Advisories that do not affect us: id and reason.
ACCEPTED = {
    "RUSTSEC-2023-0071": "timing reveals RSA private keys, but openidconnect only verifies with public keys",
    "RUSTSEC-2026-0253": "needs keys whose Drop panics; only tests depend on it, through rqrr",
}


def version(text):
    """Returns a sort key in the order of semver: a pre-release comes before its release."""
    core, _, pre = text.split("+")[0].partition("-")
    numbers = tuple(int(it) for it in core.split("."))
    numbers += (0,) * (3 - len(numbers))
    parts = tuple((0, int(it), "") if it.isdigit() else (1, 0, it) for it in pre.split(".")) if pre else ()
    return numbers, not pre, parts


def upper(text, operator):
    """Returns the first version above the range `^text` or `~text`."""
    numbers = [int(number) for number in text.split("-")[0].split(".")]
    if operator == "~":
        at = 1 if len(numbers) > 1 else 0
    else:
        at = next((i for i, number in enumerate(numbers) if number), len(numbers) - 1)
    return version(".".join(map(str, [*numbers[:at], numbers[at] + 1])))


def matches(have, requirement):
    for part in requirement.split(","):
        operator, text = re.fullmatch(r"\s*(>=|<=|>|<|=|\^|~|)\s*([0-9A-Za-z.+-]+)\s*", part).groups()
        want = version(text)
        good = {
            ">=": have >= want,
            ">": have > want,
            "<=": have <= want,
            "<": have < want,
            "=": have == want,
        }.get(operator)
        if good is None:
            good = want <= have < upper(text, operator)
        if not good:
            return False
    return True


def affects(advisory, have):
    fine = advisory.get("patched", []) + advisory.get("unaffected", [])
    return not any(matches(have, requirement) for requirement in fine)


def affected_packages(packages, crates):
    for package in packages:
        if not package.get("source", "").startswith("registry+"):
            continue
        for advisory in crates.get(package["name"], []):
            if affects(advisory, version(package["version"])):
                yield package, advisory


def main():
    database = json.loads((HERE / "advisories.json").read_text())
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    affected = list(affected_packages(packages, database["crates"]))
    accepted = {advisory["id"] for _, advisory in affected} & ACCEPTED.keys()
    new = [(package, advisory) for package, advisory in affected if advisory["id"] not in ACCEPTED]
    for package, advisory in new:
        kind = advisory.get("informational", "vulnerability")
        print(f"{package['name']} {package['version']}: {advisory['id']} ({kind}): https://rustsec.org/advisories/{advisory['id']}")
    stale = ACCEPTED.keys() - accepted
    for name in stale:
        print(f"{name} no longer affects any crate: remove it from ACCEPTED")
    if new or stale:
        sys.exit(1)
    print(f"{len(packages)} crates, none affected by the advisories known on {database['date']}; {len(accepted)} accepted")


def check_itself():
    """Checks version ranges whose result is known (self-test)."""
    for have, requirement, want in [
        ("1.2.3", ">= 1.2.3", True), ("1.2.3-rc.1", ">= 1.2.3", False), ("0.4.9", "^0.4.2", True),
        ("0.5.0", "^0.4.2", False), ("2.0.0", "^1", False), ("1.9.0", "1", True), ("0.0.4", "^0.0.3", False),
        ("1.2.9", "~1.2.3", True), ("1.3.0", "~1.2.3", False), ("0.7.1", ">= 0.7.0, < 0.7.2", True),
        ("0.7.2", ">= 0.7.0, < 0.7.2", False), ("1.10.0", "> 1.9.0", True), ("1.0.0-alpha.10", "> 1.0.0-alpha.9", True),
    ]:
        assert matches(version(have), requirement) == want, (have, requirement)
    old = [{"name": "a", "version": "1.0.0", "source": "registry+x"}]
    crates = {"a": [{"id": "R-1", "patched": [">= 1.0.1"]}, {"id": "R-2", "unaffected": ["< 1.0.1"]}]}
    assert [advisory["id"] for _, advisory in affected_packages(old, crates)] == ["R-1"]


if __name__ == "__main__":
    check_itself()
    main()
