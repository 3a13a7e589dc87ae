#!/usr/bin/python3
"""Runs deploy/patroni: etcd, Patroni and PostgreSQL of three machines, which are three loopback addresses here, and the
example's HAProxy in front of the primary. One node of Musette records consents through it while the primary is killed:
each acknowledged one must be there exactly once. Then both standbys are killed: nothing may be acknowledged.

patroni_cluster.py MUSETTE-PROGRAM, as root (PostgreSQL runs as its own user). About two minutes; `make deploy-patroni`."""

import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import rehearse
import staging
from staging import DEPLOY, ROOT

NAMES = ["db1", "db2", "db3"]
[*_, BINARIES] = sorted(glob.glob("/usr/lib/postgresql/*/bin"))


def here(text, index):
    """An example of the first machine as that of another one; the machines are loopback addresses."""
    text = text.replace("10.0.0.0/24", "127.0.0.0/24")
    own = {"NAME=db1": f"NAME={NAMES[index]}", "name: db1": f"name: {NAMES[index]}"}
    for before, after in own.items():
        text = text.replace(before, after)
    lines = []
    for line in text.splitlines():
        # Lists name all three machines; what else names the first one is this machine's own.
        if not re.search(r"INITIAL_CLUSTER=|hosts:", line):
            line = line.replace("10.0.0.21", f"127.0.0.2{index + 1}")
        lines.append(line.replace("10.0.0.2", "127.0.0.2"))
    return "\n".join(lines) + "\n"


class Machine:
    def __init__(self, folder, index):
        self.address, self.folder = f"127.0.0.2{index + 1}", folder / NAMES[index]
        self.folder.mkdir()
        text = here((DEPLOY / "patroni/patroni.yml").read_text(), index)
        text = text.replace("listen: 0.0.0.0:", f"listen: {self.address}:").replace('password: ""', "password: rehearsal")
        text = re.sub(r"bin_dir: .+", f"bin_dir: {BINARIES}", text)
        text = re.sub(r"data_dir: .+", f"data_dir: {self.folder}/database", text)
        text = re.sub(r"pgpass: .+", f"pgpass: {self.folder}/pgpass", text)
        # Sockets of this folder: all three would use the same one.
        text = text.replace("  authentication:", f"  parameters:\n    unix_socket_directories: {self.folder}\n  authentication:")
        self.config = self.folder / "patroni.yml"
        self.config.write_text(text)
        self.log = (self.folder / "log").open("w")
        environment = (here((DEPLOY / "patroni/etcd.env").read_text(), index)).splitlines()
        own = dict(line.split("=", 1) for line in environment if line and not line.startswith("#"))
        own["ETCD_LISTEN_CLIENT_URLS"] = own["ETCD_LISTEN_CLIENT_URLS"].split(",")[0]
        self.etcd = subprocess.Popen(
            ["/usr/bin/etcd", "--data-dir", self.folder / "etcd"], env={**os.environ, **own}, stdout=self.log, stderr=self.log
        )
        shutil.chown(self.folder, "postgres")
        self.patroni = None

    def start(self):
        command = ["runuser", "-u", "postgres", "--", "/usr/bin/patroni", self.config]
        self.patroni = subprocess.Popen(command, cwd=self.folder, stdout=self.log, stderr=self.log)

    def kill(self):
        """Every process of it at once, as if the machine lost its power."""
        if self.patroni is None:
            return
        parents = {}
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = pathlib.Path(path).read_text().rsplit(")", 1)[1].split()
                parents.setdefault(int(fields[1]), []).append(int(path.split("/")[2]))
            except OSError:
                pass
        all_of_it, waiting = [], [self.patroni.pid]
        # PostgreSQL is no child of Patroni's.
        started = self.folder / "database/postmaster.pid"
        if started.exists():
            waiting.append(int(started.read_text().split("\n", 1)[0]))
        while waiting:
            pid = waiting.pop()
            all_of_it.append(pid)
            waiting += parents.get(pid, [])
        for pid in all_of_it:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.patroni.wait()
        self.patroni = None


def roles(machine):
    """By machine, as `patronictl list` shows them."""
    members = json.loads(urlopen(f"http://{machine.address}:8008/cluster", timeout=2).read())["members"]
    return {it["name"]: it["role"] for it in members if it["state"] in ("running", "streaming")}


