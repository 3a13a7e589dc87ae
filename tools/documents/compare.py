"""compare.py PROGRAM DRAW: compares real documents as PROGRAM publishes them with poppler's rendering and text.

Fails if a document exceeds a limit that documents.toml does not list as known, or if it lists a difference that no longer
exists. `UPDATE=1` writes bench/results/documents.md if nothing fails. `ONLY=NAME` uses the documents whose name contains NAME."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import fetch
import report
import words

ROOT = pathlib.Path(__file__).resolve().parents[2]
MADE = ROOT / "target/documents"

# Mean difference of the page images at 1x, blurred by 5 pixels, of 255 (pictures.py).
MEAN_MAX = 8.0
# Per cent of the pixels that differ by more than 32.
SHARE_MAX = 5.0
# Mean colour of a square of 24 pixels.
SQUARE_MAX = 32.0
# The halved image at 2x, compared with the one at 1x.
DOUBLE_MAX = 1.0
# Share of words that only one of the two has, on pages without warnings.
WORDS_MAX = 0.01
# Length of the longest common subsequence, as a share of the common words, on pages without warnings.
ORDER_MIN = 0.9
# This many words may be in another order on any page: labels of a drawing, a marginal note.
SMALL = 4
# Resident memory of the rendering process, or of the one that waits for it.
MEGABYTES_MAX = 300


def main(program: str, draw: str) -> int:
    words.check()
    chosen = os.environ.get("ONLY", "")
    fetched, errors = fetch.documents(MADE)
    documents = [it for it in fetched if chosen in it["name"]]
    print(*errors, sep="\n", flush=True)
    for document in documents:
        document["measured"] = measure(document, program, draw)
        document["errors"] = judge(document)
        errors += document["errors"]
        print(report.row(document), *document["errors"], sep="\n  ", flush=True)
    (MADE / "measured.json").write_text(json.dumps(documents, default=str))
    if os.environ.get("UPDATE") and not chosen and not errors:
        limits = {name: value for name, value in globals().items() if name.endswith(("_MAX", "_MIN"))}
        report.write(ROOT, documents, limits)
    print(f"{len(documents)} documents, {len(errors)} errors")
    return 1 if errors or not documents else 0


def measure(document: dict, program: str, draw: str) -> dict:
    folder = MADE / "drawn" / document["package"] / document["name"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    child = subprocess.Popen([draw, program, document["path"], folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = child.stdout.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    measured = {"seconds": usage.ru_utime + usage.ru_stime, "megabytes": round(usage.ru_maxrss * 1024 / 1e6)}
    if child.returncode != 0:
        return {**measured, "failed": f"draw exited with {child.returncode}: {output[-500:]}"}
    refusal = folder / "refusal.json"
    if refusal.exists():
        return {**measured, "refused": json.loads(refusal.read_text())}
    rendered = json.loads((folder / "document.json").read_text())
    return {**measured, "findings": rendered["findings"], "pages": pages(document["path"], folder, rendered)}


def pages(pdf: pathlib.Path, folder: pathlib.Path, rendered: dict) -> list[dict]:
    count = len(rendered["pages"])
    compared = words.compare(
        words.of_blocks(rendered), words.of_poppler(pdf, count), words.of_poppler(pdf, count, "-layout"),
        words.said_in_margins(rendered), words.in_margins(pdf, count),
    )
    command = [sys.executable, ROOT / "tools/documents/pictures.py", pdf, folder]
    pictures = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    doubts = [sorted({it["kind"] for it in rendered["doubts"] if it["page"] == number}) for number in range(1, count + 1)]
    both = zip(compared, pictures, doubts, strict=True)
    return [{"words": texts, "picture": picture, "doubts": kinds} for texts, picture, kinds in both]


def judge(document: dict) -> list[str]:
    """Returns what exceeds a limit without being listed as known, and what is listed as known without exceeding it."""
    measured, name = document["measured"], document["name"]
    if "failed" in measured:
        return [f"{name}: {measured['failed']}"]
    errors = []
    if measured["megabytes"] > MEGABYTES_MAX:
        errors.append(f"{name}: used {measured['megabytes']} MB")
    refused = measured.get("refused", {}).get("code")
    if refused != document.get("refused"):
        return [*errors, f"{name}: {refused or 'rendered'}, expected {document.get('refused', 'rendered')}"]
    remaining = {(known["what"], page) for known in document["known"] for page in known["pages"]}
    for number, page in enumerate(measured.get("pages", []), 1):
        for what, saying in exceeded(page):
            if (what, number) not in remaining:
                errors.append(f"{name}, page {number}: {what}: {saying}")
            remaining.discard((what, number))
    errors += [f"{name}, page {page}: {what} no longer differs: remove it from documents.toml" for what, page in sorted(remaining)]
    return errors


def exceeded(page: dict) -> list[tuple[str, str]]:
    differences = []
    picture = page["picture"]
    if picture is None:
        differences.append(("picture", "poppler renders no page of this size"))
    elif picture["mean"] > MEAN_MAX or picture["share"] > SHARE_MAX or picture["square"] > SQUARE_MAX:
        differences.append(("picture", f"mean {picture['mean']}, share {picture['share']} %, square {picture['square']}"))
    elif picture["double"] > DOUBLE_MAX or not picture["sizes"]:
        differences.append(("picture", "the image at 2x differs from the one at 1x"))
    if page["doubts"]:
        return differences
    texts = page["words"]
    differ = len(texts["missing"]) + len(texts["added"])
    if differ > WORDS_MAX * max(texts["ours"], texts["theirs"]):
        differences.append(("words", f"missing {texts['missing'][:8]}, added {texts['added'][:8]}"))
    if texts["glued"]:
        differences.append(("spaces", f"lost in {texts['glued'][:3]}"))
    if texts["common"] - texts["ordered"] > max(SMALL, (1 - ORDER_MIN) * texts["common"]):
        differences.append(("order", f"{texts['ordered']} of {texts['common']} words are in the same order"))
    return differences


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
