"""Measures the bytes on disk per person by table, and the cost of deleting old events.

    tools/with-postgres python3 bench/sizes.py MUSETTE     prints Markdown; PEOPLE=1000 by default

Each person signs in by a one-time code, refreshes once, decides on two terms and reports ten participations in an
experiment, over HTTP, on SQLite and on PostgreSQL. A size is the difference to the database before the people, with
indexes. Bytes and write-ahead log do not depend on the load of the machine; processor time depends on it only a little.
"""

import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

PEOPLE = int(os.environ.get("PEOPLE", "1000"))
EVENTS = 10
POSTGRES = os.environ.get("MUSETTE_TEST_POSTGRES")
ROOT = pathlib.Path(__file__).resolve().parents[1]
NOW = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())

# The tables of each kind of data, and how long it is kept. All other tables are counted as "other".
KINDS = {
    "account": (["users", "subjects", "user_roles", "user_search"], "until the person is erased"),
    "two decisions, with receipt and log": (
        ["submissions", "consents", "decisions", "log_entries", "log_tiles", "log_heads"], "always"),
    "two decisions, idempotency key": (["idempotency"], "7 days"),
    "events for other programs": (["outbox", "webhook_deliveries"], "90 days"),
    "sign-in: code, browser, audit": (["codes", "known_browsers", "audit", "audit_counts", "chain_links", "allowances"], "audit: always"),
    "session": (["sessions"], "30 days after its end"),
    "ten participations": (["exposures", "series"], "396 days"),
}


def psql(url, sql):
    ran = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", url], input=sql, text=True, capture_output=True)
    if ran.returncode != 0:
        raise SystemExit(ran.stderr)
    return ran.stdout