class Client(threading.Thread):
    """Records one consent after the other; what is not acknowledged is sent again with its key."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.url, self.acknowledged, self.gaps, self.going = f"http://127.0.0.1:{port}", [], [], True
        [term] = json.loads(urlopen(f"{self.url}/api/rooster/v3/public/terms?types=FREELANCER").read())
        self.term = term["id"]

    def run(self):
        last = time.monotonic()
        while self.going:
            body, headers = rehearse.submission(self.term, str(uuid.uuid4()))
            request = Request(f"{self.url}/api/rooster/v3/terms/consents", json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
            while self.going:
                try:
                    answer = json.loads(urlopen(request, timeout=8).read())
                except (HTTPError, OSError):
                    time.sleep(0.1)
                    continue
                now = time.monotonic()
                self.acknowledged.append(answer["receipt"]["id"])
                self.gaps.append(now - last)
                last = now
                break
            time.sleep(0.02)


def main():
    program = sys.argv[1]
    ports = staging.free_ports(2)
    with tempfile.TemporaryDirectory(prefix="musette-patroni-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        machines = [Machine(folder, index) for index in range(3)]
        by_name = dict(zip(NAMES, machines))
        running = []
        try:
            rehearse.wait("etcd", lambda: b"true" in urlopen("http://127.0.0.21:2379/health", timeout=1).read())
            for machine in machines:
                machine.start()
            whole = ["leader", "replica", "sync_standby"]
            rehearse.wait("the cluster", lambda: sorted(roles(machines[0]).values()) == whole, 120)
            print(f"three PostgreSQL: {roles(machines[0])}")
            text = (DEPLOY / "patroni/haproxy.cfg").read_text().replace("10.0.0.2", "127.0.0.2")
            (folder / "haproxy.cfg").write_text(text.replace("127.0.0.1:5000", f"127.0.0.1:{ports[0]}"))
            log = (folder / "log").open("w")
            running.append(subprocess.Popen(["/usr/sbin/haproxy", "-db", "-f", folder / "haproxy.cfg"], stdout=log, stderr=log))
            leader = next(it for it, role in roles(machines[0]).items() if role == "leader")
            sql = "CREATE ROLE musette LOGIN PASSWORD 'rehearsal'; "
            psql = [f"{BINARIES}/psql", "-qX", "-h", by_name[leader].address, "-U", "postgres"]
            secret = {**os.environ, "PGPASSWORD": "rehearsal"}
            for statement in (sql, "CREATE DATABASE musette OWNER musette"):
                subprocess.run([*psql, "-c", statement], env=secret, check=True)
            environment = rehearse.node_environment(ports[1], 0, folder, 0)
            environment["MUSETTE_DATABASE"] = f"postgres://musette:rehearsal@127.0.0.1:{ports[0]}/musette"
            rehearse.wait("HAProxy finds the primary", lambda: subprocess.run([program, "migrate"], env=environment, capture_output=True).returncode == 0)
            document = str(ROOT / "testdata/documents/english.pdf")
            subprocess.run([program, "terms", "publish", "--type", "FREELANCER", "--title", "Rules", document], env=environment, check=True, stdout=log)
            running.append(subprocess.Popen([program, "serve"], env={**environment, "MUSETTE_PUBLIC_LIMITS": "off"}, cwd=folder, stdout=log, stderr=log))
            rehearse.wait("Musette", lambda: rehearse.status(ports[1], "/readyz") == 200)
            client = Client(ports[1])
            client.start()
            time.sleep(5)
            before = len(client.acknowledged)
            by_name[leader].kill()
            rehearse.wait("consents after the kill of the primary", lambda: len(client.acknowledged) > before + 20, 90)
            print(f"the primary killed: longest time without an acknowledgement {max(client.gaps):.1f} s (ttl 20)")
            by_name[leader].start()
            survivor = next(it for it in machines if it is not by_name[leader])
            rehearse.wait("the old primary is a standby again", lambda: sorted(roles(survivor).values()) == whole, 120)
            leader = next(it for it, role in roles(survivor).items() if role == "leader")
            for other in NAMES:
                if other != leader:
                    by_name[other].kill()
            time.sleep(2)
            alone = len(client.acknowledged)
            time.sleep(10)
            rehearse.expect(len(client.acknowledged), alone, "consents acknowledged on one machine only")
            print("both standbys killed: no consent acknowledged in 10 s")
            for other in NAMES:
                if other != leader:
                    by_name[other].start()
            rehearse.wait("consents after the standbys are back", lambda: len(client.acknowledged) > alone + 20, 90)
            client.going = False
            client.join()
            listed = subprocess.run([program, "consents", "export"], env=environment, check=True, capture_output=True, text=True).stdout
            found = [client.acknowledged.count(it) for it in set(client.acknowledged)]
            rehearse.expect(set(found), {1}, "receipts")
            wrong = [it for it in client.acknowledged if listed.count(it) != 1]
            rehearse.expect(wrong, [], "acknowledged consents that are not in the export exactly once")
            verified = subprocess.run([program, "log", "verify"], env=environment, check=True, capture_output=True, text=True).stdout
            print(f"{len(found)} consents acknowledged, each once in the export; log verify: {verified.strip().splitlines()[-1]}")
        except BaseException:
            for machine in machines:
                print((machine.folder / "log").read_text()[-1500:], file=sys.stderr)
            raise
        finally:
            for it in running:
                it.terminate()
            for machine in machines:
                machine.kill()
                machine.etcd.terminate()
                machine.etcd.wait()


if __name__ == "__main__":
    main()
