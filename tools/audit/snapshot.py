"""Writes advisories.json from a clone of github.com/rustsec/advisory-db, for use without a network.

    python3 tools/audit/snapshot.py CLONE    # any Git directory of the database

It keeps only the id, the crate and the unaffected versions of each advisory.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).parent


def git(clone, *args):
    return subprocess.run(["git", "-C", clone, *args], check=True, capture_output=True, text=True).stdout


def main(clone):
    commit, date = git(clone, "log", "-1", "--format=%H %cs").split()
    crates = {}
    for path in git(clone, "ls-tree", "-r", "--name-only", "HEAD", "crates").splitlines():
        if not path.endswith(".md"):
            continue
        text = git(clone, "show", f"HEAD:{path}")
        document = tomllib.loads(text.split("```toml", 1)[1].split("\n```", 1)[0])
        advisory, versions = document["advisory"], document.get("versions", {})
        if advisory.get("withdrawn"):
            continue
        entry = {"id": advisory["id"], "date": str(advisory["date"])}
        if advisory.get("informational"):
            entry["informational"] = advisory["informational"]
        for name in ("patched", "unaffected"):
            if versions.get(name):
                entry[name] = versions[name]
        crates.setdefault(advisory["package"], []).append(entry)
    lines = [f"  {json.dumps(name)}: {json.dumps(crates[name])}" for name in sorted(crates)]
    head = {"source": "github.com/rustsec/advisory-db (CC0-1.0)", "commit": commit, "date": date}
    text = json.dumps(head, indent=1)[:-2] + ',\n "crates": {\n' + ",\n".join(lines) + "\n }\n}\n"
    (HERE / "advisories.json").write_text(text)
    print(f"{sum(map(len, crates.values()))} advisories about {len(crates)} crates, as of {date}")


if __name__ == "__main__":
    main(sys.argv[1])
