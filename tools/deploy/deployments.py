#!/usr/bin/python3
"""Runs the program within the limits of each deployment: the Debian unit's filter of system calls and files; and the memory,
files, user and missing privileges of compose and of the Kubernetes manifest. In each of them an operator uploads and
publishes a document of 30 pages, an applicant agrees to it, and the largest hostile bodies are refused.

deployments.py MUSETTE-PROGRAM [unit|compose|kubernetes…], inside tools/with-postgres. As root it uses another user and a
control group; otherwise it reports what it could not apply."""

import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import psycopg2
import unit_filter
import yaml
from memory_limit import MemoryLimit
from rehearse import status, wait
from staging import DEPLOY, free_ports

PAGES = 30
# The user of the container, also used in place of the unit's user.
USER = 10001
IS_ROOT = os.geteuid() == 0


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: {actual}, expected {expected}")


def document():
    """Returns a PDF with PAGES pages and a paragraph on each."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(PAGES))
    objects.append(f"<< /Type /Pages /Count {PAGES} /Kids [{kids}] >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for page in range(PAGES):
        lines = "".join(f"(Section {page + 1}.{line}: a rider of Larkspur keeps to the rules of the road.) Tj T* " for line in range(40))
        text = f"BT /F1 11 Tf 15 TL 60 780 Td {lines} ET".encode()
        place = 5 + 2 * page
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {place} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text))
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


class Client:
    def __init__(self, port, token):
        self.port, self.token = port, token

    def ask(self, method, path, body=None, kind="application/json", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        body = json.dumps(body) if isinstance(body, (dict, list)) else body
        given = {"Content-Type": kind, "Authorization": f"Bearer {self.token}", **(headers or {})}
        connection.request(method, path, body, given)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return response.status, response.headers, text

    def done(self, method, path, *rest, **more):
        code, headers, text = self.ask(method, path, *rest, **more)
        if code not in (200, 201):
            raise AssertionError(f"{method} {path}: {code} {text[:1000]}")
        return json.loads(text), headers


def publish_and_agree(client):
    api = "/api/admin/v1/term-drafts"
    draft = {"type": "FREELANCER", "mandatory": True, "variants": [{"locale": "en", "title": "Rules"}]}
    added, headers = client.done("POST", api, draft)
    path = f"{api}/{added['id']}"
    match = {"If-Match": headers["ETag"]}
    drawn, headers = client.done("PUT", f"{path}/documents/en", document(), kind="application/pdf", headers=match)
    expect(drawn["variants"][0]["document"]["pages"], PAGES, "pages of the document")
    client.done("POST", f"{path}/publish", {}, headers={"If-Match": headers["ETag"]})
    [term], _ = client.done("GET", "/api/rooster/v3/public/terms?types=FREELANCER")
    images = term["content"].split("/documents/")[1].removesuffix(".pdf")
    code, _, image = client.ask("GET", f"/documents/{images}/{PAGES}@2x.png")
    expect((code, image[8:12]), (200, b"WEBP"), "image of the last page")
    decision = {"terms_and_conditions_id": term["id"], "accepted": True, "consented_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    consent = {"user_id": "", "user_type": "APPLICANT", "consents": [decision]}
    client.done("POST", "/api/rooster/v3/terms/consents", consent)


def attack(client):
    """Sends bodies that would need gigabytes if they were parsed completely."""
    check = "/api/admin/v1/environments/production/check"
    for size in (15 << 20, 4 << 20):
        body = b'{"flags":[' + b"0," * (size // 2 - 8) + b"0]}"
        try:
            expect(client.ask("POST", check, body)[0], 413, f"{size} bytes of zeros")
        except OSError:
            # The server closed the connection before everything was sent.
            pass
    expect(client.ask("POST", check, b'{"flags":[' + b"0," * 110_000 + b"0]}")[0], 200, "the most zeros")
    expect(status(client.port, "/readyz"), 200, "ready after the attack")


def limit_files(soft, hard):
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    except ValueError:
        # Raising the hard limit needs the capability CAP_SYS_RESOURCE, which this process may lack.
        hard = min(hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard), hard))


def as_user():
    if IS_ROOT:
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)


def run(folder, program, environment, args, limit, files, prepare):
    """Serves within the limits, publishes, agrees and attacks. Returns the peak memory in bytes, or None without a limit."""
    environment = {"PATH": "/usr/bin:/bin", **environment}
    if IS_ROOT:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, USER, USER)

    def command(*words):
        done = subprocess.run([program, *words, *args], env=environment, cwd=folder, preexec_fn=as_user, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def before():
        if limit:
            limit.enter()
        if files:
            limit_files(*files)
        as_user()
        prepare()

    command("migrate")
    command("user", "add", "--id", "you", "--role", "admin")
    port = int(environment["PORT"])
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([program, "serve", *args], env=environment, cwd=folder, preexec_fn=before, stdout=log, stderr=log)
        try:
            if limit:
                limit.watch(process)
            wait("the server is ready", lambda: process.poll() is None and status(port, "/readyz") == 200)
            client = Client(port, json.loads(command("token", "issue", "--user", "you"))["dhhToken"])
            publish_and_agree(client)
            attack(client)
            peak = limit.check() if limit else None
            expect(process.poll(), None, "exit code while the server runs")
            process.terminate()
            expect(process.wait(timeout=30), 0, "exit code of the server")
        except BaseException:
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            process.kill()
            process.wait()
    log_text = (folder / "log").read_text()
    if "without all protections" in log_text:
        raise AssertionError(f"the renderer is not confined:\n{log_text}")
    return peak


def unit(folder, program):
    """Runs with the unit's data directory, configuration and credential, on SQLite."""
    [port] = free_ports(1)
    (folder / "data").mkdir()
    text = (DEPLOY / "systemd/musette.toml").read_text()
    text = re.sub(r'^listen = .*$', f'listen = "127.0.0.1:{port}"', text, flags=re.M)
    text = re.sub(r'^data = .*$', f'data = "{folder}/data"', text, flags=re.M)
    (folder / "musette.toml").write_text(text)
    credentials = folder / "credentials"
    credentials.mkdir()
    key = credentials / "musette-secrets-key"
    key.write_text("ab" * 32)
    key.chmod(0o400)
    environment = {"PORT": str(port), "CREDENTIALS_DIRECTORY": str(credentials)}
    # Read before the filter is installed.
    calls = unit_filter.allowed()
    run(folder, program, environment, ["--config", str(folder / "musette.toml")], None, unit_filter.files(), unit_filter.install)
    return f"under the unit's filter, which allows {len(calls)} system calls"


