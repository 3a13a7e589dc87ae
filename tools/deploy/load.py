"""Simulates the daily load of people and programs on one or more addresses, and records what was acknowledged: consents
of applicants and riders, token refreshes, flags, events. Like the clients, it retries requests without an answer with the
same key. `check` then compares the records with the database."""

import collections
import csv
import http.client
import io
import json
import subprocess
import tempfile
import threading
import time
import uuid

from staging import ROOT

CONSENTS = "/api/rooster/v3/terms/consents"
RIDERS = 4
TESTED = {
    "key": "tested",
    "type": "string",
    "salt": "tested",
    "variations": [{"key": "control", "value": "list"}, {"key": "new", "value": "map"}],
    "offVariation": "control",
    "defaultVariation": "control",
    "baselineVariation": "control",
    "rules": [
        {
            "id": "x1",
            "when": {"all": []},
            "serve": {
                "experiment": {
                    "key": "tested-test",
                    "unit": "userId",
                    "seed": "tested",
                    "coverage": 100000,
                    "weights": {"control": 50000, "new": 50000},
                    "bucketVersion": 1,
                    "minBucketVersion": 0,
                    "phase": 1,
                    "status": "running",
                }
            },
        }
    ],
}


def document(value):
    """Returns a configuration of flags. `value` is the value of the flag `shown`."""
    shown = {
        "key": "shown",
        "type": "string",
        "salt": "shown",
        "variations": [{"key": "a", "value": value}, {"key": "b", "value": "off"}],
        "offVariation": "b",
        "defaultVariation": "a",
        "baselineVariation": "b",
    }
    return {"schema": "musette.flags/1", "environment": "production", "flags": [shown, TESTED]}


