#!/usr/bin/python3
"""Runs deploy/ without containers: three nodes with the settings of the Kubernetes example on one PostgreSQL, behind
HAProxy, nginx and Caddy with the configurations of deploy/. Tests through each proxy: terms, consents, flags and an event
stream; then with a killed node, and without the database.

rehearse.py MUSETTE-PROGRAM, inside tools/with-postgres."""

import http.client
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import staging
import yaml
from staging import DEPLOY, ROOT, SITE

program = sys.argv[1] if len(sys.argv) > 1 else ""
database_port = int(os.environ.get("MUSETTE_TEST_POSTGRES", ":0").rsplit(":", 1)[1])
own_environment = {name: value for name, value in os.environ.items() if not name.startswith("MUSETTE_")}


class Relay:
    """Forwards connections to the database, so that the database can become unreachable."""

    def __init__(self, target):
        self.target, self.sockets = target, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            self.sockets += [client, server]
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=pair, daemon=True).start()

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        for it in (source, target):
            try:
                it.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        # A thread that waits in `accept` keeps the port open until it is shut down.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for it in self.sockets:
            try:
                it.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Front:
    """One proxy: its address, and requests through it."""

    def __init__(self, name, port, tls):
        self.name, self.port, self.tls = name, port, tls

    def connection(self):
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        if self.tls:
            # The certificate was created by the test.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            raw = context.wrap_socket(raw, server_hostname=SITE)
        connection = http.client.HTTPConnection(SITE, timeout=10)
        connection.sock = raw
        return connection

    def ask(self, method, path, body=None, headers=None):
        connection = self.connection()
        body = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, response.headers, text


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: {actual}, expected {expected}")


