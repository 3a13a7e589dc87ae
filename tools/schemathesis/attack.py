"""Starts the program on each database of $STORES and runs schemathesis against it, as an admin and without a session.

    attack.py SCHEMATHESIS MUSETTE      called by tools/schemathesis/run
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import uuid

HERE = pathlib.Path(__file__).parent
EXAMPLES = os.environ.get("EXAMPLES", "3")
SEED = os.environ.get("SEED", "1")
STORES = os.environ.get("STORES", "SQLite").split()
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "unsupported_method",
]
# These would end the test's own session, so that the later requests would not come from an admin.
ENDS_THE_SESSION = ["logout", "logout_all"]


class Program:
    """A server with its own database, filled with the demo data."""

    def __init__(self, binary, folder, database):
        self.binary = binary
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("MUSETTE_")}
        self.environment |= {"MUSETTE_TEST": "1", "MUSETTE_TEST_IMAGES": "fast", "MUSETTE_LIMITS": "off", "MUSETTE_DATA": str(folder / "data")}
        if database:
            self.environment["MUSETTE_DATABASE"] = database
        self.log = open(folder / "log", "w")
        self.server = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--demo"],
            cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        self.url = self.server.stdout.readline().strip().removeprefix("musette listening on ")

    def run(self, *arguments):
        done = subprocess.run([self.binary, *arguments], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def admin(self):
        self.run("user", "add", "--id", "attacker", "--role", "admin", "--role", "rider")
        return json.loads(self.run("token", "issue", "--user", "attacker", "--access-ttl", "86400"))["dhhToken"]

    def stop(self):
        self.server.terminate()
        assert self.server.wait(30) == 0, "the server did not exit with 0"
        self.log.close()


@contextlib.contextmanager
def database():
    """Creates a database on the server that tools/with-postgres started, and yields its address."""
    server = os.environ["MUSETTE_TEST_POSTGRES"]
    name = f"attack_{uuid.uuid4().hex[:8]}"
    address = urllib.parse.urlsplit(server)
    psql = ["psql", "-q", "-h", address.hostname, "-p", str(address.port), "-U", address.username, "postgres", "-c"]
    subprocess.run([*psql, f"CREATE DATABASE {name}"], check=True)
    yield f"{server}/{name}"


def attack(schemathesis, program, folder, token):
    command = [
        schemathesis, "run", f"{program.url}/openapi.json", "--checks", ",".join(CHECKS),
        "--max-examples", EXAMPLES, "--seed", SEED, "--workers", "1", "--no-color", "--no-shrink",
        "--generation-database", "none", "--request-timeout", "40", "--continue-on-failure",
        "--phases", os.environ.get("PHASES", "examples,coverage,fuzzing"), "--warnings", "off", "--suppress-health-check", "all",
        # An event stream does not end, so its response cannot be awaited.
        "--exclude-path", "/api/flags/v3/stream",
    ]
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
        for operation in ENDS_THE_SESSION:
            command += ["--exclude-operation-id", operation]
    environment = program.environment | {"SCHEMATHESIS_HOOKS": "documents", "PYTHONPATH": str(HERE)}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    summaries = (line.strip() for line in result.stdout.splitlines() if "generated" in line.lower())
    if result.returncode == 0:
        return True, next(summaries, "")
    return False, result.stdout[-20_000:] + result.stderr[-2_000:]


def attack_store(schemathesis, binary, engine):
    """Returns the failures on this database; empty means success."""
    wrong = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="musette-attack-")))
        url = stack.enter_context(database()) if engine == "PostgreSQL" else None
        program = Program(binary, folder, url)
        try:
            token = program.admin()
            for caller, session in (("admin", token), ("without a session", None)):
                is_good, output = attack(schemathesis, program, folder, session)
                print(f"{engine}, {caller}: {output}", flush=True)
                if not is_good:
                    wrong.append(f"{engine}, {caller}")
            log = (folder / "log").read_text()
            if wrong:
                print(f"{engine}, the end of the program's log:", *log.replace(token, "[token]").splitlines()[-20:], sep="\n")
            if "panicked" in log or token in log:
                wrong.append(f"{engine}: a panic or a token in the log")
        finally:
            program.stop()
    return wrong


def main(schemathesis, binary):
    schemathesis, binary = (str(pathlib.Path(it).absolute()) for it in (schemathesis, binary))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        stores = [pool.submit(attack_store, schemathesis, binary, it) for it in STORES]
        wrong = [what for store in stores for what in store.result()]
    if wrong:
        sys.exit(f"failed: {wrong}")


if __name__ == "__main__":
    main(*sys.argv[1:])
