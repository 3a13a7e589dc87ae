"""Writes the table of bench/results/documents.md."""

import pathlib
import subprocess

HEAD = (
    "| document | pages | image: mean | share | square | words | recall | precision | order | pages with warnings | MB | s |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def row(document: dict) -> str:
    measured = document["measured"]
    name = f"{document['package']}: {document['name']}, {document['about']}"
    cost = f"{measured['megabytes']} | {measured['seconds']:.1f}"
    if "pages" not in measured:
        outcome = measured["refused"]["code"] if "refused" in measured else "failed"
        return f"| {name} | | {outcome} | | | | | | | | {cost} |"
    pages = measured["pages"]
    pictures = [page["picture"] for page in pages if page["picture"]]
    worst = [f"{max(it[what] for it in pictures):.{digits}f}" if pictures else "–" for what, digits in (("mean", 1), ("share", 1), ("square", 0))]
    doubtful = [page for page in pages if page["doubts"]]
    kinds = sorted({kind for page in doubtful for kind in page["doubts"]})
    sure = [page["words"] for page in pages if not page["doubts"]]
    texts = " | ".join(str(part) for part in shares(sure))
    share = f"{100 * len(doubtful) / len(pages):.0f} % {' '.join(kinds)}".strip()
    return f"| {name} | {len(pages)} | {' | '.join(worst)} | {texts} | {share} | {cost} |"


def shares(texts: list[dict]) -> tuple[int | str, str, str, str]:
    """Returns the number of poppler's words, the recall, the precision and the order."""
    def per_cent(part: int, whole: int) -> str:
        # Rounded down: 100 means all.
        return f"{1000 * part // whole / 10:.1f}" if whole else "–"
    theirs, ours = (sum(it[side] for it in texts) for side in ("theirs", "ours"))
    missing, added = (sum(len(it[side]) for it in texts) for side in ("missing", "added"))
    common, ordered = (sum(it[side] for it in texts) for side in ("common", "ordered"))
    if not theirs + ours:
        return "–", "–", "–", "–"
    return theirs, per_cent(theirs - missing, theirs), per_cent(ours - added, ours), per_cent(ordered, common)


def numbers(pages: list[int]) -> str:
    """Formats pages as ranges: 1–3, 5."""
    ranges: list[list[int]] = []
    for page in sorted(pages):
        if ranges and ranges[-1][1] + 1 == page:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)


def write(root: pathlib.Path, documents: list[dict], limits: dict[str, float]) -> None:
    begin = subprocess.run([root / "bench/begin"], check=True, capture_output=True, text=True).stdout
    poppler = subprocess.run(["pdftotext", "-v"], capture_output=True, text=True).stderr.splitlines()[0].split()[-1]
    drawn = [it for it in documents if "pages" in it["measured"]]
    pages = [page for it in drawn for page in it["measured"]["pages"]]
    sure = [page["words"] for page in pages if not page["doubts"]]
    _, recall, precision, order = shares(sure)
    lines = [
        "\n### Real documents, compared with poppler\n",
        f"`UPDATE=1 make test-documents` writes this file, with poppler {poppler}. {len(documents)} documents of public packages"
        f" (`tools/documents/documents.toml`), of which {len(drawn)} are rendered, with {len(pages)} pages. {len(pages) - len(sure)} pages have"
        f" warnings; the reading view of the others contains {recall} % of poppler's words, {precision} % of its words are poppler's, and {order} % of"
        " them are in poppler's order.\n",
        "- *image*: the page image at 1x compared with `pdftoppm`'s of the same size, both blurred by 5 pixels, in 255ths; the worst page of the document."
        f" *mean*: mean difference of a pixel (limit {limits['MEAN_MAX']:g}). *share*: per cent of the pixels that differ by more than 32 (limit"
        f" {limits['SHARE_MAX']:g}). *square*: largest difference of the mean colour of a square of 24 pixels, which reveals a missing word (limit"
        f" {limits['SQUARE_MAX']:g}).",
        "- *words*: the words that `pdftotext` finds on the pages without warnings; the percentage of them that the reading view contains"
        " (*recall*), of its words that poppler finds (*precision*), and of the common words that are in the same *order*. Only letters and digits"
        " count. Running heads and page numbers that appear once, and words that are divided differently, do not count as missing."
        f" Limits for each such page: {100 * limits['WORDS_MAX']:g} % of the words differ, {100 * limits['ORDER_MIN']:g} % in the same order."
        " Each letter of a script without spaces counts as a word.",
        f"- *MB*: resident memory of the largest process, in a debug build, whose program alone uses about half of it (limit {limits['MEGABYTES_MAX']}). *s*: processor time.\n",
        HEAD,
        *[row(document) for document in documents],
        "\n### Known differences beyond the limits, and the reasons\n",
        "| document | pages | what | why |\n|---|---|---|---|",
    ]
    for document in documents:
        if "refused" in document:
            lines.append(f"| {document['name']} | all | refused | {document['why']} |")
        lines += [f"| {document['name']} | {numbers(known['pages'])} | {known['what']} | {known['why']} |" for known in document["known"]]
    (root / "bench/results/documents.md").write_text(begin + "\n".join(lines) + "\n")
