#!/usr/bin/python3
"""Sends one node ten times the load that it can handle, and measures what it still completes.

1. One node on a PostgreSQL whose commits take a tenth of a second: the highest rate of acknowledged consents (the peak), and
   its number of connections. The database is the limit, as with a database on another machine, and not the processor:
   on this machine the clients could hardly send requests ten times faster than a node answers.
2. Ten times that rate for a minute, from more connections than may wait: the acknowledged consents, the latency of flags
   and refreshes meanwhile, the node's memory, and the time until it has recovered.
3. One node and three on one PostgreSQL behind HAProxy, as in deploy/compose: the peak of each.
4. SIGTERM to one of the three under load: no request fails.

overload.py MUSETTE-PROGRAM, inside tools/with-postgres; `make test-overload`, about four minutes. Everything is on
loopback. The servers use all processors except the last, and the clients use the last one: on separate machines they
would not slow each other down either. FLOOD_SECONDS=60 is the duration of the flood."""

import collections
import http.client
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

import psycopg2
import rehearse
import staging
from load import Program
from rehearse import expect, own_environment, wait

FLOOD_S = int(os.environ.get("FLOOD_SECONDS", "60"))
STEP_S = 8
CONNECTIONS = (16, 64, 256)
# The largest value that PostgreSQL accepts.
COMMIT_DELAY_MICROSECONDS = 100_000
# crates/store/src/writer.rs: this many submissions may wait for the writer; further ones are refused at once.
MAY_WAIT = 4096
TIMES = 10
FLOOD_CONNECTIONS = 8000
# Goals.
GOODPUT_SHARE_MIN = 0.9
OTHERS_RATIO_MAX = 2
MEMORY_GROWTH_MAX = 1.1
RECOVERED_WITHIN_S = 2
processors = sorted(os.sched_getaffinity(0))
askers, servers = {processors[-1]}, set(processors[:-1] or processors)
# Every request is the consent of a new applicant, with a new key.
SCRIPT = """
local made, first = 0, "%(first)s"
local body = '{"user_id":"","user_type":"APPLICANT","consents":[{"terms_and_conditions_id":%(term)d,"accepted":true,"consented_at":"%(at)s"}]}'
local fixed = "POST /api/rooster/v3/terms/consents HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Type: application/json\\r\\nContent-Length: " .. #body .. "\\r\\nIdempotency-Key: " .. first
function request()
    made = made + 1
    return fixed .. string.format("%%012d", made) .. "\\r\\n\\r\\n" .. body
end
%(delay)s
function done(summary, latency)
    local errors = summary.errors
    print(string.format("RESULT %%d %%d %%d %%d", summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout, summary.duration))
end
"""


