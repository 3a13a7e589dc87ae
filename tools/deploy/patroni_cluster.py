#!/usr/bin/python3
"""Runs deploy/patroni and deploy/compose/haproxy.cfg as in production: etcd, Patroni and PostgreSQL on three machines, and
three nodes of Musette behind HAProxy. Meanwhile riders refresh and decide, applicants decide, and clients evaluate flags
and report events, while machines lose power, are partitioned or change roles. Every acknowledged consent must be stored
exactly once, no rider may be signed out, no flag request may fail, and the log must verify.

Each database machine has its own network and processes (namespaces of this kernel), so that it can lose both at once.
Everything ends with this program, and nothing is visible outside.

patroni_cluster.py MUSETTE-PROGRAM, as root. About eight minutes; `make test-ha`. TTL=20 uses the example's times for
Patroni, which Patroni documents as the shortest; the defaults are 10, 2 and 3 seconds.
FAULTS='partition partition' causes only these faults, in this order; KEEP_LOGS=FOLDER copies the logs of a failed run."""

import collections
import ctypes
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
import time
from urllib.request import Request, urlopen

import rehearse
import staging
from load import Load, Program
from rehearse import expect, wait
from staging import DEPLOY
from timeline import Timeline
import timeline

NAMES = ["db1", "db2", "db3"]
WHOLE = ["leader", "replica", "sync_standby"]
[*_, BINARIES] = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
# Process 1 of a machine. It must reap orphaned processes; otherwise a stopped postmaster remains as a zombie.
INIT = """
import os, subprocess, sys, json
for command in json.loads(sys.argv[1]):
    subprocess.Popen(command)
while True:
    os.wait()
"""


def sh(command):
    subprocess.run(command.split(), check=True)


def make_network():
    """Creates a switch with 10.0.0.1, where Musette and its proxies run, and a link to each database machine."""
    pathlib.Path("/run/netns").mkdir(exist_ok=True)
    for command in ("mount -t tmpfs none /run/netns", "ip link set lo up", "ip link add switch type bridge", "ip link set switch up", "ip addr add 10.0.0.1/24 dev switch"):
        sh(command)
    for index, name in enumerate(NAMES):
        sh(f"ip netns add {name}")
        sh(f"ip link add {name} type veth peer name eth0 netns {name}")
        sh(f"ip link set {name} master switch up")
        for command in (f"addr add 10.0.0.2{index + 1}/24 dev eth0", "link set eth0 up", "link set lo up"):
            sh(f"ip -n {name} {command}")