def database(name):
    url = os.environ["MUSETTE_TEST_POSTGRES"]
    connection = psycopg2.connect(f"{url}/postgres")
    connection.autocommit = True
    connection.cursor().execute(f"CREATE DATABASE {name}")
    connection.close()
    return f"{url}/{name}"


def bytes_of(text):
    units = {"Mi": 1 << 20, "Gi": 1 << 30, "m": 1 << 20, "g": 1 << 30}
    number, unit_ = re.fullmatch(r"(\d+)(\w+)", str(text)).groups()
    return int(number) * units[unit_]


def container(folder, program, name, settings, memory, files):
    """Runs a node with the settings of a container, and with addresses and paths of this machine."""
    [port] = free_ports(1)
    (folder / "data").mkdir()
    key = folder / "secrets.key"
    key.write_text("ab" * 32)
    key.chmod(0o400)
    here = {"MUSETTE_DATABASE": database(name), "MUSETTE_SECRETS_KEY_FILE": str(key), "MUSETTE_DATA": str(folder / "data")}
    here |= {"MUSETTE_LISTEN": f"127.0.0.1:{port}", "MUSETTE_METRICS_LISTEN": "127.0.0.1:0", "MUSETTE_DRAIN_DELAY": "0"}
    # The applicant's address must be that of a client, not of a proxy.
    here |= {"MUSETTE_TRUSTED_PROXIES": "10.0.0.0/8", "MUSETTE_PUBLIC_URL": f"http://127.0.0.1:{port}", "PORT": str(port)}
    limit = MemoryLimit(memory)

    try:
        peak = run(folder, program, {**settings, **here}, [], limit, files, unit_filter.no_new_privileges)
    finally:
        limit.remove()
    return f"at most {peak >> 20} MiB of {memory >> 20} MiB, {limit.describe()}"


def compose(folder, program):
    node = yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())["x-musette"]
    expect(node["user"], f"{USER}:{USER}", "user of the container")
    files = node["ulimits"]["nofile"]
    return container(folder, program, "compose", node["environment"], bytes_of(node["mem_limit"]), (files["soft"], files["hard"]))


def kubernetes(folder, program):
    found = [it for it in yaml.safe_load_all((DEPLOY / "kubernetes/musette.yaml").read_text()) if it]
    [settings] = [it["data"] for it in found if it["kind"] == "ConfigMap"]
    [nodes] = [it["spec"]["template"]["spec"] for it in found if it["kind"] == "StatefulSet"]
    expect(nodes["securityContext"]["runAsUser"], USER, "user of the pod")
    memory = nodes["containers"][0]["resources"]["limits"]["memory"]
    expect(settings["MUSETTE_OPEN_FILES"], "65536", "limit of open files")
    return container(folder, program, "kubernetes", settings, bytes_of(memory), None)


def main():
    program, *chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="musette-program-") as name:
        # Another user runs the program, and must be able to reach this folder.
        pathlib.Path(name).chmod(0o755)
        run_all(shutil.copy(program, name), chosen)


def run_all(program, chosen):
    if not IS_ROOT:
        print("not root: runs as this user, and without a control group")
    for deployment in (unit, compose, kubernetes):
        if chosen and deployment.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory(prefix="musette-deployment-") as name:
            # Another user runs the program in this folder.
            pathlib.Path(name).chmod(0o755)
            print(f"{deployment.__name__}: a document of {PAGES} pages, a consent, hostile bodies: {deployment(pathlib.Path(name), program)}")


if __name__ == "__main__":
    main()
