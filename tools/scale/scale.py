#!/usr/bin/env python3
"""Recomputes the tables of docs/scale.md from bench/results and the assumptions below.

scale.py            prints the tables
scale.py --write    writes them into docs/scale.md
scale.py --check    fails if the tables in docs/scale.md are stale"""

import math
import sys

from measured import ROOT, measured, measured_at

PAGE = ROOT / "docs/scale.md"

# Given by the task.
RIDERS = 10_000_000
FLAG_RATE = 1_650
FLAG_PEAK = 20

# Assumed; change them and run --write. Shares of riders by region.
REGIONS = {"eu": 0.30, "us": 0.30, "ap": 0.22, "me": 0.10, "sg": 0.08}
ASSUMED = {
    "busy": (0.5, "share of a measured rate that is planned for; the rest is for a lost node and for bursts"),
    "day_peak": (2, "people who use the application at the daily peak, to the average"),
    "per_year": (4, "submissions of a rider in a year: one at the start, and new versions"),
    "hurry": (0.5, "share of the people who use the application at the peak and accept a new mandatory version within 15 minutes"),
    "streams_per_node": (50_000, "event streams on one node; only 10,000 were measured"),
    "events_per_rider": (10, "flag events of a rider on a day"),
    "region_rtt_ms": (150, "round trip between two distant regions"),
    "cpu_month": (30, "price of a processor with 4 GB for a month, in your currency"),
    "gb_month": (0.15, "price of a GB of replicated disk for a month"),
}
NODE_CPUS = 2
DATABASE_CPUS = 2
COPIES = 3


def assumed(name):
    return ASSUMED[name][0]


