"""Fetches the packages of documents.toml with the clients of their registries, and unpacks the documents."""

import gzip
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent


class Unavailable(Exception):
    """The registry does not provide the version."""


def packages() -> list[dict]:
    return tomllib.loads((HERE / "documents.toml").read_text())["package"]


def documents(made: pathlib.Path) -> tuple[list[dict], list[str]]:
    """Returns all documents, each with the path of its PDF and the name of its package; and the errors of the fetches."""
    unpacked, errors = [], []
    for package in packages():
        try:
            members = Archive(package, made)
        except Unavailable as error:
            errors.append(str(error))
            continue
        for document in package["document"]:
            member = f"{package['folder']}/{document['file']}"
            name = pathlib.PurePath(document["file"]).name.removesuffix(".gz")
            # By version, so that another version is unpacked again.
            path = made / "pdf" / f"{package['name']}-{package['version']}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                content = members.read(member)
                path.write_bytes(gzip.decompress(content) if member.endswith(".gz") else content)
            unpacked.append({"known": [], **document, "name": name, "path": path, "package": package["name"]})
    return unpacked, errors


class Archive:
    """The archive of a package. It is fetched if it is missing, and opened when a member is read."""

    def __init__(self, package: dict, made: pathlib.Path) -> None:
        folder = made / "archives"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / package["archive"]
        if not self.path.exists():
            print(f"fetching {package['name']} {package['version']} …", file=sys.stderr, flush=True)
            download(package, folder)
        digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        if digest != package["sha256"]:
            sys.exit(f"{self.path} has the digest {digest}, which differs from documents.toml. If it is damaged, remove it and run this again.")
        self.tar = None

    def read(self, member: str) -> bytes:
        is_debian = self.path.suffix == ".deb"
        if self.tar is None and is_debian:
            unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", self.path], check=True, stdout=subprocess.PIPE).stdout
            self.tar = tarfile.open(fileobj=io.BytesIO(unpacked))
        elif self.tar is None:
            self.tar = tarfile.open(self.path)
        return self.tar.extractfile(f"./{member}" if is_debian else member).read()


def download(package: dict, folder: pathlib.Path) -> None:
    name, version = package["name"], package["version"]
    command = {
        "pypi": [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, f"{name}=={version}"],
        "npm": ["npm", "pack", "--silent", f"{name}@{version}"],
        "debian": ["apt-get", "download", "-qq", f"{name}={version}"],
    }[package["registry"]]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if not (folder / package["archive"]).exists():
        raise Unavailable(f"{name} {version} could not be fetched: {result.stderr.strip()}")
