#!/usr/bin/python3
"""Simulates power cuts of a witness, as power_cut.py does for a server: `strace` records each write, sync and rename in the data
directory while a log submits checkpoints. Each image of the disk must contain the keys, and a state that is not older than any
cosignature that had been sent before. From some images the witness starts and continues.

power_cut_witness.py MUSETTE-PROGRAM [IMAGES]. Unlike power_cut.py it assumes that a name is on disk only after a sync of its
directory. Changes of names reach the disk in their order, as in a journal."""

import base64
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import staging
from rehearse import own_environment, wait

sys.path.insert(0, str(staging.ROOT / "crates/server/tests/it/witness"))
import independent

CHECKPOINTS = 60
CALLS = "openat,write,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat"
CALL = re.compile(r"^(\d+) +([\d.]+) (\w+)\((.*)$")
RESUMED = re.compile(r"^(\d+) +([\d.]+) <\.\.\. (\w+) resumed>,? ?(.*)$")
# Paths and contents are hexadecimal.
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
FILE = re.compile(r"^\d+<([^>]*)>")
STATE = "logs/" + independent.hashlib.sha256(independent.ORIGIN.encode()).hexdigest()
KEYS = "keys"
ENTRIES = [f"entry {number}".encode() for number in range(CHECKPOINTS * 3)]


def decoded(text):
    return bytes.fromhex(text.replace("\\x", ""))


def start(program, data, log, *tracing):
    """Starts a witness. Returns its process and its address."""
    vkey = f"{independent.ORIGIN}+{independent.key_id(independent.ORIGIN, 1, public()).hex()}+{independent.b64(bytes([1]) + public())}"
    [port] = staging.free_ports(1)
    command = [program, "witness", "--listen", f"127.0.0.1:{port}", "--data", str(data), "--name", "council.example/w", "--log", vkey]
    accept = [] if tracing else ["--accept-restored"]
    process = subprocess.Popen([*tracing, *command, *accept], env=own_environment, stdout=log, stderr=log)
    address = f"127.0.0.1:{port}"

    def responds():
        if process.poll() is not None:
            raise AssertionError(f"the witness ended with {process.returncode}")
        return independent.request(address, "GET", "/" + STATE.removeprefix("logs/") + "/checkpoint")[0] in (200, 404)

    wait("the witness", responds, 120)
    return process, address


def public():
    return independent.ed25519_public(independent.SEED)


def submit(address, old, new):
    text, line = independent.checkpoint(ENTRIES[:new])
    proof = "".join(independent.b64(node) + "\n" for node in (independent.consistency(old, ENTRIES[:new]) if old else []))
    return independent.request(address, "POST", "/add-checkpoint", f"old {old}\n{proof}\n{text}\n{line}")[0]


def record(program, folder):
    """Runs the witness under strace. Returns the cosigned sizes, each with the time when the log received the cosignatures."""
    data = folder / "data"
    tracing = ["strace", "-f", "-qq", "-ttt", "-y", "-xx", "-s", "2000000", "-o", str(folder / "trace"), "-e", f"trace={CALLS}"]
    cosigned, dice, size = [], random.Random(1), 0
    with (folder / "log").open("w") as log:
        process, address = start(program, data, log, *tracing)
        try:
            for _ in range(CHECKPOINTS):
                next_size = size + dice.randrange(1, 4)
                status = submit(address, size, next_size)
                assert status == 200, status
                size = next_size
                cosigned.append((time.time(), size))
        finally:
            # Kills the witness, which also ends strace.
            subprocess.run(["pkill", "-KILL", "-P", str(process.pid)])
            process.wait()
    return cosigned


def operations(trace, data):
    """Returns the operations on the data directory in order, each with the index at which it began."""
    found, unfinished = [], {}
    for line in trace.open():
        if resumed := RESUMED.match(line):
            pid, at, name, rest = resumed.groups()
            before, began = unfinished.pop((pid, name), (None, None))
            if before is None:
                continue
            rest = before + rest
        else:
            call = CALL.match(line)
            if not call:
                continue
            pid, at, name, rest = call.groups()
            if "<unfinished" in rest:
                unfinished[pid, name] = (rest.split("<unfinished")[0].rstrip(), len(found))
                continue
            began = len(found)
        if not re.search(r"= \d+(<[^>]*>)?$", rest.rstrip()):
            continue
        operation = parsed(name, rest, data)
        if operation:
            found.append((float(at), began, *operation))
    return found


def parsed(name, rest, data):
    texts = [decoded(text) for text in TEXT.findall(rest)]
    path = relative((decoded(FILE.match(rest)[1]) if name in ("write", "fsync", "fdatasync") else texts[0]).decode(errors="replace"), data)
    if path is None:
        return None
    if name == "openat":
        return ("create", path) if "O_CREAT" in rest else None
    if name == "write":
        return "write", path, texts[0]
    if name.startswith("rename"):
        return "rename", path, relative(texts[1].decode(), data)
    if name.startswith("mkdir"):
        return "mkdir", path
    return ("unlink" if name.startswith("unlink") else "sync"), path


def relative(path, data):
    """Returns the path in the data directory, `.` for the directory itself; None for other paths."""
    try:
        return str(pathlib.PurePath(path).relative_to(data))
    except ValueError:
        return None


