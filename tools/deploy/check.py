#!/usr/bin/python3
"""Checks every file of deploy/ with the program that reads it. Prints one line per check, and fails if one fails.

check.py MUSETTE-PROGRAM. The packages that it needs are listed in the Makefile (`deploy`). Debian's own Python,
because python3-kubernetes is a package of Debian."""

import glob
import http.client
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import kubernetes_types
import staging
import yaml
from staging import DEPLOY, ROOT

# The highest rating that `systemd-analyze security` may give the unit: 0 is safest, 10 has no protection.
EXPOSURE = 2.0


class Failed(Exception):
    pass


def run(*command, code=0, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if result.returncode != code:
        raise Failed(f"{command[0]} exited with {result.returncode}, expected {code}:\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def without_musette(**more):
    """Returns the environment of this process without settings of Musette."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MUSETTE_")}
    return {**own, **more}


def settings(folder, program):
    """Checks that every setting exists and that the program accepts its value, which it does if it reaches the database."""
    defined = set()
    for path in (ROOT / "crates/server/src").rglob("*.rs"):
        defined |= set(re.findall(r'env = "(MUSETTE_\w+)"', path.read_text()))
    # The log filter reads this one elsewhere.
    defined |= {"MUSETTE_LOG"}
    used = {}
    for path in DEPLOY.rglob("*"):
        if path.is_file():
            used.update((name, path) for name in re.findall(r"\bMUSETTE_\w+", path.read_text()))
    if unknown := {name: str(path) for name, path in used.items() if name not in defined}:
        raise Failed(f"unknown settings, with the files that use them: {unknown}")
    (folder / "toml").mkdir()
    text = (DEPLOY / "systemd/musette.toml").read_text()
    # Including every example that is commented out.
    text = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.M)
    (folder / "toml/musette.toml").write_text(text)
    # There is no database. The program reports that only after it has accepted all settings.
    key = folder / "secrets.key"
    key.write_text("ab" * 32)
    key.chmod(0o600)
    away = {"MUSETTE_DATABASE": "postgres://127.0.0.1:1/none", "MUSETTE_SECRETS_KEY_FILE": str(key)}
    away |= {"MUSETTE_DATA": str(folder / "data"), "MUSETTE_LISTEN": "127.0.0.1:0", "MUSETTE_METRICS_LISTEN": "127.0.0.1:0"}
    away |= {"MUSETTE_BACKUP_EVERY": "6h", "MUSETTE_BACKUP_DIR": str(folder / "backups")}

    def accepted(where, **values):
        output = run(program, "serve", cwd=where, env=without_musette(**{**values, **away}), code=2)
        if "the database is not available" not in output:
            raise Failed(output)

    accepted(folder / "toml")
    [config] = [it for it in objects() if it["kind"] == "ConfigMap"]
    accepted(folder, **config["data"])
    compose = yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())
    accepted(folder, **{**compose["x-musette"]["environment"], "MUSETTE_PUBLIC_URL": "http://localhost:8080"})
    return f"{len(used)} settings"


class Node(http.server.BaseHTTPRequestHandler):
    """A node that answers with the headers of the request."""

    def do_GET(self):
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


TRACE = {"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "a=b"}


def passed_on(address, path, secure):
    """Returns the headers that reach a node behind this proxy, for a request with a trace."""
    connection = http.client.HTTPConnection(*address, timeout=10)
    if secure:
        context = ssl._create_unverified_context()
        sock = context.wrap_socket(socket.create_connection(address, timeout=10), server_hostname=staging.SITE)
        connection.sock = sock
    connection.request("GET", path, headers={"Host": staging.SITE, **TRACE})
    return json.loads(connection.getresponse().read())


def behind(command, port, check, env=None):
    """Runs a proxy during `check`."""
    proxy = subprocess.Popen([str(it) for it in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        return check()
    finally:
        proxy.terminate()
        proxy.wait(20)


def strips_traces(port, secure):
    traces = {name: value for name, value in passed_on(("127.0.0.1", port), "/x", secure).items() if name in TRACE}
    if traces:
        raise Failed(f"a trace from outside reaches the nodes: {traces}")


def nginx(folder, _):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node) as node:
        threading.Thread(target=node.serve_forever, daemon=True).start()
        plain, secure = staging.free_ports(2)
        config = staging.nginx(folder, [node.server_port] * 3, plain, secure)
        run("/usr/sbin/nginx", "-t", "-c", config)

        def asked():
            strips_traces(secure, True)
            passed_on(("127.0.0.1", secure), "/receipts/secret-of-an-applicant.pdf", True)
            locations = {}
            for host in (staging.SITE, "evil.example"):
                connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=10)
                connection.request("GET", "/x", headers={"Host": host})
                try:
                    locations[host] = connection.getresponse().getheader("Location")
                except http.client.RemoteDisconnected:
                    locations[host] = None
            if locations != {staging.SITE: f"https://{staging.SITE}/x", "evil.example": None}:
                raise Failed(f"unexpected redirects: {locations}")

        behind(["/usr/sbin/nginx", "-c", config], secure, asked)
        node.shutdown()
        log = (folder / "access.log").read_text()
        if "secret-of-an-applicant" in log or "/receipts/-" not in log:
            raise Failed(f"the access log names a receipt: {log}")
    return "valid; redirects only its own host, removes traces, and logs no receipt"


def caddy(folder, _):
    path = staging.caddy(folder, *[staging.free_ports(3)], 8443)
    home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    run("/usr/bin/caddy", "validate", "--adapter", "caddyfile", "--config", path, env={**os.environ, **home})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node) as node:
        threading.Thread(target=node.serve_forever, daemon=True).start()
        [port] = staging.free_ports(1)
        command = ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config"]
        command.append(staging.caddy(folder, [node.server_port] * 3, port))
        behind(command, port, lambda: strips_traces(port, True), env={**os.environ, **home})
        node.shutdown()
    return "valid; removes traces"


def haproxy(folder, _):
    for path in ("compose/haproxy.cfg", "patroni/haproxy.cfg"):
        # The names of the containers cannot be resolved here.
        text = (DEPLOY / path).read_text().replace("init-addr last,libc,none", "init-addr none")
        (folder / "haproxy.cfg").write_text(text)
        output = run("/usr/sbin/haproxy", "-c", "-f", folder / "haproxy.cfg")
        if "warning" in output.lower():
            raise Failed(output)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node) as node:
        threading.Thread(target=node.serve_forever, daemon=True).start()
        [port] = staging.free_ports(1)
        command = ["/usr/sbin/haproxy", "-db", "-f", staging.haproxy(folder, [node.server_port] * 3, port)]
        behind(command, port, lambda: strips_traces(port, False))
        node.shutdown()
    return "two configurations are valid, without warnings; traces are removed"


def systemd(folder, _):
    root = staging.unit(folder)
    run("systemd-sysusers", f"--root={root}")
    if not re.search(r"^musette:", (root / "etc/passwd").read_text(), re.M):
        raise Failed("the sysusers file creates no user musette")
    unit = root / "etc/systemd/system/musette.service"
    said = run("systemd-analyze", "verify", f"--root={root}", "--man=no", unit)
    if said.strip():
        raise Failed(said)
    found = run("systemd-analyze", "security", "--offline=true", f"--root={root}", "musette.service")
    level = re.search(r"exposure level for musette\.service: ([\d.]+)", found)
    if level is None or float(level[1]) > EXPOSURE:
        raise Failed(found)
    return f"exposure {level[1]} (at most {EXPOSURE})"


def compose(folder, _):
    (folder / "secrets.key").write_text("00")
    environment = {**os.environ, "POSTGRES_PASSWORD": "x"}
    found = yaml.safe_load(run("/usr/bin/docker-compose", "-f", DEPLOY / "compose/compose.yaml", "config", env=environment))
    nodes = [it for name, it in found["services"].items() if name.startswith("musette-")]
    if len(nodes) != 3 or not all(it["read_only"] and it["cap_drop"] == ["ALL"] for it in nodes):
        raise Failed(f"expected three hardened nodes, found {found['services'].keys()}")
    for versions in (("node", ".node-version", r"(.+)"), ("rust", "rust-toolchain.toml", r'channel = "(.+)"')):
        image, file, pattern = versions
        version = re.search(pattern, (ROOT / file).read_text())[1].strip()
        if f"FROM {image}:{version}-" not in (DEPLOY / "Dockerfile").read_text():
            raise Failed(f"the Dockerfile does not build with {image} {version}")
    return f"{len(found['services'])} services"


def objects():
    return [it for it in yaml.safe_load_all((DEPLOY / "kubernetes/musette.yaml").read_text()) if it]


def kubernetes(_, __):
    found = objects()
    if errors := [error for it in found for error in kubernetes_types.errors(it)]:
        raise Failed("\n".join(errors))
    [nodes] = [it for it in found if it["kind"] == "StatefulSet"]
    labels = nodes["spec"]["template"]["metadata"]["labels"]
    for it in found:
        selector = it.get("spec", {}).get("selector") or it.get("spec", {}).get("podSelector")
        if selector and selector.get("matchLabels", selector) != labels:
            raise Failed(f"{it['kind']} {it['metadata']['name']} selects other pods than the nodes")
    services = {it["metadata"]["name"] for it in found if it["kind"] == "Service"}
    [ingress] = [it for it in found if it["kind"] == "Ingress"]
    paths = [path for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]]
    if missing := {it["backend"]["service"]["name"] for it in paths} - services:
        raise Failed(f"the ingress names services that do not exist: {missing}")
    drain = next(int(it["data"]["MUSETTE_DRAIN_DELAY"]) for it in found if it["kind"] == "ConfigMap")
    if nodes["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] < drain + 10 + 5:
        raise Failed("terminationGracePeriodSeconds is too short: a node would be killed before it has finished")
    return f"{len(found)} objects"


def patroni(folder, _):
    text = (DEPLOY / "patroni/patroni.yml").read_text()
    # Patroni requires a reachable etcd, free ports of its own, and PostgreSQL's programs.
    with socket.socket() as etcd:
        etcd.bind(("127.0.0.1", 0))
        etcd.listen()
        rest, database = staging.free_ports(2)
        address = f"127.0.0.1:{etcd.getsockname()[1]}"
        text = re.sub(r"(etcd3:\n +hosts: ).+", rf"\g<1>{address}", text)
        text = text.replace("0.0.0.0:8008", f"0.0.0.0:{rest}").replace("0.0.0.0:5432", f"0.0.0.0:{database}")
        [*_, binaries] = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        text = re.sub(r"bin_dir: .+", f"bin_dir: {binaries}", text)
        text = re.sub(r"data_dir: .+", f"data_dir: {folder}/database", text)
        (folder / "patroni.yml").write_text(text)
        said = run("/usr/bin/patroni", "--validate-config", folder / "patroni.yml")
    if said.strip():
        raise Failed(said)
    found = yaml.safe_load(text)["bootstrap"]["dcs"]
    strict = found["synchronous_mode"] is True and found["synchronous_mode_strict"] is True
    times = found["loop_wait"] + 2 * found["retry_timeout"] <= found["ttl"]
    if not strict or not times or found["postgresql"]["parameters"]["synchronous_commit"] != "on":
        raise Failed("replication is not strictly synchronous, or ttl < loop_wait + 2 retry_timeout")
    return "valid; strict synchronous replication"


def prometheus(folder, _):
    run("/usr/bin/promtool", "check", "rules", DEPLOY / "monitoring/alerts.yaml")
    run("/usr/bin/promtool", "check", "config", DEPLOY / "monitoring/prometheus.yml")
    # Checks each expression of the dashboard as a rule, with Grafana's variables replaced.
    panels = json.loads((DEPLOY / "monitoring/dashboard.json").read_text())["panels"]
    texts = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    texts = [it.replace("$__rate_interval", "5m").replace("$instance", ".*") for it in texts]
    recorded = [{"record": f"panel:{index}", "expr": it} for index, it in enumerate(texts)]
    (folder / "panels.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": recorded}]}))
    run("/usr/bin/promtool", "check", "rules", folder / "panels.yaml")
    tested = run("/usr/bin/promtool", "test", "rules", DEPLOY / "monitoring/alerts.test.yaml")
    return f"rules and their tests: {tested.split()[-1]}; {len(texts)} expressions of the dashboard"


CHECKS = [settings, nginx, caddy, haproxy, systemd, compose, kubernetes, patroni, prometheus]


def main():
    program, *only = sys.argv[1:]
    failed = 0
    for check in CHECKS:
        if only and check.__name__ not in only:
            continue
        with tempfile.TemporaryDirectory(prefix="musette-deploy-") as folder:
            try:
                print(f"{check.__name__}: {check(pathlib.Path(folder), program)}")
            except Failed as failure:
                failed += 1
                print(f"{check.__name__} FAILED: {failure}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