def wait(what, ready, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if ready():
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {seconds} s")


def status(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=8)
    connection.request("GET", path)
    return connection.getresponse().status


def submission(term, key):
    decision = {"terms_and_conditions_id": term, "accepted": True, "consented_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    return {"user_id": "", "user_type": "APPLICANT", "consents": [decision]}, {"Idempotency-Key": key}


def everyday(front, key):
    """Performs the usual requests of people and programs through one proxy."""
    code, headers, text = front.ask("GET", "/api/rooster/v3/public/terms?types=FREELANCER")
    expect(code, 200, "terms")
    [term] = json.loads(text)
    expect(term["content"].split("/documents/")[0], f"https://{SITE}", "origin of the links")
    assert "max-age=63072000" in headers["Strict-Transport-Security"], "HSTS"
    expect(front.ask("GET", term["content"].removeprefix(f"https://{SITE}"))[2][:5], b"%PDF-", "document")
    body, again = submission(term["id"], str(uuid.uuid4()))
    expect(front.ask("POST", "/api/rooster/v3/terms/consents", body, again)[0], 201, "consent")
    code, headers, _ = front.ask("POST", "/api/rooster/v3/terms/consents", body, again)
    expect((code, headers["Idempotency-Replayed"]), (201, "true"), "the same consent again, possibly on another node")
    if front.name == "nginx":
        expect(announced(front, 2 << 20), (413, "body_too_large"), "body of 2 MiB")
    expect(flag(front, key), 200, "flag")
    ticket = front.ask("POST", "/api/flags/v3/stream-tickets", {}, {"Authorization": f"Bearer {key}"})
    stream_opens(front, json.loads(ticket[2])["ticket"])


def announced(front, size):
    """Returns the answer to a body above nginx's default limit, before all of it is sent. It must be Musette's own answer.
    (HAProxy has no such limit. Neither has Caddy, which reads the whole body before it answers.)"""
    connection = front.connection()
    connection.putrequest("POST", "/api/rooster/v3/terms/consents")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(size))
    connection.endheaders()
    # nginx waits for the first bytes before it connects.
    connection.send(b" " * 1024)
    response = connection.getresponse()
    result = response.status, json.loads(response.read())["code"]
    connection.close()
    return result


def flag(front, key):
    body = {"key": "r1", "userId": "r1", "featureList": ["start-tip"]}
    return front.ask("PUT", "/api/flags/v3/features", body, {"Authorization": f"Bearer {key}"})[0]


def stream_opens(front, ticket):
    began = time.monotonic()
    connection = front.connection()
    connection.request("GET", f"/api/flags/v3/stream?ticket={ticket}")
    response = connection.getresponse()
    expect((response.status, response.headers.get_content_type()), (200, "text/event-stream"), "event stream")
    assert response.read(1), "the stream's first byte"
    took = time.monotonic() - began
    assert took < 2, f"the proxy delayed the event stream by {took:.1f} s"
    connection.close()


def node_environment(port, database, folder, index):
    """Returns the settings of the Kubernetes example, with addresses and paths of this machine."""
    [config] = [it for it in yaml.safe_load_all((DEPLOY / "kubernetes/musette.yaml").read_text()) if it and it["kind"] == "ConfigMap"]
    key = folder / "secrets.key"
    key.write_text("ab" * 32)
    key.chmod(0o600)
    here = {"MUSETTE_LISTEN": f"127.0.0.1:{port}", "MUSETTE_METRICS_LISTEN": "127.0.0.1:0", "MUSETTE_DRAIN_DELAY": "2"}
    here |= {"MUSETTE_DATA": str(folder / f"node{index}"), "MUSETTE_SECRETS_KEY_FILE": str(key)}
    here |= {"MUSETTE_TRUSTED_PROXIES": "127.0.0.1", "MUSETTE_DATABASE": f"postgres://musette@127.0.0.1:{database}/postgres"}
    return {**own_environment, **config["data"], **here}


def prepare(environment):
    """Creates a term and a flag. Returns the client key."""

    def command(*words):
        return subprocess.run([program, *words], env=environment, check=True, capture_output=True, text=True).stdout

    command("migrate")
    command("terms", "publish", "--type", "FREELANCER", "--title", "Rules", str(ROOT / "testdata/documents/english.pdf"))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(FLAGS, file)
        file.flush()
        command("flags", "import", file.name, "--env", "production", "--comment", "rehearsal")
    return command("key", "create", "--env", "production", "--kind", "client").strip()


FLAGS = {
    "schema": "musette.flags/1",
    "environment": "production",
    "flags": [
        {
            "key": "start-tip",
            "type": "boolean",
            "salt": "51be20",
            "variations": [{"key": "on", "value": True}, {"key": "off", "value": False}],
            "offVariation": "off",
            "defaultVariation": "on",
            "baselineVariation": "off",
        }
    ],
}


def kill_a_node(nodes, ports, fronts):
    """Kills a node. Every read and every consent must then be answered, consents with at most one retry."""
    nodes[0].send_signal(signal.SIGKILL)
    nodes[0].wait()
    for front in fronts:
        [term] = json.loads(front.ask("GET", "/api/rooster/v3/public/terms?types=FREELANCER")[2])
        reads = [front.ask("GET", "/api/rooster/v3/public/terms?types=FREELANCER")[0] for _ in range(30)]
        expect([it for it in reads if it != 200], [], f"{front.name}: reads with a node killed")
        repeated = 0
        for _ in range(10):
            body, headers = submission(term["id"], str(uuid.uuid4()))
            code = front.ask("POST", "/api/rooster/v3/terms/consents", body, headers)[0]
            if code != 201:
                repeated += 1
                code = front.ask("POST", "/api/rooster/v3/terms/consents", body, headers)[0]
            expect(code, 201, f"{front.name}: consent with a node killed")
        print(f"{front.name}: a node killed: 30 of 30 reads, 10 of 10 consents, {repeated} of them after a retry")


def drain_a_node(node, fronts):
    """Stops a node. No request may fail, because the node first reports on /readyz that it stops."""
    stopping = threading.Thread(target=lambda: (node.send_signal(signal.SIGTERM), node.wait()))
    stopping.start()
    counts = {front.name: [0, 0] for front in fronts}
    while stopping.is_alive():
        for front in fronts:
            counts[front.name][0] += 1
            counts[front.name][1] += front.ask("GET", "/api/rooster/v3/public/terms?types=FREELANCER")[0] != 200
    for name, (count, failed) in counts.items():
        expect(failed, 0, f"{name}: failed reads of {count} while a node stopped")
        print(f"{name}: a node stopped: {count} of {count} reads")


def without_database(relay, ports, fronts, key):
    relay.cut()
    wait("a node notices that its database is unreachable", lambda: status(ports[2], "/readyz") == 503)
    # Each proxy needs two checks.
    time.sleep(3)
    for front in fronts:
        answers = [flag(front, key) for _ in range(20)]
        expect([it for it in answers if it != 200], [], f"{front.name}: flags without the database")
        body, headers = submission(1, str(uuid.uuid4()))
        code = front.ask("POST", "/api/rooster/v3/terms/consents", body, headers)[0]
        expect(code, 503, f"{front.name}: consent without the database")
        print(f"{front.name}: the database unreachable: 20 of 20 flags, a consent is answered with 503")


def main():
    relay = Relay(database_port)
    [*ports, h, n, n_tls, c] = staging.free_ports(7)
    running = []
    with tempfile.TemporaryDirectory(prefix="musette-rehearsal-") as name:
        folder = pathlib.Path(name)
        environments = [node_environment(port, relay.port, folder, index) for index, port in enumerate(ports)]
        log = (folder / "log").open("w")
        try:
            key = prepare(environments[0])
            nodes = [subprocess.Popen([program, "serve"], env=it, cwd=folder, stdout=log, stderr=log) for it in environments]
            running += nodes
            for port in ports:
                wait("a node is ready", lambda port=port: status(port, "/readyz") == 200)
            home = {**own_environment, "HOME": name}
            for command in (
                ["/usr/sbin/haproxy", "-db", "-f", staging.haproxy(folder, ports, h)],
                ["/usr/sbin/nginx", "-c", staging.nginx(folder, ports, n, n_tls)],
                ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", staging.caddy(folder, ports, c)],
            ):
                running.append(subprocess.Popen(command, stdout=log, stderr=log, env=home))
            fronts = [Front("HAProxy", h, False), Front("nginx", n_tls, True), Front("Caddy", c, True)]
            for front in fronts:
                wait(front.name, lambda front=front: front.ask("GET", "/readyz")[0] == 200)
                everyday(front, key)
                print(f"{front.name}: terms, document, consent and its retry, flag, event stream")
            kill_a_node(nodes, ports, fronts)
            drain_a_node(nodes[1], fronts)
            without_database(relay, ports, fronts, key)
        except BaseException:
            log.flush()
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            for it in running:
                it.terminate()
            for it in running:
                try:
                    it.wait(timeout=3)
                except subprocess.TimeoutExpired:
                    # Without its database, a node takes longer.
                    it.kill()
                    it.wait()


if __name__ == "__main__":
    main()
