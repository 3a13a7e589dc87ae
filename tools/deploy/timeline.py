"""Reads the state of each part of a cluster four times a second, and prints the changes as a timeline, with the seconds
since a time that the caller passes."""

import csv
import io
import json
import re
import socket
import threading
import time
from urllib.error import HTTPError
from urllib.request import urlopen

INTERVAL_S = 0.25
AWAY = "no answer"


def patroni(address):
    """Returns the role, the timeline and the synchronous standbys, as the Patroni of one machine reports them."""
    found = json.loads(fetch(f"http://{address}:8008/patroni")[1])
    words = [found["role"], found["state"]]
    if "timeline" in found:
        words.append(f"timeline {found['timeline']}")
    standbys = [f"{it['application_name']} {it['sync_state']}" for it in found.get("replication", [])]
    return ", ".join(words + sorted(standbys))


def etcd(address):
    """Whether this member of etcd has a leader."""
    code, text = fetch(f"http://{address}:2379/health")
    return "healthy" if code == 200 and json.loads(text)["health"] == "true" else "no leader"


def node(port):
    """Returns the answer of /readyz of one node of Musette."""
    code, text = fetch(f"http://127.0.0.1:{port}/readyz")
    # Without the seconds in the text, which change all the time.
    return "ready" if code == 200 else f"{code} " + re.sub(r"\d+", "…", json.loads(text).get("detail", ""))


def haproxy(path):
    """Returns the servers that HAProxy considers the primary."""
    with socket.socket(socket.AF_UNIX) as it:
        it.settimeout(1)
        it.connect(path)
        it.sendall(b"show stat\n")
        text = b"".join(iter(lambda: it.recv(65536), b"")).decode()
    rows = csv.DictReader(io.StringIO(text.removeprefix("# ")))
    return " ".join(row["svname"] for row in rows if row["svname"].startswith("db") and row["status"].startswith("UP")) or "none"


def fetch(url):
    try:
        with urlopen(url, timeout=1) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, error.read()


class Timeline:
    """`probes` by name. Each has its own thread, so a probe without an answer delays no other."""

    def __init__(self, probes):
        self.probes, self.going, self.lock = probes, True, threading.Lock()
        self.changes, self.last = [], {}

    def start(self):
        for name, probe in self.probes.items():
            threading.Thread(target=self.watch, args=(name, probe), daemon=True).start()
        return self

    def watch(self, name, probe):
        while self.going:
            try:
                found = probe()
            except (OSError, ValueError, KeyError):
                found = AWAY
            with self.lock:
                if self.last.get(name) != found:
                    self.changes.append((time.monotonic(), name, found))
                    self.last[name] = found
            time.sleep(INTERVAL_S)

    def since(self, began, until, acknowledgements=()):
        """Returns lines with the changes, and with the pauses between two acknowledgements."""
        with self.lock:
            found = [it for it in self.changes if began <= it[0] <= until]
        moments = sorted(it for it in acknowledgements if began - 5 <= it <= until)
        for earlier, later in zip(moments, moments[1:]):
            if later - earlier > 1:
                found += [(earlier, "consents", "last acknowledgement"), (later, "consents", f"acknowledged again after {later - earlier:.1f} s")]
        return [f"  {at - began:6.1f} s  {name}: {what}" for at, name, what in sorted(found)]