class Program:
    """The commands of one version of Musette on one database."""

    def __init__(self, path, environment):
        self.path, self.environment = path, environment

    def run(self, *words, fails=False):
        result = subprocess.run([self.path, *words], env=self.environment, capture_output=True, text=True)
        if (result.returncode != 0) != fails:
            raise AssertionError(f"musette {' '.join(words)}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr if fails else result.stdout

    def serve(self, log, **environment):
        return subprocess.Popen([self.path, "serve"], env={**self.environment, **environment}, stdout=log, stderr=log)

    def save_flags(self, value):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(document(value), file)
            file.flush()
            self.run("flags", "import", file.name, "--env", "production", "--comment", value)

    def prepare(self):
        """Creates a term, riders with one session each, and a configuration of flags. Returns the flag key and the tokens."""
        pdf = ROOT / "testdata/documents/english.pdf"
        self.term = json.loads(self.run("terms", "publish", "--type", "FREELANCER", "--title", "Rules", str(pdf)))["id"]
        for index in range(RIDERS):
            self.run("user", "add", "--id", f"r{index}", "--role", "rider")
        self.save_flags("first")
        key = self.run("key", "create", "--env", "production", "--kind", "client").strip()
        return key, [self.sign_in(f"r{index}") for index in range(RIDERS)]

    def sign_in(self, rider):
        return json.loads(self.run("token", "issue", "--user", rider))


class Load:
    """`addresses()` returns the hosts and ports that requests are sent to in turn. It is called for each request."""

    def __init__(self, addresses, key, tokens, pause=0.02):
        self.addresses, self.key, self.tokens, self.pause = addresses, key, tokens, pause
        self.going, self.lock, self.turn = True, threading.Lock(), 0
        # `acknowledged` counts the acknowledgements by receipt; `acknowledgements` has their times on the monotonic clock.
        self.acknowledged, self.events, self.refreshes = {}, [], [0] * len(tokens)
        self.acknowledgements, self.failed, self.repeated = [], [], collections.Counter()
        self.flags = 0
        term = self.until(lambda: self.ask("GET", "/api/rooster/v3/public/terms?types=FREELANCER"), 200)
        self.term = term[0]["id"]
        jobs = [self.applicant, self.applicant, self.evaluate, self.evaluate, self.report]
        jobs += [lambda index=index: self.rider(index) for index in range(len(tokens))]
        self.threads = [threading.Thread(target=self.repeat, args=(job,), daemon=True) for job in jobs]

    def start(self):
        for it in self.threads:
            it.start()
        return self

    def stop(self):
        self.going = False
        for it in self.threads:
            it.join(60)
            if it.is_alive():
                raise AssertionError("a request still has no answer after 60 s")

    def repeat(self, job):
        while self.going:
            job()
            time.sleep(self.pause)

    def ask(self, method, path, body=None, headers=None, address=None):
        """Sends a request. Returns the status and the JSON of the answer; status 0 if there was none."""
        with self.lock:
            self.turn += 1
            all_of_them = self.addresses()
            host, port = address or all_of_them[self.turn % len(all_of_them)]
        connection = http.client.HTTPConnection(host, port, timeout=10)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json", **(headers or {})})
            response = connection.getresponse()
            text = response.read()
            is_json = response.headers.get_content_type().endswith("json")
            return response.status, json.loads(text) if is_json and text else None
        except (OSError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()

    def until(self, request, wanted):
        """Retries like a client: after no answer, 409 for a key in progress, 429, 503, and a proxy's 502 and 504."""
        while True:
            status, answer = request()
            if status == wanted:
                return answer
            if status not in (0, 409, 429, 502, 503, 504):
                raise AssertionError(f"expected status {wanted}, got {status}: {answer}")
            self.repeated[status] += 1
            if not self.going:
                return None
            time.sleep(0.1)

    def applicant(self):
        self.consent("", "APPLICANT", lambda: {})

    def consent(self, user, kind, headers):
        decision = {"terms_and_conditions_id": self.term, "accepted": True}
        decision["consented_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        body = {"user_id": user, "user_type": kind, "consents": [decision]}
        own = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self.guarded(lambda: self.until(lambda: self.ask("POST", CONSENTS, body, {**own, **headers()}), 201))
        if answer:
            with self.lock:
                self.acknowledged[answer["receipt"]["id"]] = self.acknowledged.get(answer["receipt"]["id"], 0) + 1
                self.acknowledgements.append(time.monotonic())

    def rider(self, index):
        tokens = self.tokens[index]
        body = {"refresh_token": tokens["refreshToken"]}
        answer = self.guarded(lambda: self.until(lambda: self.ask("POST", "/api/session/v1/refresh", body), 200))
        if answer:
            tokens["refreshToken"] = answer["refreshToken"]
            tokens["dhhToken"] = answer["dhhToken"]
            self.refreshes[index] += 1
            self.consent(f"r{index}", "RIDER", lambda: {"Authorization": f"Bearer {tokens['dhhToken']}"})

    def evaluate(self):
        body = {"key": "r1", "userId": "r1", "featureList": ["shown", "tested"]}
        status, _ = self.ask("PUT", "/api/flags/v3/features", body, {"Authorization": f"Bearer {self.key}"})
        with self.lock:
            self.flags += 1
            if status != 200:
                self.failed.append(f"flags: {status}")

    def report(self):
        event = {"name": "ab_test.participated", "id": str(uuid.uuid4()), "unit": str(uuid.uuid4())}
        event |= {"at": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()), "experiment": "tested-test", "phase": 1, "variation": "new"}
        answer = self.guarded(lambda: self.until(lambda: self.ask("POST", "/api/flags/v3/events", [event], self.bearer()), 202))
        if answer:
            with self.lock:
                self.events.append(event)

    def bearer(self):
        return {"Authorization": f"Bearer {self.key}"}

    def guarded(self, work):
        try:
            return work()
        except AssertionError as error:
            with self.lock:
                self.failed.append(str(error))
            return None

    def count(self):
        with self.lock:
            return len(self.acknowledgements)

    def longest_gap(self, since):
        """Returns the longest time in seconds without any acknowledgement since `since`."""
        with self.lock:
            moments = [since, *(it for it in self.acknowledgements if it > since), time.monotonic()]
        return max(later - earlier for earlier, later in zip(moments, moments[1:]))

    def check(self, program):
        """Checks that every acknowledged consent is stored exactly once, every event is stored, every session still works, and
        the log verifies. Returns a summary."""
        if self.failed:
            raise AssertionError(f"{len(self.failed)} requests failed, the first: {self.failed[:3]}")
        doubled = [it for it, times in self.acknowledged.items() if times != 1]
        stored = collections.Counter()
        for row in csv.DictReader(io.StringIO(program.run("consents", "export"))):
            stored[row["receipt_id"]] += 1
        wrong = [it for it in self.acknowledged if stored[it] != 1]
        if doubled or wrong or not self.acknowledged:
            raise AssertionError(f"{len(self.acknowledged)} receipts acknowledged, {len(doubled)} of them twice, {len(wrong)} not stored exactly once")
        if min(self.refreshes) == 0:
            raise AssertionError(f"a rider never refreshed: {self.refreshes}")
        self.going = True
        for index in range(len(self.tokens)):
            before = self.refreshes[index]
            self.rider(index)
            if self.failed or self.refreshes[index] == before:
                raise AssertionError(f"rider {index} was signed out: {self.failed}")
        for first in range(0, len(self.events), 100):
            part = self.events[first : first + 100]
            status, answer = self.ask("POST", "/api/flags/v3/events", part, self.bearer())
            if (status, answer["duplicates"]) != (202, len(part)):
                raise AssertionError(f"events lost: {len(part)} sent again, answered with {status} {answer}")
        verified = program.run("log", "verify").strip().splitlines()[-1]
        return (
            f"{len(self.acknowledged)} consents acknowledged, each stored once; {sum(self.refreshes)} refreshes, no rider signed out; "
            f"{len(self.events)} events, all stored; {self.flags} flag requests, 0 failed; retries by status {dict(self.repeated)}; {verified}"
        )