class Wrk:
    """Many connections that send consents. Each waits for its answer, and then for `pause_ms`."""

    count = 0

    def __init__(self, folder, port, term, connections, seconds, pause_ms=0):
        Wrk.count += 1
        script = folder / f"wrk{Wrk.count}.lua"
        delay = f"function delay() return math.random(0, {2 * pause_ms:.0f}) end" if pause_ms else ""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        script.write_text(SCRIPT % {"first": f"{os.getpid():010d}-{Wrk.count:04d}-", "term": term, "at": at, "delay": delay})
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script)]
        self.process = subprocess.Popen([*command, f"http://127.0.0.1:{port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def result(self):
        """Returns the numbers of answered, refused and unanswered requests, and the seconds."""
        text, _ = self.process.communicate()
        found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+)", text)
        if not found:
            raise AssertionError(f"wrk: {text}")
        requests, refused, broken, microseconds = map(int, found.groups())
        return requests, refused, broken, microseconds / 1e6


class Probe(threading.Thread):
    """An independent client that repeats a request and records how long each answer took."""

    def __init__(self, port, request, wanted, pause_s):
        super().__init__(daemon=True)
        self.port, self.request, self.wanted, self.pause_s = port, request, wanted, pause_s
        self.took, self.failed, self.going = [], [], True

    def run(self):
        try:
            # It should measure the node, not how long it waits for a processor next to wrk.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -5)
        except PermissionError:
            pass
        connection = None
        while self.going:
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            began = time.monotonic()
            try:
                method, path, body, headers, use = self.request()
                connection.request(method, path, json.dumps(body), {"Content-Type": "application/json", **headers})
                answer = connection.getresponse()
                text = answer.read()
                status = answer.status
            except (OSError, http.client.HTTPException):
                connection.close()
                connection, status, text = None, 0, b""
            self.took.append((began, time.monotonic() - began, status))
            if status == self.wanted:
                use(text)
            else:
                self.failed.append(status)
            time.sleep(self.pause_s)

    def p99_ms(self, since, until):
        took = sorted(took for began, took, _ in list(self.took) if since <= began < until)
        return 1000 * took[min(len(took) - 1, int(len(took) * 0.99))] if took else float("nan")


class Memory(threading.Thread):
    """Records the resident memory of a process in MB, ten times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.seen = pid, []

    def run(self):
        while True:
            try:
                self.seen.append((time.monotonic(), self.now()))
            except (OSError, TypeError):
                return
            time.sleep(0.1)

    def largest(self, since, until):
        return max(size for at, size in list(self.seen) if since <= at < until)

    def now(self):
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def probes(port, key, tokens):
    keep = lambda text: None
    evaluate = {"key": "r1", "userId": "r1", "featureList": ["shown", "tested"]}
    flags = Probe(port, lambda: ("PUT", "/api/flags/v3/features", evaluate, {"Authorization": f"Bearer {key}"}, keep), 200, 0.01)

    def refresher(own):
        use = lambda text: own.update(json.loads(text))
        return Probe(port, lambda: ("POST", "/api/session/v1/refresh", {"refresh_token": own["refreshToken"]}, {}, use), 200, 0.05)

    return flags, [refresher(it) for it in tokens]


def metrics(port):
    """Returns the node's metrics: answers to consents by status; and the number and sums of batches, their sizes and commits."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    statuses, sums = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        name, _, value = line.rpartition(" ")
        if name.startswith("musette_http_request_duration_seconds_count") and 'route="/api/rooster/v3/terms/consents"' in name and 'method="POST"' in name:
            statuses[int(re.search(r'status="(\d+)"', name)[1])] = int(value)
        elif re.fullmatch(r"musette_(submission_batch_size|submission_batch_duration_seconds|commit_duration_seconds)_(sum|count)", name):
            sums[name.removeprefix("musette_")] = float(value)
    return statuses, sums


def batches(before, after):
    """Returns the means of the writer's batches between two measurements."""
    count = after["submission_batch_size_count"] - before["submission_batch_size_count"] or 1
    mean = lambda name: (after[f"{name}_sum"] - before[f"{name}_sum"]) / count
    return (
        f"{count:.0f} batches of {mean('submission_batch_size'):.0f}, each {1000 * mean('submission_batch_duration_seconds'):.0f} ms, "
        f"of them {1000 * mean('commit_duration_seconds'):.0f} ms for the commit"
    )


def on_servers(start):
    """Calls `start` so that its processes run on the servers' processors."""
    os.sched_setaffinity(0, servers)
    try:
        return start()
    finally:
        os.sched_setaffinity(0, askers)


def serve(program, log, **environment):
    return on_servers(lambda: program.serve(log, **environment))


def slow_database():
    """Returns the address of a new database with slow commits."""
    server = os.environ["MUSETTE_TEST_POSTGRES"]
    connection = psycopg2.connect(f"{server}/postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("CREATE DATABASE overload")
    for setting in (f"commit_delay = {COMMIT_DELAY_MICROSECONDS}", "commit_siblings = 0"):
        cursor.execute(f"ALTER DATABASE overload SET {setting}")
    connection.close()
    return f"{server}/overload"


def peak(folder, port, term, steps=CONNECTIONS):
    """Returns the highest rate of acknowledged consents, and its number of connections."""
    best = (0, 0)
    for connections in steps:
        requests, refused, broken, took = Wrk(folder, port, term, connections, STEP_S).result()
        expect((refused, broken), (0, 0), f"consents refused and broken with {connections} connections")
        best = max(best, (requests / took, connections))
    return best


def one_node(program_path, folder, log):
    port, measured = staging.free_ports(2)
    environment = {**own_environment, "MUSETTE_DATA": str(folder / "data"), "MUSETTE_PUBLIC_LIMITS": "off"}
    environment["MUSETTE_DATABASE"] = slow_database()
    program = Program(program_path, environment)
    program.run("migrate")
    key, tokens = program.prepare()
    node = serve(program, log, MUSETTE_LISTEN=f"127.0.0.1:{port}", MUSETTE_METRICS_LISTEN=f"127.0.0.1:{measured}")
    try:
        wait("the node is ready", lambda: rehearse.status(port, "/readyz") == 200)
        memory = Memory(node.pid)
        memory.start()
        flags, refreshers = probes(port, key, tokens)
        others = [flags, *refreshers]
        for it in others:
            it.start()
        instants = [time.monotonic()]
        usual = max(one_consent(port, program.term) for _ in range(20))
        time.sleep(3)
        instants.append(time.monotonic())
        rate, connections = peak(folder, port, program.term, (*CONNECTIONS, 1024))
        peak_from, (_, idle_sums) = time.monotonic(), metrics(measured)
        Wrk(folder, port, program.term, connections, 2 * STEP_S).result()
        instants += [peak_from, time.monotonic()]
        print(f"peak: {rate:.0f} consents/s acknowledged with {connections} connections; {memory.largest(*instants[2:]):.0f} MB", flush=True)

        # As many as are allowed wait for the writer. The others are refused and retry.
        pause_ms = 1000 * (FLOOD_CONNECTIONS - MAY_WAIT) / ((TIMES - 1) * rate)
        before, peak_sums = metrics(measured)
        print(f"  {batches(idle_sums, peak_sums)}", flush=True)
        began = time.monotonic()
        wrk = Wrk(folder, port, program.term, FLOOD_CONNECTIONS, FLOOD_S, pause_ms)
        requests, refused, broken, took = wrk.result()
        ended = time.monotonic()
        after, flood_sums = metrics(measured)
        by_status = dict(after - before)
        goodput, offered = (requests - refused) / took, requests / took
        recovered = recovery(port, program.term, usual)
        for it in others:
            it.going = False
        for it in others:
            it.join()
        p99 = lambda them, since, until: max(it.p99_ms(since, until) for it in them)
        print(f"flood: {offered:.0f} requests/s for {took:.0f} s over {FLOOD_CONNECTIONS} connections, {offered / rate:.1f} times the peak; {by_status}, {broken} without an answer")
        print(f"  goodput {goodput:.0f}/s, {100 * goodput / rate:.0f} % of the peak; {batches(peak_sums, flood_sums)}")
        ratios = {}
        for name, them in (("flags", [flags]), ("refreshes", refreshers)):
            idle, at_peak, flood = p99(them, *instants[:2]), p99(them, *instants[2:]), p99(them, began, ended)
            failed = [status for it in them for status in it.failed]
            ratios[name] = flood / at_peak
            print(f"  {name}: p99 {idle:.1f} ms idle, {at_peak:.1f} ms at the peak, {flood:.1f} ms in the flood ({flood / at_peak:.1f} times); {len(failed)} failed {failed[:5]}")
        # The first half opens the connections.
        half = began + FLOOD_S / 2
        first, second = memory.largest(began, half), memory.largest(half, ended)
        print(f"  memory: {first:.0f} MB in its first half, {second:.0f} MB in its second")
        print(f"  recovered {recovered:.1f} s after its end", flush=True)
        stored = program.run("consents", "export").count("\n") - 1
        assert stored >= after[201], f"{after[201]} acknowledged, {stored} stored"
        print(f"  {after[201]} acknowledged in total, {stored} stored; {program.run('log', 'verify').strip().splitlines()[-1]}", flush=True)
        goals = {
            f"offered at least {TIMES} times the peak": offered >= TIMES * rate,
            f"goodput at least {GOODPUT_SHARE_MIN:.0%} of the peak": goodput >= GOODPUT_SHARE_MIN * rate,
            f"flags: p99 at most {OTHERS_RATIO_MAX} times the p99 at the peak, none failed": ratios["flags"] <= OTHERS_RATIO_MAX and not flags.failed,
            f"refreshes: p99 at most {OTHERS_RATIO_MAX} times the p99 at the peak, none failed": ratios["refreshes"] <= OTHERS_RATIO_MAX and not any(it.failed for it in refreshers),
            f"memory is stable (at most {MEMORY_GROWTH_MAX} times as much in the second half)": second <= MEMORY_GROWTH_MAX * first,
            f"recovered within {RECOVERED_WITHIN_S} s": recovered <= RECOVERED_WITHIN_S,
            "only 201 and 503": set(by_status) <= {201, 503},
        }
        return goals
    finally:
        node.terminate()
        expect(node.wait(30), 0, "exit code of the node")


def one_consent(port, term):
    """Returns the seconds until a new consent is acknowledged; infinite if it is not."""
    body, headers = rehearse.submission(term, f"recovered-{os.getpid()}-{time.monotonic_ns()}")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = time.monotonic()
    try:
        connection.request("POST", "/api/rooster/v3/terms/consents", json.dumps(body), {"Content-Type": "application/json", **headers})
        return time.monotonic() - sent if connection.getresponse().status == 201 else float("inf")
    except (OSError, http.client.HTTPException):
        return float("inf")
    finally:
        connection.close()


def recovery(port, term, usual):
    """Returns the seconds until five consecutive consents each take at most twice as long as the slowest one before."""
    began, row = time.monotonic(), 0
    since = began
    while row < 5:
        if row == 0:
            since = time.monotonic()
        row = row + 1 if one_consent(port, term) <= 2 * usual else 0
        if time.monotonic() - began > 30:
            return float("inf")
    return since - began


def many_nodes(program_path, folder, log):
    """Measures one node and three on one PostgreSQL, then sends SIGTERM to one of the three."""
    *ports, front = staging.free_ports(4)
    database = os.environ["MUSETTE_TEST_POSTGRES"]
    environments = [rehearse.node_environment(port, 0, folder, index) for index, port in enumerate(ports)]
    for it in environments:
        it |= {"MUSETTE_DATABASE": f"{database}/postgres", "MUSETTE_PUBLIC_LIMITS": "off"}
    program = Program(program_path, environments[0])
    program.run("migrate")
    program.prepare()
    nodes, proxies = [], []
    try:
        nodes.append(serve(program, log))
        wait("the node is ready", lambda: rehearse.status(ports[0], "/readyz") == 200)
        command = ["/usr/sbin/haproxy", "-db", "-f", staging.haproxy(folder, ports, front)]
        proxies.append(on_servers(lambda: subprocess.Popen(command, stdout=log, stderr=log)))
        wait("HAProxy", lambda: rehearse.status(front, "/readyz") == 200)
        time.sleep(3)
        rates = {1: peak(folder, front, program.term)}
        for it in environments[1:]:
            nodes.append(serve(Program(program_path, it), log))
        for port in ports:
            wait("a node is ready", lambda port=port: rehearse.status(port, "/readyz") == 200)
        time.sleep(3)
        rates[3] = peak(folder, front, program.term)
        for count, (rate, connections) in rates.items():
            print(f"{count} node{'s' * (count > 1)} on one PostgreSQL behind HAProxy: {rate:.0f} consents/s with {connections} connections")
        print(f"  three to one: {rates[3][0] / rates[1][0]:.2f}, all of it on {len(servers)} of {len(processors)} processors", flush=True)

        wrk = Wrk(folder, front, program.term, 64, 15)
        time.sleep(4)
        nodes[1].terminate()
        expect(nodes[1].wait(30), 0, "exit code of a node that is stopped under load")
        requests, refused, broken, took = wrk.result()
        print(f"SIGTERM to one of three under load: {requests} consents in {took:.0f} s, {refused} refused, {broken} without an answer", flush=True)
        return {"SIGTERM under load: 0 failed": (refused, broken) == (0, 0)}
    finally:
        for it in nodes + proxies:
            it.terminate()
        for it in nodes + proxies:
            it.wait(30)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    os.sched_setaffinity(0, askers)
    # Each connection is an open file.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="musette-overload-") as name:
        folder = pathlib.Path(name)
        log = (folder / "log").open("w")
        try:
            goals = one_node(program, folder, log) | many_nodes(program, folder, log)
        except BaseException:
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise
    for what, kept in goals.items():
        print(f"{'ok    ' if kept else 'MISSED'} {what}")
    if not all(goals.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