class Store:
    def __init__(self, binary, engine, folder):
        self.binary, self.engine, self.folder = binary, engine, folder
        self.environment = {"PATH": os.environ["PATH"], "MUSETTE_TEST": "1", "MUSETTE_LIMITS": "off", "MUSETTE_DATA": str(folder / "data")}
        if engine == "PostgreSQL":
            name = f"sizes_{uuid.uuid4().hex}"
            psql(f"{POSTGRES}/postgres", f"CREATE DATABASE {name}")
            self.url = f"{POSTGRES}/{name}"
            self.environment["MUSETTE_DATABASE"] = self.url

    def run(self, *args):
        ran = subprocess.run([self.binary, *map(str, args)], env=self.environment, text=True, capture_output=True)
        if ran.returncode != 0:
            raise SystemExit(f"musette {args}: {ran.stderr}")
        return ran.stdout.strip()

    def serve(self):
        self.log = open(self.folder / "log", "w+")
        self.server = subprocess.Popen([self.binary, "serve", "--listen", "127.0.0.1:0"], env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.server.stdout.readline()
        self.address = line.replace("musette listening on ", "").strip() or sys.exit((self.folder / "log").read_text())

    def ask(self, path, body, method="POST", **headers):
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"} | headers, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def stop(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait()

    def sizes(self):
        if self.engine == "PostgreSQL":
            psql(self.url, "VACUUM (ANALYZE)")
            sql = "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            rows = [line.split("|") for line in psql(self.url, sql).split()]
            return {name: int(size) for name, size in rows}
        database = sqlite3.connect(self.folder / "data/musette.db")
        # An index is counted with its table. `dbstat` counts whole pages.
        rows = database.execute("SELECT s.tbl_name, sum(d.pgsize) FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name GROUP BY 1")
        return dict(rows.fetchall())


def configuration():
    flag = {"key": "words", "type": "string", "on": True, "salt": "words", "clientVisible": True,
            "variations": [{"key": "long", "value": "long"}, {"key": "short", "value": "short"}],
            "offVariation": "long", "defaultVariation": "long", "baselineVariation": "long",
            "rules": [{"id": "everyone", "when": {"all": []}, "serve": {"experiment": {"key": "words", "weights": {"long": 50000, "short": 50000}}}}]}
    return {"schema": "musette.flags/1", "environment": "production", "version": 0, "attributes": [], "segments": [],
            "layers": [], "holdouts": [], "flags": [flag]}


def code_of(store, identifier):
    pattern = re.compile(rf"^code=(\S+) identifier={re.escape(identifier)}$", re.M)
    for _ in range(600):
        codes = pattern.findall((store.folder / "log").read_text())
        if codes:
            return codes[-1]
        time.sleep(0.01)
    raise SystemExit(f"the log contains no code for {identifier}")


def live(store, terms, key, number):
    """Performs the actions of one person."""
    identifier, user = f"rider-{number}@larkspur.example", f"rider-{number}"
    store.ask("/api/session/v1/codes", {"identifier": identifier})
    tokens = store.ask("/api/session/v1/tokens", {"identifier": identifier, "code": code_of(store, identifier)})
    tokens = store.ask("/api/session/v1/refresh", {"refresh_token": tokens["refreshToken"]})
    decisions = [{"terms_and_conditions_id": term, "accepted": True, "consented_at": NOW} for term in terms]
    bearer = {"Authorization": f"Bearer {tokens['dhhToken']}", "Idempotency-Key": str(uuid.uuid4())}
    store.ask("/api/rooster/v3/terms/consents", {"user_id": user, "user_type": "RIDER", "consents": decisions}, **bearer)
    events = [{"name": "ab_test.participated", "id": str(uuid.uuid4()), "unit": user, "at": NOW, "experiment": "words",
               "phase": 1, "variation": "short"} for _ in range(EVENTS)]
    answer = store.ask("/api/flags/v3/events", events, Authorization=f"Bearer {key}")
    assert answer["accepted"] == EVENTS, answer


def measure(binary, engine):
    with tempfile.TemporaryDirectory() as folder:
        store = Store(binary, engine, pathlib.Path(folder))
        store.run("migrate")
        document = ROOT / "testdata/documents/english.pdf"
        terms = [json.loads(store.run("terms", "publish", "--type", kind, "--title", kind, document))["id"] for kind in ("FREELANCER", "MARKETING")]
        (store.folder / "flags.json").write_text(json.dumps(configuration()))
        store.run("flags", "import", store.folder / "flags.json", "--env", "production")
        key = store.run("key", "create", "--env", "production", "--kind", "server").splitlines()[0]
        store.serve()
        store.stop()
        before = store.sizes()
        lines = ["id,email,name"] + [f"rider-{n},rider-{n}@larkspur.example,Robin Rider {n}" for n in range(PEOPLE)]
        (store.folder / "people.csv").write_text("\n".join(lines) + "\n")
        store.run("people", "import", store.folder / "people.csv")
        store.serve()
        for number in range(PEOPLE):
            live(store, terms, key, number)
        # Some data is written every second, and chained every half minute.
        time.sleep(32)
        store.stop()
        after = store.sizes()
        return {name: size - before.get(name, 0) for name, size in after.items() if size > before.get(name, 0)}


def forgetting():
    """Measures the write-ahead log and processor time of events: storing them, and deleting them with the program's statement."""
    source = (ROOT / "crates/store/src/experiments/exposures.rs").read_text()
    forget = re.search(r'"(DELETE FROM \{name\} WHERE ctid.*?)"', source)[1].replace("{name}", "exposures")
    # The portable form, which was the program's statement before.
    by_id = "DELETE FROM exposures WHERE id IN (SELECT id FROM exposures WHERE day < $1 LIMIT $2)"
    name, rows, days = f"events_{uuid.uuid4().hex}", 200_000, 20
    psql(f"{POSTGRES}/postgres", f"CREATE DATABASE {name}")
    url = f"{POSTGRES}/{name}"
    schema = (ROOT / "crates/store/migrations/common/0025_flag_events.sql").read_text()
    psql(url, schema)
    at_once = 500
    insert = f"""INSERT INTO exposures (id, series, unit, at, day)
        SELECT decode(md5(i::text), 'hex'), 7, decode(md5((i / 10)::text), 'hex'), 1764000000000 + i, $1
        FROM generate_series($2, $2 + {at_once - 1}) AS i;"""
    calls = "\n".join(
        f"EXECUTE put({1 + i * days // rows}, {i});" for i in range(0, rows, at_once))
    stored = counted(url, f"PREPARE put(int, int) AS {insert}\n{calls}")
    psql(url, "VACUUM (ANALYZE)")
    # The rows of one day, which an hourly run deletes, 2,000 rows per transaction.
    per_day = rows // days
    results = [("stored", rows, *stored)]
    size = int(psql(url, "SELECT pg_total_relation_size('exposures')"))
    # Alternately, one day each.
    for day in range(2, 8, 2):
        for what, statement, before in (("forgotten by place", forget, day), ("by id", by_id, day + 1)):
            calls = f"EXECUTE forget({before}, 2000);\n" * (per_day // 2000 + 1)
            results.append((what, per_day, *counted(url, f"PREPARE forget(bigint, bigint) AS {statement};\n{calls}")))
    remaining = int(psql(url, "SELECT count(*) FROM exposures"))
    assert remaining == rows - 6 * per_day, remaining
    results.append(("vacuumed after that", 6 * per_day, *counted(url, "VACUUM exposures;")))
    return results, size / rows


def counted(url, sql):
    """Returns the bytes of write-ahead log, and the seconds of the backend's processor time."""
    session = f"""
        SELECT pg_current_wal_insert_lsn() AS was \\gset
        SELECT pg_backend_pid() AS pid \\gset
        \\setenv BACKEND :pid
        \\! awk '{{print "ticks", $14 + $15}}' /proc/$BACKEND/stat
        {sql}
        \\! awk '{{print "ticks", $14 + $15}}' /proc/$BACKEND/stat
        SELECT 'wal', pg_current_wal_insert_lsn() - :'was'::pg_lsn;
    """
    output = psql(url, session)
    first, last = (int(ticks) for ticks in re.findall(r"^ticks (\d+)$", output, re.M))
    return int(re.search(r"^wal\|(\d+)$", output, re.M)[1]), (last - first) / os.sysconf("SC_CLK_TCK")


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    if POSTGRES is None:
        sys.exit("MUSETTE_TEST_POSTGRES is not set. Run this with tools/with-postgres.")
    sizes = {engine: measure(binary, engine) for engine in ("SQLite", "PostgreSQL")}
    print(f"### Bytes of a person, from {PEOPLE:,} people\n")
    print("| What | SQLite | PostgreSQL | Kept |\n|---|--:|--:|---|")
    named = set()
    for kind, (tables, kept) in KINDS.items():
        named.update(tables)
        cells = [sum(sizes[engine].get(table, 0) for table in tables) / PEOPLE for engine in sizes]
        print(f"| {kind} | {cells[0]:,.0f} | {cells[1]:,.0f} | {kept} |")
    others = [{k: v for k, v in sizes[engine].items() if k not in named} for engine in sizes]
    print("| other | " + " | ".join(f"{sum(tables.values()) / PEOPLE:,.0f}" for tables in others) + " | |")
    print(f"\nOther tables: {', '.join(sorted(set(others[0]) | set(others[1]))) or 'none'}.")
    rows, each = forgetting()
    print("\n### Forgetting participations, PostgreSQL\n")
    print("| Rows | Count | Write-ahead log, bytes a row | Processor of the backend, µs a row |\n|---|--:|--:|--:|")
    for what, count, wal, seconds in rows:
        print(f"| {what} | {count:,} | {wal / count:,.0f} | {seconds / count * 1e6:,.1f} |")
    print(f"\nOne row takes {each:.0f} bytes with its indexes.")


if __name__ == "__main__":
    main()
