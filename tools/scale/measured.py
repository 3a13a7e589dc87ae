"""Reads the measurements that the model is based on from bench/results and from the source."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def number(text):
    """Returns the first number of a cell such as `173.6 MB` or `9.7×`."""
    return float(re.search(r"-?[\d.]+", text.replace(",", ""))[0])


def table(file, heading, row, *columns):
    """Returns a cell of the first table below a heading, by the first cell of its row and the name of its column. It uses
    the first of `columns` that exists, because stored results may be from an earlier version of their benchmark."""
    text = (ROOT / "bench/results" / file).read_text()
    if heading not in text:
        raise SystemExit(f"bench/results/{file} has no heading '{heading}'")
    lines = [it for it in text.split(heading, 1)[1].split("\n### ")[0].splitlines() if it.startswith("|")]
    cells = [[cell.strip() for cell in it.strip("|").split("|")] for it in lines]
    [values] = [line for line in cells if line[0] == row]
    [column, *_] = [name for name in columns if name in cells[0]]
    return number(values[cells[0].index(column)])


def phrase(path, pattern):
    match = re.search(pattern, (ROOT / path).read_text())
    if match is None:
        raise SystemExit(f"{path} contains no match for '{pattern}'")
    return number(match[1])


def measured_at():
    """Returns the commit, the date and the load of each file that the model reads."""
    descriptions = []
    for file in ["consents.md", "evidence.md", "flags.md", "sessions.md"]:
        text = (ROOT / "bench/results" / file).read_text()
        commit = re.search(r"^Commit: (.+)$", text, re.M)
        load = re.search(r"^Load average at the start: ([\d.]+)", text, re.M)
        descriptions.append(f"{file} {commit[1] if commit else 'at an unknown commit'}, load {load[1] if load else 'unknown'}")
    return descriptions


# name: (value, unit, where it was read)
def measured():
    many = "### PUT v3/features, 100 flags"
    submit = "### POST /terms/consents, PostgreSQL (defaults, one machine)"
    refresh = "### POST /refresh, PostgreSQL (defaults, one machine)"
    return {
        "evaluations_100": (table("flags.md", many, "64", "a second"), "a second", "flags.md, 100 flags, 64 connections"),
        "answer_100": (phrase("bench/results/flags.md", r"100 flags[\s\S]*?The answer has (\d+) bytes"), "bytes", "flags.md"),
        "stream_kb": (phrase("bench/results/flags.md", r"with them: ([\d.]+) kB each"), "kB", "flags.md, 10,000 open streams"),
        "events": (phrase("bench/results/flags.md", r"events acknowledged in [\d.]+ s: (\d+) a second"), "a second", "flags.md, SQLite"),
        "submissions": (table("consents.md", submit, "64", "a second"), "a second", "consents.md, PostgreSQL, 64 connections"),
        "submission_ms": (table("consents.md", submit, "64", "p50 ms"), "ms", "consents.md, PostgreSQL, 64 connections, p50"),
        "refreshes": (table("sessions.md", refresh, "64", "a second"), "a second", "sessions.md, PostgreSQL, 64 connections"),
        "submission_bytes": (table("evidence.md", "### A submission of two decisions", "bytes on disk", "the writer", "with the log"), "bytes", "evidence.md, two decisions with log and receipt, SQLite"),
        "person_bytes": (sum(table("sizes.md", "### Bytes of a person", row, "PostgreSQL") for row in ("account", "session", "sign-in: code, browser, audit")), "bytes", "sizes.md: account, one session, one sign-in, PostgreSQL"),
        "event_bytes": (phrase("bench/results/sizes.md", r"One row takes (\d+) bytes"), "bytes", "sizes.md, with its indexes, PostgreSQL"),
        "event_days": (phrase("crates/server/src/platform/retention.rs", r"FLAG_EVENTS_DAYS: i64 = (\d+)"), "days", "crates/server/src/platform/retention.rs"),
        "verified": (phrase("bench/results/evidence.md", r"in [\d.]+ s: (\d+) a second"), "entries a second", "evidence.md, `log verify`"),
        "batch": (phrase("crates/store/src/writer.rs", r"const BATCH_MAX: usize = (\d+)"), "submissions", "crates/store/src/writer.rs"),
        "ttl_s": (15 * 60.0, "s", "docs/flags.md, `ttlMs`; the access token of a rider lasts as long"),
        "slow_poll_s": (phrase("crates/store/src/changes.rs", r"const SLOW_POLL: Duration = Duration::from_secs\((\d+)\)"), "s", "crates/store/src/changes.rs"),
    }
