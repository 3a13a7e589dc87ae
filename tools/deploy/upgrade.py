#!/usr/bin/python3
"""Runs a former version and today's next to each other on one PostgreSQL under load: a rolling upgrade of two nodes, a
rollback of one, and its upgrade again. No acknowledged data may be lost, no rider may be signed out, no flag request may
fail, and the log must verify. Reports the locks of each migration, their durations, and the longest pause in writing.

upgrade.py FORMER-PROGRAM TODAYS-PROGRAM [DECISIONS], inside tools/with-postgres. So many DECISIONS are imported before,
because a migration of a large table takes longer. DATABASE=NAME uses a database of that server which a command before
this one, under the same tools/with-postgres, has filled with the former version."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import psycopg2
import staging
from load import Load, Program
from rehearse import expect, own_environment, status, wait

server = os.environ["MUSETTE_TEST_POSTGRES"]
# The migrating connection holds an advisory lock.
LOCKS = """WITH migrating AS (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)
    SELECT l.pid, c.relname, l.mode, l.granted FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
    WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND CASE WHEN l.granted THEN l.pid IN (TABLE migrating)
            AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        ELSE pg_blocking_pids(l.pid) && ARRAY(TABLE migrating) END
    AND c.relkind = 'r' AND c.relname !~ '^(pg_|_sqlx)'"""


class Locks(threading.Thread):
    """Queries 200 times a second which table locks a migration holds, and which connections wait for them."""

    def __init__(self, url):
        super().__init__(daemon=True)
        self.connection = psycopg2.connect(url)
        self.connection.autocommit = True
        self.seen, self.going = {}, True

    def run(self):
        cursor = self.connection.cursor()
        while self.going:
            cursor.execute(LOCKS)
            now = time.monotonic()
            for pid, table, mode, granted in cursor.fetchall():
                what = (table, mode, "held" if granted else "waited for", pid)
                first, _ = self.seen.get(what, (now, now))
                self.seen[what] = (first, now)
            time.sleep(0.005)

    def stop(self):
        self.going = False
        self.join()
        for (table, mode, how, _), (first, last) in sorted(self.seen.items()):
            print(f"  {mode} on {table} {how} for {last - first:.2f} s (seen every 5 ms)")


class Node:
    def __init__(self, folder, index, port, log):
        self.folder, self.port, self.log, self.process = folder / f"node{index}", port, log, None

    def start(self, program):
        own = {"MUSETTE_LISTEN": f"127.0.0.1:{self.port}", "MUSETTE_DATA": str(self.folder), "MUSETTE_DRAIN_DELAY": "1"}
        self.process = program.serve(self.log, **own)
        wait("a node is ready", self.is_ready, 600)

    def is_ready(self):
        if self.process.poll() is not None:
            raise AssertionError(f"a node exited with {self.process.returncode} at its start")
        return status(self.port, "/readyz") == 200

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)


class Rehearsal:
    def __init__(self, folder, former, today, url):
        self.former, self.today, self.url = former, today, url
        self.log = (folder / "log").open("w")
        self.nodes = [Node(folder, index, port, self.log) for index, port in enumerate(staging.free_ports(2))]
        # Like behind a load balancer: a node that is being replaced gets no requests.
        self.serving = list(self.nodes)

    def addresses(self):
        return [("127.0.0.1", node.port) for node in self.serving]

    def replace(self, node, program):
        """Stops a node, and starts another version in its place."""
        if len(self.nodes) == len(self.serving):
            self.serving = [it for it in self.nodes if it is not node]
        node.stop()
        node.start(program)
        self.serving = list(self.nodes)

    def flags_reach_all(self, program, value):
        program.save_flags(value)
        self.shows(value)

    def save_by_http(self, node, admin, value):
        """Saves flags over HTTP, like the console. The commands of a former version may refuse a newer schema."""
        path, bearer = "/api/admin/v1/environments/production/flags", {"Authorization": f"Bearer {admin['dhhToken']}"}
        there, address = ("127.0.0.1", node.port), self.load.ask
        code, document = address("GET", path, None, bearer, there)
        expect(code, 200, "flags")
        changed = json.loads(json.dumps(document).replace(json.dumps(self.value), json.dumps(value)))
        code, answer = address("PUT", path, changed, {**bearer, "If-Match": f'"{document["version"]}"'}, there)
        expect(code, 200, f"flags saved: {answer}")
        self.shows(value)

    def shows(self, value):
        """Waits until every node answers with the value that one of them saved."""
        self.value = value
        for host, port in self.addresses():
            ask = lambda: self.load.ask("PUT", "/api/flags/v3/features/shown", {"userId": "r1"}, self.load.bearer(), (host, port))
            wait(f"the node at {port} shows {value}: {ask()}", lambda: ask()[1].get("variation") == value)

    def side_by_side(self, what, seconds=8):
        began, count = time.monotonic(), self.load.count()
        time.sleep(seconds)
        gap = self.load.longest_gap(began)
        print(f"{what}: {self.load.count() - count} consents in {seconds} s, longest pause {gap:.2f} s", flush=True)
        assert not self.load.failed, self.load.failed[:3]

    def migrations(self):
        connection = psycopg2.connect(self.url)
        cursor = connection.cursor()
        cursor.execute("SELECT version, description, execution_time / 1e9 FROM _sqlx_migrations ORDER BY version")
        return {version: (description, seconds) for version, description, seconds in cursor.fetchall()}

    def run(self, decisions):
        self.former.run("migrate")
        key, tokens = self.former.prepare()
        self.former.run("user", "add", "--id", "ada", "--role", "admin")
        admin = self.former.sign_in("ada")
        for node in self.nodes:
            node.start(self.former)
        # The first server has created the log.
        fill(self.former, decisions)
        self.load, self.value = Load(self.addresses, key, tokens).start(), "first"
        self.side_by_side("two nodes of the former version")

        before, locks, began = self.migrations(), Locks(self.url), time.monotonic()
        locks.start()
        self.replace(self.nodes[1], self.today)
        gap = self.load.longest_gap(began)
        new = {version: it for version, it in self.migrations().items() if version not in before}
        print(f"today's version started on the former version's database in {time.monotonic() - began:.1f} s; {len(new)} new migrations; longest pause {gap:.2f} s")
        for version, (description, seconds) in new.items():
            print(f"  {version:04} {description}: {seconds:.3f} s")
        locks.stop()
        self.side_by_side("the former version and today's")
        self.save_by_http(self.nodes[0], admin, "saved by the former version")
        self.flags_reach_all(self.today, "saved by today's")
        self.replace(self.nodes[0], self.today)
        self.side_by_side("two nodes of today's version")

        self.replace(self.nodes[0], self.former)
        self.side_by_side("one node rolled back to the former version")
        self.save_by_http(self.nodes[0], admin, "saved after the rollback")
        self.replace(self.nodes[0], self.today)
        self.side_by_side("two nodes of today's version again")
        self.load.stop()
        print(self.load.check(self.today))

    def end(self):
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.process.kill()
                node.process.wait()


def fill(program, decisions):
    """Imports decisions of the first rider, one for each second of the past. They become log entries like any other."""
    if decisions == 0:
        return
    began = time.monotonic()
    now = time.time() - 60
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for index in range(decisions):
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - decisions + index))
            line = {"user_id": "r0", "terms_and_conditions_id": program.term, "accepted": index % 2 == 0, "consented_at": at}
            file.write(json.dumps(line) + "\n")
        file.flush()
        program.run("consents", "import", file.name)
    print(f"{decisions} decisions imported in {time.monotonic() - began:.0f} s", flush=True)


def main():
    former, today = (str(pathlib.Path(it).resolve()) for it in sys.argv[1:3])
    decisions = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    with tempfile.TemporaryDirectory(prefix="musette-upgrade-") as name:
        folder = pathlib.Path(name)
        connection = psycopg2.connect(f"{server}/postgres")
        connection.autocommit = True
        database = os.environ.get("DATABASE")
        if not database:
            database = f"upgrade_{os.getpid()}"
            connection.cursor().execute(f"CREATE DATABASE {database}")
        url = f"{server}/{database}"
        environment = {**own_environment, "MUSETTE_DATABASE": url, "MUSETTE_DATA": str(folder / "commands"), "MUSETTE_PUBLIC_LIMITS": "off"}
        rehearsal = Rehearsal(folder, Program(former, environment), Program(today, environment), url)
        try:
            rehearsal.run(decisions)
        except BaseException:
            rehearsal.log.flush()
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            rehearsal.end()


if __name__ == "__main__":
    main()