class Disk:
    """The names and contents that are certainly on the disk, and the changes since the last syncs."""

    def __init__(self):
        self.names, self.changes, self.live = {}, [], {}
        self.contents, self.waiting = [], []

    def apply(self, index, operation):
        _, began, what, path, *detail = operation
        if what == "create":
            self.live[path] = len(self.contents)
            self.contents.append(b"")
            self.waiting.append([])
            self.changes.append((index, path, self.live[path], None))
        elif what == "write":
            self.waiting[self.live[path]].append((index, detail[0]))
        elif what == "rename":
            self.live[detail[0]] = self.live.pop(path)
            self.changes.append((index, detail[0], self.live[detail[0]], path))
        elif what == "unlink":
            self.live.pop(path, None)
            self.changes.append((index, path, None, None))
        elif what == "sync":
            self.sync(path, began)

    def sync(self, path, began):
        if path in self.live:
            file = self.live[path]
            self.contents[file] += b"".join(data for index, data in self.waiting[file] if index < began)
            self.waiting[file] = [it for it in self.waiting[file] if it[0] >= began]
            return
        inside = [it for it in self.changes if str(pathlib.PurePath(it[1]).parent) == path and it[0] < began]
        for change in inside:
            self.rename(self.names, change)
            self.changes.remove(change)

    @staticmethod
    def rename(names, change):
        _, path, file, before = change
        names.pop(before, None)
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file

    def image(self, folder, mode, dice):
        names = dict(self.names)
        count = {"nothing": 0, "everything": len(self.changes)}.get(mode, dice.randrange(len(self.changes) + 1))
        for change in self.changes[:count]:
            self.rename(names, change)
        for path, file in names.items():
            rest = b"".join(data for _, data in self.waiting[file])
            length = {"nothing": 0, "everything": len(rest)}.get(mode, dice.randrange(len(rest) + 1))
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            place.write_bytes(self.contents[file] + rest[:length])
            place.chmod(0o600)


def size_of(image):
    """Returns the size of the state in an image; 0 if there is none. Raises an error if the state is damaged."""
    if not (image / STATE).exists():
        return 0
    _, _, note = (image / STATE).read_text().partition("\n\n")
    origin, size, root = note.split("\n")[:3]
    assert origin == independent.ORIGIN, note
    assert base64.b64decode(root) == independent.tree_hash(ENTRIES[: int(size)]), "another tree"
    assert note.endswith("\n") and len(note.split("\n\n")[1].splitlines()) == 3, note
    return int(size)


def check(image, keys, wanted):
    """Returns the error in an image; None if there is none."""
    try:
        size = size_of(image)
    except (AssertionError, ValueError, IndexError) as error:
        return f"damaged: {error!r}"
    if wanted and (not (image / KEYS).exists() or (image / KEYS).read_bytes() != keys):
        return "the keys are missing or damaged, although they have signed"
    return f"the state has {size} entries, and {wanted} were cosigned" if size < wanted else None


def continues(program, folder, image):
    """Starts the witness on an image, and lets it sign the next checkpoint."""
    size = size_of(image)
    with (folder / "log").open("a") as log:
        process, address = start(program, image, log)
        try:
            smaller = submit(address, 0, max(size - 1, 1)) if size else 409
            status = submit(address, size, size + 1)
        finally:
            process.kill()
            process.wait()
    return None if (smaller, status) == (409, 200) else f"it answers {smaller} and {status}"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    images = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    seed = int(os.environ.get("SEED", "1"))
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="musette-power-", dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        cosigned = record(program, folder)
        done = operations(folder / "trace", folder / "data")
        keys = (folder / "data" / KEYS).read_bytes()
        counts = {what: sum(1 for it in done if it[2] == what) for what in ("write", "sync", "rename")}
        print(f"{len(cosigned)} checkpoints cosigned, {counts}", flush=True)
        places = list(range(1, len(done) + 1))
        cuts = sorted(dice.choice(places) if images < len(places) else places[it % len(places)] for it in range(images))
        disk, applied, errors, started = Disk(), 0, [], 0
        for number, cut in enumerate(cuts):
            while applied < cut:
                disk.apply(applied, done[applied])
                applied += 1
            mode = ("nothing", "everything", "any part", "any part")[number % 4]
            with tempfile.TemporaryDirectory(dir=folder) as place:
                image = pathlib.Path(place)
                disk.image(image, mode, dice)
                wanted = max((size for at, size in cosigned if at < done[cut - 1][0]), default=0)
                error = check(image, keys, wanted)
                if error is None and (image / KEYS).exists() and number % (images // 20 or 1) == 0:
                    error, started = continues(program, folder, image), started + 1
            if error:
                errors.append(f"cut {cut} of {len(done)}, {mode}: {error}")
        # Tests the test: without any sync, it must find a loss.
        blind = Disk()
        for index, operation in enumerate(done):
            if operation[2] != "sync":
                blind.apply(index, operation)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            blind.image(pathlib.Path(place), "nothing", dice)
            if check(pathlib.Path(place), keys, cosigned[-1][1]) is None:
                raise AssertionError("a disk that ignores every sync lost no state: this test cannot detect a loss")
        if errors:
            raise AssertionError(f"seed {seed}: {len(errors)} of {len(cuts)} images have errors: {errors[:3]}")
        print(f"{len(cuts)} images: none damaged, no cosigned tree forgotten; {started} continued (seed {seed})")


if __name__ == "__main__":
    main()
