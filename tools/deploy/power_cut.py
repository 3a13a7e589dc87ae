#!/usr/bin/python3
"""Simulates thousands of power cuts of a server on SQLite. `kill -9` cannot reveal a missing sync, because written data stays
in the kernel. While people submit consents, `strace` records each write and sync of the database's files. From these it
creates images of the disk as it could be at each moment: all synced data, and of the rest nothing, everything, a random
part, or a torn write. Each image must open, pass SQLite's integrity check, and contain every consent acknowledged before.

power_cut.py MUSETTE-PROGRAM [IMAGES]. File names are assumed to be on disk at once, which is lenient."""

import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import staging
from load import CONSENTS, Load, Program
from rehearse import own_environment, status, wait

FILES = ["musette.db", "musette.db-wal"]
PEOPLE, CONSENTS_EACH = 4, 60
CALL = re.compile(r'^(\d+) +([\d.]+) (\w+)\((.*)$')
RESUMED = re.compile(r"^(\d+) +([\d.]+) <\.\.\. (\w+) resumed>")
# Paths and contents are hexadecimal.
WRITE = re.compile(r'\d+<([^>]*)>, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+)')
FILE = re.compile(r"\d+<([^>]*)>(?:, (\d+))?")


def record(program, folder):
    """Runs the server under strace. Returns the ids of the acknowledged entries, with the time when the client received them."""
    data = folder / "data"
    [port] = staging.free_ports(1)
    environment = {**own_environment, "MUSETTE_DATA": str(data), "MUSETTE_PUBLIC_LIMITS": "off", "MUSETTE_LISTEN": f"127.0.0.1:{port}"}
    musette = Program(program, environment)
    musette.run("migrate")
    pdf = staging.ROOT / "testdata/documents/english.pdf"
    term = json.loads(musette.run("terms", "publish", "--type", "FREELANCER", "--title", "Rules", str(pdf)))["id"]
    shutil.copytree(data, folder / "before")
    trace = folder / "trace"
    command = ["strace", "-f", "-qq", "-ttt", "-y", "-xx", "-s", "2000000", "-o", trace, "-e", "trace=pwrite64,fdatasync,fsync,ftruncate"]
    for name in FILES:
        command += ["-P", str(data / name)]
    acknowledged = []
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([*command, program, "serve"], env=environment, stdout=log, stderr=log)
        try:
            wait("the server", lambda: status(port, "/readyz") == 200, 120)

            def submit():
                for _ in range(CONSENTS_EACH):
                    decision = {"terms_and_conditions_id": term, "accepted": True, "consented_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
                    body = {"user_id": "", "user_type": "APPLICANT", "consents": [decision]}
                    code, answer = Load.ask(asker, "POST", CONSENTS, body, {"Idempotency-Key": str(uuid.uuid4())})
                    assert code == 201, (code, answer)
                    acknowledged.append((time.time(), json.loads(answer["receipt"]["entry"])["id"]))

            asker = Load.__new__(Load)
            asker.addresses, asker.lock, asker.turn = (lambda: [("127.0.0.1", port)]), threading.Lock(), 0
            people = [threading.Thread(target=submit) for _ in range(PEOPLE)]
            for it in people:
                it.start()
            for it in people:
                it.join()
        finally:
            # Kills the server, which also ends strace.
            subprocess.run(["pkill", "-KILL", "-P", str(server.pid)])
            server.wait()
    if len(acknowledged) != PEOPLE * CONSENTS_EACH:
        raise AssertionError(f"only {len(acknowledged)} consents were acknowledged")
    return acknowledged


def operations(trace):
    """Returns the operations in order: `write`, `cut` (of a file's length), and `sync` with the index at which it began."""
    found, unfinished = [], {}
    for line in trace.open():
        if resumed := RESUMED.match(line):
            pid, at, name = resumed.groups()
            if name in ("fdatasync", "fsync") and pid in unfinished:
                file, began = unfinished.pop(pid)
                found.append((float(at), "sync", file, began))
            continue
        call = CALL.match(line)
        if not call:
            continue
        pid, at, name, rest = call.groups()
        if name == "pwrite64":
            write = WRITE.match(rest)
            if not write:
                raise AssertionError(f"cannot parse this write: {line[:200]}")
            found.append((float(at), "write", name_of(write[1]), (int(write[3]), decoded(write[2]))))
            continue
        file = FILE.match(rest)
        if name == "ftruncate":
            found.append((float(at), "cut", name_of(file[1]), int(file[2])))
        elif "unfinished" in rest:
            unfinished[pid] = (name_of(file[1]), len(found))
        else:
            found.append((float(at), "sync", name_of(file[1]), len(found)))
    return found


def decoded(text):
    return bytes.fromhex(text.replace("\\x", ""))


def name_of(path):
    return pathlib.PurePath(decoded(path).decode()).name


def put(content, at, data):
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


class Disk:
    """The data that is certainly on the disk, and the writes since the last sync."""

    def __init__(self, before):
        self.durable = {name: bytearray((before / name).read_bytes() if (before / name).exists() else b"") for name in FILES}
        self.waiting = {name: [] for name in FILES}

    def apply(self, index, operation):
        _, what, file, detail = operation
        if what == "write":
            self.waiting[file].append((index, *detail))
        elif what == "cut":
            self.waiting[file].append((index, detail, None))
        else:
            for _, at, data in (it for it in self.waiting[file] if it[0] < detail):
                self.change(self.durable[file], at, data)
            self.waiting[file] = [it for it in self.waiting[file] if it[0] >= detail]

    @staticmethod
    def change(content, at, data):
        if data is None:
            del content[at:]
        else:
            put(content, at, data)

    def image(self, folder, mode, dice):
        for name in FILES:
            content = bytearray(self.durable[name])
            waiting = self.waiting[name]
            kept = {"nothing": [], "everything": waiting}.get(mode)
            if kept is None:
                kept = [it for it in waiting if dice.random() < 0.5]
            for place, (_, at, data) in enumerate(kept):
                if mode == "torn" and place == len(kept) - 1 and data:
                    data = data[: 512 * dice.randrange(0, len(data) // 512 + 1)]
                self.change(content, at, data)
            if content:
                (folder / name).write_bytes(content)


def check(image, wanted):
    """Returns the error in an image; None if there is none."""
    connection = sqlite3.connect(image / "musette.db")
    try:
        result = connection.execute("PRAGMA integrity_check").fetchall()
        if result != [("ok",)]:
            return f"damaged: {result[:3]}"
        stored = {entry for (entry,) in connection.execute("SELECT entry_id FROM submissions")}
    except sqlite3.DatabaseError as error:
        return f"damaged: {error}"
    finally:
        connection.close()
    missing = wanted - stored
    return f"{len(missing)} acknowledged consents are missing" if missing else None


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    images = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    seed = int(os.environ.get("SEED", "1"))
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="musette-power-", dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        acknowledged = record(program, folder)
        done = operations(folder / "trace")
        counts = {what: sum(1 for it in done if it[1] == what) for what in ("write", "sync", "cut")}
        print(f"{len(acknowledged)} consents acknowledged, {counts}", flush=True)
        # Uses every position once before any position a second time.
        places = list(range(1, len(done) + 1))
        cuts = sorted(dice.choice(places) if images < len(places) else places[it % len(places)] for it in range(images))
        disk, applied, errors, verified = Disk(folder / "before"), 0, [], 0
        for number, cut in enumerate(cuts):
            while applied < cut:
                disk.apply(applied, done[applied])
                applied += 1
            mode = ("nothing", "everything", "any part", "torn")[number % 4]
            image = folder / "image"
            image.mkdir(mode=0o700)
            disk.image(image, mode, dice)
            wanted = {entry for at, entry in acknowledged if at < done[cut - 1][0]}
            error = check(image, wanted)
            # The log is created while the server starts, so it exists once a consent was acknowledged.
            if error is None and wanted and number % (images // 20 or 1) == 0:
                result = subprocess.run([program, "log", "verify", "--data", str(image)], env=own_environment, capture_output=True, text=True)
                verified += 1
                error = None if result.returncode == 0 else result.stdout + result.stderr
            if error:
                errors.append(f"cut {cut} of {len(done)}, {mode}: {error}")
            shutil.rmtree(image)
        # Tests the test: without any sync, it must find a loss.
        blind, image = Disk(folder / "before"), folder / "image"
        for index, operation in enumerate(done):
            if operation[1] != "sync":
                blind.apply(index, operation)
        image.mkdir()
        blind.image(image, "nothing", dice)
        if check(image, {entry for _, entry in acknowledged}) is None:
            raise AssertionError("a disk that ignores every sync lost no data: this test cannot detect a loss")
        if errors:
            raise AssertionError(f"seed {seed}: {len(errors)} of {len(cuts)} images have errors: {errors[:3]}")
        print(f"{len(cuts)} images: none damaged, no acknowledged consent missing; the logs of {verified} verified (seed {seed})")


if __name__ == "__main__":
    main()
