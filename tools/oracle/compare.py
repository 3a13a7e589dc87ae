"""Evaluates the same flags with the running program and with the oracle. Any difference is an error."""

import copy
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime, timezone

import made_up
from evaluate import Evaluator

PEOPLE = 60


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
        self.connection = http.client.HTTPConnection(address, timeout=30)
        self.key = self.run("key", "create", "--env", "oracle", "--kind", "server").strip()

    def run(self, *arguments):
        command = [self.binary, *arguments, "--data", self.folder]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def ask(self, context):
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        self.connection.request("PUT", "/api/flags/v3/features", json.dumps(context), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise AssertionError(f"{answer.status} {body} to {context}")
        return json.loads(body)

    def save(self, document):
        """Imports a document, and returns when the running program serves it."""
        file = os.path.join(self.folder, "document.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(document, out)
        self.run("flags", "import", file, "--env", "oracle")
        version = json.loads(self.run("flags", "export", "--env", "oracle"))["version"]
        while self.ask({})["version"] != version:
            pass


def differences(program, document, people, assigned, kinds):
    evaluator = Evaluator(document, datetime.now(timezone.utc), assigned)
    for person in people:
        answer = program.ask(person)["flags"]
        for flag in document["flags"]:
            expected = evaluator.evaluate(flag, person)
            got = answer[flag["key"]]
            groups = [[it["key"], it["group"]] for it in got["holdoutsEvaluations"]]
            explanation = got["explanation"]
            actual = got["variationKey"], explanation["kind"], explanation["from"], groups
            values = {it["key"]: it["value"] for it in flag["variations"]}
            kinds[expected[1]] += 1
            if actual != expected or got["variation"] != values[expected[0]]:
                yield {"flag": flag, "person": person, "expected": expected, "got": got}


def main(binary, documents, seed):
    source = random.Random(seed)
    kinds = Counter()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, folder)
        try:
            for number in range(documents):
                first = made_up.document(source)
                people = [made_up.person(source) for _ in range(PEOPLE)]
                assigned = {}
                for document in (first, made_up.redrawn(source, copy.deepcopy(first))):
                    program.save(document)
                    for difference in differences(program, document, people, assigned, kinds):
                        sys.exit(f"document {number} of seed {seed} differs: {json.dumps(difference, indent=1)}")
        finally:
            program.process.terminate()
            program.process.wait()
    missing = {"OFF", "OVERRIDE", "PREREQUISITE_FAILED", "HOLDOUT", "TARGET", "RULE", "ROLLOUT",
               "AB_TEST", "DEFAULT"} - kinds.keys()  # fmt: skip
    if missing:
        sys.exit(f"no evaluation had the kind {sorted(missing)}")
    print(f"{kinds.total()} evaluations compared, no differences; {dict(kinds.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1], int(os.environ.get("ORACLE_DOCUMENTS", "12")), int(os.environ.get("SEED", "1")))
