"""Adapts the examples of deploy/ for tests: free ports of this machine, and paths in a temporary folder. Nothing else is
changed."""

import pathlib
import random
import re
import shutil
import socket
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SITE = "terms.larkspur.example"


def free_ports(count):
    """Returns free ports below the range from which the kernel takes the local port of a connection. Otherwise a connection
    of another program could use such a port when a stopped server starts on it again."""
    [first_ephemeral, _] = map(int, pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    sockets = []
    while len(sockets) < count:
        candidate = socket.socket()
        try:
            candidate.bind(("127.0.0.1", random.randrange(10_000, first_ephemeral)))
            sockets.append(candidate)
        except OSError:
            candidate.close()
    ports = [candidate.getsockname()[1] for candidate in sockets]
    for candidate in sockets:
        candidate.close()
    return ports


def certificate(folder):
    """Creates a self-signed certificate for the example's name. Returns the paths of the certificate and of its key."""
    pem, key = folder / "fullchain.pem", folder / "privkey.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", "2", "-subj", f"/CN={SITE}", "-addext", f"subjectAltName=DNS:{SITE}"]
    subprocess.run([*command, "-keyout", key, "-out", pem], check=True, capture_output=True)
    return pem, key


def nodes(text, ports, pattern):
    """Replaces the addresses of the example's three nodes. The group of `pattern` must match the number of the node."""
    return re.sub(pattern, lambda found: f"127.0.0.1:{ports[int(found[1]) - 1]}", text)


def nginx(folder, ports, http, https):
    """Writes deploy/nginx/musette.conf into a configuration that any user can run. Returns its path."""
    pem, key = certificate(folder)
    text = (DEPLOY / "nginx/musette.conf").read_text()
    text = nodes(text, ports, r"10\.0\.0\.1(\d):8080")
    # This machine may have no IPv6.
    text = re.sub(r"\n +listen \[::].*", "", text)
    text = re.sub(r"listen 80\b", f"listen 127.0.0.1:{http}", text)
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{https} ").replace("/var/log/nginx/", f"{folder}/")
    text = text.replace("/etc/musette/tls/fullchain.pem", str(pem)).replace("/etc/musette/tls/privkey.pem", str(key))
    (folder / "musette.conf").write_text(text)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    whole = f"daemon off; pid {folder}/nginx.pid; error_log stderr; events {{}}\n"
    whole += f"http {{ access_log off; {temporary} include {folder}/musette.conf; }}\n"
    (folder / "nginx.conf").write_text(whole)
    return folder / "nginx.conf"


def caddy(folder, ports, https):
    """Writes deploy/caddy/Caddyfile with a certificate of Caddy's own authority and without its admin interface."""
    text = nodes((DEPLOY / "caddy/Caddyfile").read_text(), ports, r"10\.0\.0\.1(\d):8080")
    options = f"\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port {https}\n"
    options += f"\tdefault_bind 127.0.0.1\n\tstorage file_system {folder}/caddy\n"
    (folder / "Caddyfile").write_text(text.replace("{\n", "{\n" + options, 1))
    return folder / "Caddyfile"


def haproxy(folder, ports, http):
    """Writes deploy/compose/haproxy.cfg with nodes on this machine. Returns its path."""
    text = nodes((DEPLOY / "compose/haproxy.cfg").read_text(), ports, r"musette-(\d):8080")
    (folder / "haproxy.cfg").write_text(text.replace("bind :8080", f"bind 127.0.0.1:{http}"))
    return folder / "haproxy.cfg"


def unit(folder):
    """Creates a file system with deploy/systemd installed as in its README, and with a placeholder program."""
    root = folder / "root"
    # The targets that the unit refers to.
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    for source, target, mode in [
        ("systemd/musette.service", "etc/systemd/system/musette.service", 0o644),
        ("systemd/musette.sysusers", "usr/lib/sysusers.d/musette.conf", 0o644),
        ("systemd/musette.toml", "etc/musette/musette.toml", 0o640),
    ]:
        path = root / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((DEPLOY / source).read_text())
        path.chmod(mode)
    program = root / "usr/bin/musette"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return root