class Machine:
    def __init__(self, folder, index, ttl):
        self.name, self.address, self.folder = NAMES[index], f"10.0.0.2{index + 1}", folder / NAMES[index]
        self.folder.mkdir()
        text = self.own((DEPLOY / "patroni/patroni.yml").read_text(), index).replace('password: ""', "password: rehearsal")
        text = re.sub(r"bin_dir: .+", f"bin_dir: {BINARIES}", text)
        text = re.sub(r"data_dir: .+", f"data_dir: {self.folder}/database", text)
        text = re.sub(r"pgpass: .+", f"pgpass: {self.folder}/pgpass", text)
        # Sockets in this folder: otherwise all three machines would use the same one.
        text = text.replace("  authentication:", f"  parameters:\n    unix_socket_directories: {self.folder}\n  authentication:")
        if ttl == 10:
            text = text.replace("ttl: 20", "ttl: 10").replace("loop_wait: 5", "loop_wait: 2").replace("retry_timeout: 5", "retry_timeout: 3")
        self.config = self.folder / "patroni.yml"
        self.config.write_text(text)
        lines = self.own((DEPLOY / "patroni/etcd.env").read_text(), index).splitlines()
        self.etcd = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        self.log = (self.folder / "log").open("w")
        shutil.chown(self.folder, "postgres")
        self.process = None

    @staticmethod
    def own(text, index):
        """Returns the first machine's example, adapted to another machine."""
        text = text.replace("NAME=db1", f"NAME={NAMES[index]}").replace("name: db1", f"name: {NAMES[index]}")
        lines = text.splitlines()
        # Lists contain all three machines. Every other mention of the first one means this machine.
        return "\n".join(it if re.search(r"INITIAL_CLUSTER=|hosts:", it) else it.replace("10.0.0.21", f"10.0.0.2{index + 1}") for it in lines) + "\n"

    def start(self):
        etcd = ["/usr/bin/etcd", "--data-dir", str(self.folder / "etcd")]
        patroni = ["runuser", "-u", "postgres", "--", "/usr/bin/patroni", str(self.config)]
        command = ["ip", "netns", "exec", self.name, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        command += ["/usr/bin/python3", "-c", INIT, json.dumps([etcd, patroni])]
        self.process = subprocess.Popen(command, cwd=self.folder, env={**os.environ, **self.etcd}, stdout=self.log, stderr=self.log)

    def kill(self):
        """Kills all its processes at once, like a loss of power."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def cut(self, off=True):
        """Makes the other machines and their etcd unreachable. Musette and its proxy can still be reached."""
        # Both at the same moment: a standby that receives data a moment longer than the other one would be ahead of it,
        # and would have to be rewound.
        routes = [f"10.0.0.2{index + 1}/32" for index, name in enumerate(NAMES) if name != self.name]
        lines = "".join(f"route {'add' if off else 'del'} blackhole {it}\n" for it in routes)
        subprocess.run(["ip", "-n", self.name, "-batch", "-"], input=lines, text=True, check=True)


class Cluster:
    def __init__(self, folder, program, ttl):
        self.folder, self.ttl = folder, ttl
        self.machines = {name: Machine(folder, index, ttl) for index, name in enumerate(NAMES)}
        self.log = (folder / "log").open("w")
        *self.ports, self.front = staging.free_ports(4)
        self.environments = [rehearse.node_environment(port, 0, folder, index) for index, port in enumerate(self.ports)]
        for it in self.environments:
            it |= {"MUSETTE_DATABASE": "postgres://musette:rehearsal@127.0.0.1:5000/musette", "MUSETTE_PUBLIC_LIMITS": "off"}
            # HAProxy removes a node after two checks, one per second, whose answers take long on a busy machine.
            it["MUSETTE_DRAIN_DELAY"] = "4"
        self.program = Program(program, self.environments[0])
        self.nodes = [None] * 3

    def roles(self):
        """Returns the roles by machine as the primary sees them. A partitioned machine may still report former roles."""
        found = []
        for it in self.machines.values():
            try:
                own = json.loads(timeline.fetch(f"http://{it.address}:8008/patroni")[1])
                if own["role"] in ("master", "primary") and own["state"] == "running":
                    found.append(json.loads(timeline.fetch(f"http://{it.address}:8008/cluster")[1])["members"])
            except (OSError, ValueError):
                pass
        members = found[0] if len(found) == 1 else []
        return {member["name"]: member["role"] for member in members if member["state"] in ("running", "streaming")}

    def of_role(self, role):
        found = {}
        wait(f"a {role}", lambda: found.update({its: name for name, its in self.roles().items()}) or role in found)
        return self.machines[found[role]]

    def is_whole(self):
        """Whether all roles are stable for five seconds. A standby that is ahead of a new primary is rewound first."""
        for _ in range(10):
            if sorted(self.roles().values()) != WHOLE:
                return False
            time.sleep(0.5)
        return True

    def start(self):
        for it in self.machines.values():
            it.start()
        wait("the database cluster", self.is_whole, 180)
        print(f"three PostgreSQL under Patroni (ttl {self.ttl}): {self.roles()}", flush=True)
        # As deploy/README.md says.
        psql = [f"{BINARIES}/psql", "-qX", "-h", self.of_role("leader").address, "-U", "postgres"]
        for statement in ("CREATE ROLE musette LOGIN PASSWORD 'rehearsal'", "CREATE DATABASE musette OWNER musette"):
            subprocess.run([*psql, "-c", statement], env={**os.environ, "PGPASSWORD": "rehearsal"}, check=True)
        primary, control = self.folder / "primary.cfg", self.folder / "haproxy.sock"
        text = (DEPLOY / "patroni/haproxy.cfg").read_text()
        primary.write_text(text.replace("global\n", f"global\n    stats socket {control}\n", 1))
        for config in (primary, staging.haproxy(self.folder, self.ports, self.front)):
            subprocess.Popen(["/usr/sbin/haproxy", "-db", "-f", config], stdout=self.log, stderr=self.log)
        wait("HAProxy finds the primary", lambda: subprocess.run([self.program.path, "migrate"], env=self.program.environment, capture_output=True).returncode == 0, 60)
        key, tokens = self.program.prepare()
        for index in range(3):
            self.start_node(index)
        self.wait_for_nodes()
        wait("HAProxy finds the nodes", lambda: rehearse.status(self.front, "/readyz") == 200)
        self.load = Load(lambda: [("127.0.0.1", self.front)], key, tokens).start()
        probes = {"HAProxy's primary": lambda: timeline.haproxy(str(control))}
        for it in self.machines.values():
            probes[f"{it.name} Patroni"] = lambda address=it.address: timeline.patroni(address)
            probes[f"{it.name} etcd"] = lambda address=it.address: timeline.etcd(address)
        for index, port in enumerate(self.ports):
            probes[f"node {index + 1}"] = lambda port=port: timeline.node(port)
        self.timeline = Timeline(probes).start()

    def start_node(self, index):
        self.nodes[index] = Program(self.program.path, self.environments[index]).serve(self.log)

    def wait_for_nodes(self):
        for port in self.ports:
            wait("a node is ready", lambda: rehearse.status(port, "/readyz") == 200, 60)

    def fault(self, what, do, undo=lambda: None):
        """Causes a fault under load, and reports the longest time without acknowledgements. `undo` ends the fault."""
        print(f"{what}; before: {self.roles()}")
        began, count, before = time.monotonic(), self.load.count(), collections.Counter(self.load.repeated)
        do()
        wait(f"{what}: consents are acknowledged again", lambda: self.load.longest_gap(began) and self.load.count() > count + 40, 120)
        # Includes late effects.
        time.sleep(self.ttl + 5)
        gap, repeated = self.load.longest_gap(began), dict(self.load.repeated - before)
        print(f"{what}: longest time without an acknowledgement {gap:.1f} s, retries by status {repeated}, {len(self.load.failed)} failed {self.load.failed[:3]}")
        print(*self.timeline.since(began, time.monotonic(), list(self.load.acknowledgements)), sep="\n", flush=True)
        undo()
        wait(f"{what}: the database cluster is complete again", self.is_whole, 180)
        self.wait_for_nodes()
        return repeated

    def run(self):
        faults = {
            "primary": lambda: self.lose_power("leader", "primary"),
            "standby": lambda: self.lose_power("sync_standby", "synchronous standby"),
            "node": self.kill_node,
            "drain": self.drain_node,
            "partition": lambda: self.cut_off("leader", "primary"),
            "standby-partition": lambda: self.cut_off("sync_standby", "synchronous standby"),
            "switchover": lambda: self.fault("a planned switchover", self.switch_over),
            "standbys": self.without_standbys,
        }
        time.sleep(5)
        for name in os.environ.get("FAULTS", " ".join(faults)).split():
            faults[name]()
        self.load.stop()
        print(self.load.check(self.program))
        for it in self.machines.values():
            refused = [line for line in (it.folder / "log").read_text().splitlines() if "no pg_hba.conf entry" in line]
            expect(refused[:1], [], f"connections that the settings of {it.name} refuse")

    def lose_power(self, role, name):
        machine = self.of_role(role)
        self.fault(f"the {name}'s machine loses power", machine.kill, machine.start)

    def cut_off(self, role, name):
        machine = self.of_role(role)
        self.fault(f"the {name} is partitioned from the other databases", machine.cut, lambda: machine.cut(False))

    def kill_node(self):
        def kill():
            self.nodes[0].kill()
            self.nodes[0].wait()

        self.fault("kill -9 of a node", kill, lambda: self.start_node(0))

    def drain_node(self):
        def drain():
            self.nodes[1].send_signal(signal.SIGTERM)
            expect(self.nodes[1].wait(60), 0, "exit code of a node that is stopped")

        repeated = self.fault("SIGTERM to a node", drain, lambda: self.start_node(1))
        expect(repeated, {}, "retries while a node stopped")

    def switch_over(self):
        def asked():
            # Patroni answers 412 while a standby lags behind.
            leader, standby = self.of_role("leader"), self.of_role("sync_standby")
            body = json.dumps({"leader": leader.name, "candidate": standby.name}).encode()
            urlopen(Request(f"http://{leader.address}:8008/switchover", body, {"Content-Type": "application/json"}), timeout=60).read()
            wait("the leader has changed", lambda: self.roles().get(standby.name) == "leader", 60)
            return True

        wait("the switchover", asked, 60)

    def without_standbys(self):
        """Checks that no consent is acknowledged while only one machine stores it."""
        leader = self.of_role("leader")
        others = [it for it in self.machines.values() if it is not leader]
        for it in others:
            it.kill()
        time.sleep(2)
        alone = self.load.count()
        time.sleep(15)
        expect(self.load.count(), alone, "consents acknowledged on one machine only")
        codes = {rehearse.status(port, "/readyz") for port in self.ports}
        expect(codes, {503}, "/readyz without a standby")
        print("both standbys lose power: no consent acknowledged in 15 s, /readyz of every node is 503", flush=True)
        for it in others:
            it.start()
        wait("consents after the standbys are back", lambda: self.load.count() > alone + 40, 120)
        wait("the database cluster is complete again", self.is_whole, 180)
        self.wait_for_nodes()


def inside(program, folder):
    make_network()
    folder.chmod(0o755)
    cluster = Cluster(folder, program, int(os.environ.get("TTL", "10")))
    try:
        cluster.start()
        cluster.run()
    except BaseException:
        for log in (*(it.folder / "log" for it in cluster.machines.values()), folder / "log"):
            print(f"--- {log}", log.read_text()[-2500:], sep="\n", file=sys.stderr)
            if keep := os.environ.get("KEEP_LOGS"):
                shutil.copy(log, pathlib.Path(keep) / f"{log.parent.name}.log")
        raise


def main():
    if os.geteuid() != 0:
        sys.exit("patroni_cluster.py creates networks and runs PostgreSQL as another user. Run it as root.")
    if os.environ.get("MUSETTE_NAMESPACE"):
        return inside(sys.argv[1], pathlib.Path(sys.argv[2]))
    program = str(pathlib.Path(sys.argv[1]).resolve())
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, __file__, program]
    environment = {**os.environ, "MUSETTE_NAMESPACE": "1"}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    # Whatever ends this program also ends the inner one, and everything that it started.
    dies_too = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    with tempfile.TemporaryDirectory(prefix="musette-patroni-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen([*command, folder], env=environment, preexec_fn=dies_too)
        try:
            sys.exit(process.wait())
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
