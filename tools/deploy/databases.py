#!/usr/bin/python3
"""Tests how a node connects to a real PostgreSQL: TLS with a verified name (`sslmode=verify-full`), PgBouncer in each of its
modes, and a URL of two servers, one of which accepts writes. For the last one it kills the primary under load, promotes
the standby, and starts the old primary again unchanged.

databases.py MUSETTE-PROGRAM, as root (PostgreSQL runs as its own user). One minute; part of `make deploy`."""

import ctypes
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import psycopg2
import staging
from load import Load, Program
from rehearse import own_environment, status, wait

PR_SET_CHILD_SUBREAPER = 36
[*_, BINARIES] = sorted(glob.glob("/usr/lib/postgresql/*/bin"))


def as_postgres(*command):
    done = subprocess.run(["runuser", "-u", "postgres", "--", *map(str, command)], capture_output=True, text=True, cwd="/tmp")
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")


def reachable(url):
    try:
        psycopg2.connect(url).close()
        return True
    except psycopg2.OperationalError:
        return False


class Server:
    def __init__(self, folder, name, port):
        self.folder, self.data, self.port = folder / name, folder / name / "data", port
        self.folder.mkdir()
        shutil.chown(self.folder, "postgres")

    def make(self, *settings, hba="host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n"):
        as_postgres(f"{BINARIES}/initdb", "-D", self.data, "-U", "musette", "--auth=trust", "--no-locale", "-E", "UTF8")
        (self.data / "pg_hba.conf").write_text(f"local all all trust\n{hba}")
        with (self.data / "postgresql.conf").open("a") as file:
            file.write("\n".join(settings) + "\n")

    def start(self):
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        command = [f"{BINARIES}/pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "-o", options, "start"]
        try:
            as_postgres(*command)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{(self.folder / 'log').read_text()[-3000:]}") from error

    def kill(self):
        """Kills the postmaster and its child processes, as a loss of power does. A child that survives the postmaster
        would keep the shared memory in use, and the server could not start again."""
        postmaster = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(postmaster, signal.SIGSTOP)
        children = [int(child) for child in pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()]
        for process in [postmaster, *children]:
            os.kill(process, signal.SIGKILL)
        # They are this process's children now. Until it waits for them, their ids are in use, and PostgreSQL
        # treats the id in a lock file as that of a running server.
        for process in [postmaster, *children]:
            os.waitpid(process, 0)

    def stop(self):
        if (self.data / "postmaster.pid").exists():
            subprocess.run(["runuser", "-u", "postgres", "--", f"{BINARIES}/pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop"], capture_output=True, cwd="/tmp")

    def ask(self, sql):
        connection = psycopg2.connect(host=self.folder, port=self.port, user="musette", dbname="postgres")
        connection.autocommit = True
        cursor = connection.cursor()
        cursor.execute(sql)
        rows = cursor.fetchall() if cursor.description else None
        connection.close()
        return rows


class Rehearsal:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.log, self.running, self.servers = (folder / "log").open("w"), [], []
        [self.listen] = staging.free_ports(1)

    def server(self, name):
        [port] = staging.free_ports(1)
        self.servers.append(Server(self.folder, name, port))
        return self.servers[-1]

    def on(self, url):
        own = {"MUSETTE_DATABASE": url, "MUSETTE_DATA": str(self.folder / "data"), "MUSETTE_PUBLIC_LIMITS": "off"}
        return Program(self.program, {**own_environment, **own, "MUSETTE_LISTEN": f"127.0.0.1:{self.listen}"})

    def serve(self, program):
        node = program.serve(self.log)
        self.running.append(node)
        wait("a node is ready", lambda: status(self.listen, "/readyz") == 200)
        return node

    def tls(self):
        server = self.server("tls")
        for name in ("ours", "others"):
            self.openssl("req", "-x509", "-nodes", "-subj", f"/CN={name}", "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", f"{name}.key", "-out", f"{name}.pem")
        self.openssl("req", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr", days=False)
        (self.folder / "names").write_text("subjectAltName=DNS:localhost\n")
        command = ["openssl", "x509", "-req", "-in", "server.csr", "-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.pem"]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)
        server.make("ssl = on", "ssl_cert_file = '../server.pem'", "ssl_key_file = '../server.key'", hba="hostssl all all 127.0.0.1/32 trust\n")
        for name in ("server.pem", "server.key"):
            shutil.copy(self.folder / name, server.folder)
            shutil.chown(server.folder / name, "postgres")
            (server.folder / name).chmod(0o600)
        server.start()
        url = f"postgres://musette@localhost:{server.port}/postgres?sslmode=verify-full&sslrootcert={self.folder}"
        ours = self.on(f"{url}/ours.pem")
        ours.run("migrate")
        node = self.serve(ours)
        [[count, encrypted]] = server.ask("SELECT count(*), bool_and(ssl) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE application_name = 'musette'")
        assert count > 0 and encrypted, (count, encrypted)
        for what, other in {
            "a certificate of another authority": f"{url}/others.pem",
            "a certificate of another name": f"{url}/ours.pem".replace("localhost", "127.0.0.1"),
            "no encryption": url.split("?")[0] + "?sslmode=disable",
        }.items():
            output = self.on(other).run("migrate", fails=True)
            print(f"TLS: {what} is refused: {output.strip().splitlines()[-1][:150]}")
        print(f"TLS: verify-full, {count} connections, all encrypted", flush=True)
        self.stop(node)

    def openssl(self, command, *words, days=True):
        words = [*words, *(["-days", "2"] if days else [])]
        new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        subprocess.run(["openssl", command, *new, *words], cwd=self.folder, check=True, capture_output=True)

    def pooler(self):
        server = self.server("pooled")
        server.make()
        server.start()
        for mode in ("transaction", "statement", "session"):
            [port] = staging.free_ports(1)
            config = self.folder / f"{mode}.ini"
            lines = ["[databases]", f"* = host=127.0.0.1 port={server.port} user=musette", "[pgbouncer]", f"listen_port = {port}", "listen_addr = 127.0.0.1"]
            lines += [f"pool_mode = {mode}", "auth_type = any", "ignore_startup_parameters = extra_float_digits", "unix_socket_dir ="]
            config.write_text("\n".join(lines))
            # It runs with the rights of the user who started it, which must not be root.
            self.running.append(subprocess.Popen(["runuser", "-u", "postgres", "--", "/usr/sbin/pgbouncer", config], stdout=self.log, stderr=self.log))
            url = f"postgres://musette@127.0.0.1:{port}/postgres"
            wait("PgBouncer", lambda: reachable(url))
            pooled = self.on(url)
            if mode == "session":
                pooled.run("migrate")
                node = self.serve(pooled)
                pooled.run("user", "add", "--id", "r1", "--role", "rider")
                print("PgBouncer, pool_mode=session: works", flush=True)
                self.stop(node)
                continue
            output = pooled.run("migrate", fails=True).strip()
            assert "pool_mode=session" in output and len(output.splitlines()) == 1, output
            print(f"PgBouncer, pool_mode={mode}: refused: {output[:110]}…", flush=True)

    def two_hosts(self):
        primary, standby = self.server("first"), self.server("second")
        primary.make("wal_log_hints = on")
        primary.start()
        as_postgres(f"{BINARIES}/pg_basebackup", "-R", "-D", standby.data, "-h", "127.0.0.1", "-p", primary.port, "-U", "musette")
        standby.start()
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.ask("SELECT pg_reload_conf()")
        # The standby is listed first. It accepts no writes.
        hosts = f"127.0.0.1:{standby.port},127.0.0.1:{primary.port}"
        program = self.on(f"postgres://musette@{hosts}/postgres?target_session_attrs=read-write")
        program.run("migrate")
        key, tokens = program.prepare()
        node = self.serve(program)
        load = Load(lambda: [("127.0.0.1", self.listen)], key, tokens).start()
        time.sleep(3)
        began, count = time.monotonic(), load.count()
        primary.kill()
        # After the failover there is no other standby, so commits must not wait for one.
        standby.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        standby.ask("SELECT pg_reload_conf()")
        as_postgres(f"{BINARIES}/pg_ctl", "-D", standby.data, "-w", "promote")
        wait("consents on the new primary", lambda: load.count() > count + 40, 60)
        print(f"two hosts: the primary killed and the standby promoted: longest time without an acknowledgement {load.longest_gap(began):.1f} s", flush=True)
        # The old primary considers itself the primary, and would acknowledge writes that the new one never receives.
        (primary.data / "postgresql.auto.conf").write_text("")
        primary.start()
        time.sleep(3)
        [[old]] = primary.ask("SELECT count(*) FROM submissions")
        count = load.count()
        wait("consents continue", lambda: load.count() > count + 40, 60)
        [[now]] = primary.ask("SELECT count(*) FROM submissions")
        assert old == now, f"the old primary got {now - old} submissions"
        print("two hosts: the old primary is back, and receives no submissions", flush=True)
        load.stop()
        print(f"two hosts: {load.check(program)}", flush=True)
        self.stop(node)

    def stop(self, node):
        node.terminate()
        node.wait(30)

    def end(self):
        for it in self.running:
            if it.poll() is None:
                it.terminate()
                try:
                    it.wait(10)
                except subprocess.TimeoutExpired:
                    it.kill()
        for it in self.servers:
            it.stop()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="musette-databases-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        rehearsal = Rehearsal(program, folder)
        try:
            rehearsal.tls()
            rehearsal.pooler()
            rehearsal.two_hosts()
        except BaseException:
            print((folder / "log").read_text()[-3000:], file=sys.stderr)
            raise
        finally:
            rehearsal.end()


if __name__ == "__main__":
    main()