def whole(value):
    """Formats a number with three significant digits and separators; an integer with all digits."""
    if isinstance(value, int) or value == 0:
        return f"{value:,.0f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{round(value, digits):,.{max(0, digits)}f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---"] + ["--:"] * (len(header) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


class Region:
    """The load of a share of the riders, and the resources that serve it."""

    def __init__(self, share, data):
        get = lambda name: data[name][0]
        self.riders = RIDERS * share
        self.flags, self.flags_peak = FLAG_RATE * share, FLAG_RATE * FLAG_PEAK * share
        # Each client in use sends one request in 15 minutes, so the rate gives their number. Each also refreshes once.
        self.active = self.flags * get("ttl_s")
        self.active_peak = self.active * assumed("day_peak")
        self.refreshes = self.active_peak / get("ttl_s")
        self.hurry = self.active_peak * assumed("hurry") / get("ttl_s")
        self.events = self.riders * assumed("events_per_rider") / 86_400
        # With a hundred flags in each answer, which is the more expensive case.
        self.nodes_flags = self.flags_peak / (get("evaluations_100") * assumed("busy"))
        self.nodes_streams = self.active_peak / assumed("streams_per_node")
        # One more than needed, and at least three.
        self.nodes = max(3, math.ceil(max(self.nodes_flags, self.nodes_streams)) + 1)
        self.nodes_without = max(3, math.ceil(self.nodes_flags) + 1)
        self.stream_gb = self.active_peak * get("stream_kb") / 1e6
        self.session_stores = math.ceil(self.refreshes / (get("refreshes") * assumed("busy")))
        self.log_share = self.hurry / get("submissions")
        self.events_share = self.events / get("events")
        self.entries = self.riders * assumed("per_year")
        self.disk_gb = self.entries * get("submission_bytes") / 1e9
        self.people_gb = self.riders * get("person_bytes") / 1e9
        self.events_gb = self.riders * assumed("events_per_rider") * get("event_days") * get("event_bytes") / 1e9
        self.verify_s = self.entries / get("verified")
        self.polls = self.nodes / get("slow_poll_s")
        self.egress = self.flags_peak * get("answer_100") * 8 / 1e9
        # The log's own database, and additional ones for sessions.
        self.databases = max(1, self.session_stores)
        self.cpus = self.nodes * NODE_CPUS + self.databases * COPIES * DATABASE_CPUS
        self.cost = self.cpus * assumed("cpu_month") + (self.disk_gb + self.people_gb + self.events_gb) * COPIES * assumed("gb_month")


def load(regions):
    names = [*regions, "all"]
    cells = lambda of, add=True: [whole(of(it)) for it in regions.values()] + [whole(sum(of(it) for it in regions.values())) if add else ""]
    percent = lambda value: f"{value * 100:.0f} %"
    rows = [
        ["riders", *cells(lambda it: it.riders)],
        ["flag requests a second, average", *cells(lambda it: it.flags)],
        ["flag requests a second, peak", *cells(lambda it: it.flags_peak)],
        ["people who use the application, average", *cells(lambda it: it.active)],
        ["people who use the application, daily peak = event streams", *cells(lambda it: it.active_peak)],
        ["token refreshes a second, daily peak", *cells(lambda it: it.refreshes)],
        ["submissions a second after a new mandatory version", *cells(lambda it: it.hurry)],
        ["flag events a second", *cells(lambda it: it.events)],
    ]
    parts = [
        ["nodes of Musette", *cells(lambda it: it.nodes)],
        ["of them needed by evaluations at the peak", *cells(lambda it: it.nodes_flags)],
        ["of them needed by event streams", *cells(lambda it: it.nodes_streams)],
        ["nodes of Musette with `stream: false`", *cells(lambda it: it.nodes_without)],
        ["memory of all event streams, GB", *cells(lambda it: it.stream_gb)],
        ["answers to flag requests at the peak, Gbit/s, without 304", *cells(lambda it: it.egress)],
        ["databases for token refreshes", *cells(lambda it: it.session_stores)],
        ["submissions, share of the measured rate of one log", *[percent(it.log_share) for it in regions.values()], ""],
        ["flag events, share of the measured rate of one SQLite database", *[percent(it.events_share) for it in regions.values()], ""],
        ["queries a second by which nodes follow changes, without notifications", *cells(lambda it: it.polls)],
        ["log entries a year", *cells(lambda it: it.entries)],
        ["disk of the decisions of a year, one copy, GB", *cells(lambda it: it.disk_gb)],
        ["disk of people with a session, one copy, GB", *cells(lambda it: it.people_gb)],
        ["disk of all flag events that are kept, one copy, GB", *cells(lambda it: it.events_gb)],
        ["`log verify` of one year, s", *cells(lambda it: it.verify_s)],
        ["processors, with three copies of each database", *cells(lambda it: it.cpus)],
        ["price a month, at the assumed prices", *cells(lambda it: it.cost)],
    ]
    return table(["Load", *names], rows), table(["What serves it", *names], parts)


def logs(regions, data):
    """Compares one log for all regions with one log in each."""
    get = lambda name: data[name][0]
    demand = sum(it.hurry for it in regions.values())
    largest = max(regions.values(), key=lambda it: it.hurry)
    # Only one batch commits at a time, because each entry's position depends on the one before it.
    far = get("batch") / ((get("submission_ms") + assumed("region_rtt_ms")) / 1000)
    row = lambda name, wanted, rate, verify, wait: [name, whole(wanted), whole(rate), f"{wanted / rate * 100:.0f} %", whole(verify), wait]
    every = sum(it.verify_s for it in regions.values())
    near = f"{get('submission_ms'):.0f}"
    rtt = assumed("region_rtt_ms")
    rows = [
        row("one log, standby in the same region", demand, get("submissions"), every, f"{near} to {get('submission_ms') + rtt:.0f}"),
        row("one log, synchronous standby in another region", demand, min(far, get("submissions")), every, f"{get('submission_ms') + rtt:.0f} to {get('submission_ms') + 2 * rtt:.0f}"),
        row("one log in each region (the largest one)", largest.hurry, get("submissions"), largest.verify_s, near),
    ]
    return table(["", "submissions a second, wanted", "possible", "share", "`log verify` of a year, s", "a person waits, ms"], rows)


def inputs(data):
    given = [
        ["riders", whole(RIDERS), "given"],
        ["flag requests a second, average", whole(FLAG_RATE), "given"],
        ["peak, times the average", whole(FLAG_PEAK), "given"],
        ["shares of the regions", ", ".join(f"{name} {share:.0%}" for name, share in REGIONS.items()), "assumed"],
    ]
    read = [[f"{name.replace('_', ' ')}", f"{whole(value)} {unit}", f"measured: {where}" if ".md" in where and "docs" not in where else where] for name, (value, unit, where) in data.items()]
    guessed = [[name.replace("_", " "), f"{value:,}", f"assumed: {why}"] for name, (value, why) in ASSUMED.items()]
    lines = ["| Input | Value | From |", "|---|--:|---|"]
    rows = ["| " + " | ".join(it) + " |" for it in given + read + guessed]
    return "\n".join([*lines, *rows, "", f"Measured at: {'; '.join(measured_at())}."])


def tables():
    if abs(sum(REGIONS.values()) - 1) > 1e-9:
        raise SystemExit("the shares in REGIONS do not sum to 1")
    data = measured()
    regions = {name: Region(share, data) for name, share in REGIONS.items()}
    demand, parts = load(regions)
    return {"inputs": inputs(data), "load": demand, "parts": parts, "logs": logs(regions, data)}


def filled(text, made):
    for name, lines in made.items():
        begin, end = f"<!-- scale: {name} -->\n", "\n<!-- end -->"
        head, rest = text.split(begin, 1)
        text = head + begin + lines + end + rest.split(end, 1)[1]
    return text


def main():
    made = tables()
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    if mode == "--write":
        PAGE.write_text(filled(PAGE.read_text(), made))
    elif mode == "--check":
        if filled(PAGE.read_text(), made) != PAGE.read_text():
            raise SystemExit("docs/scale.md does not match bench/results. To update it: python3 tools/scale/scale.py --write")
    else:
        print("\n\n".join(made.values()))


if __name__ == "__main__":
    main()
