"""Compares the words of the reading view with those of pdftotext, page by page."""

import collections
import pathlib
import re
import subprocess
import unicodedata
from xml.etree import ElementTree

# The area of running heads and page numbers, as in crates/render/src/compose.rs.
MARGIN = 0.12
# Scripts without spaces between words: each letter counts as a word. Thai, Lao, Burmese, Khmer, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
NUMBER = re.compile(r"\d+|[ivxlc]+")


def words(text: str) -> list[str]:
    """Returns the words: letters and digits between spaces. Ignores marks, hyphens and compatible forms of letters."""
    found = []
    for part in unicodedata.normalize("NFKC", text).split():
        word = "".join(sign for sign in part if sign.isalnum()).casefold()
        pieces = UNSPACED.sub(lambda sign: f" {sign[0]} ", word).split()
        found += pieces
    return found


def of_blocks(document: dict) -> list[list[str]]:
    """Returns the words of the reading view by page. A block counts for the page where it begins."""
    pages = [[] for _ in document["pages"]]
    for block in document["blocks"]:
        cells = [cell["text"] for row in block.get("rows", []) for cell in row]
        pages[block["page"] - 1] += words(" ".join(cells) if cells else block["text"])
    return pages


def said_in_margins(document: dict) -> list[set[str]]:
    """Returns for each page the words of all running heads and feet up to it."""
    said, pages = set(), []
    for number in range(1, len(document["pages"]) + 1):
        for block in document["blocks"]:
            if block["page"] == number and block["kind"] == "Margin":
                said |= set(words(block["text"]))
        pages.append(set(said))
    return pages


def of_poppler(pdf: pathlib.Path, pages: int, *options: str) -> list[list[str]]:
    text = subprocess.run(["pdftotext", "-enc", "UTF-8", *options, pdf, "-"], capture_output=True).stdout.decode("utf-8", "replace")
    found = [words(page) for page in text.split("\f")]
    return (found + [[]] * pages)[:pages]


def in_margins(pdf: pathlib.Path, pages: int) -> list[collections.Counter]:
    """Returns the words in the upper and lower margin according to poppler."""
    xml = subprocess.run(["pdftotext", "-enc", "UTF-8", "-bbox", pdf, "-"], capture_output=True).stdout.decode("utf-8", "replace")
    xml = re.sub(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]", "", xml)
    found = []
    space = "{http://www.w3.org/1999/xhtml}"
    for page in ElementTree.fromstring(xml).iter(f"{space}page") if "<doc" in xml else []:
        height = float(page.get("height"))
        counts = collections.Counter()
        for word in page.iter(f"{space}word"):
            top, bottom = float(word.get("yMin")), float(word.get("yMax"))
            if top < MARGIN * height or bottom > (1 - MARGIN) * height:
                counts.update(words(word.text or ""))
        found.append(counts)
    return (found + [collections.Counter()] * pages)[:pages]


def only(these: list[str], others: list[str]) -> list[str]:
    """Returns the words of `these` that `others` lack, compared as multisets, in order."""
    left = collections.Counter(these)
    left.subtract(collections.Counter(others))
    found = []
    for word in reversed(these):
        if left[word] > 0:
            left[word] -= 1
            found.append(word)
    return found[::-1]


def without_divided(these: list[str], others: list[str]) -> tuple[list[str], list[str]]:
    """Removes words of one side that are divided into several words on the other."""
    def once(whole: list[str], parts: list[str]) -> tuple[list[str], list[str]]:
        left = []
        for word in whole:
            for start in range(len(parts)):
                end, joined = start, ""
                while end < len(parts) and len(joined) < len(word) and word.startswith(joined):
                    joined += parts[end]
                    end += 1
                if joined == word:
                    parts = parts[:start] + parts[end:]
                    break
            else:
                left.append(word)
        return left, parts
    these, others = once(these, others)
    others, these = once(others, these)
    return ([], []) if "".join(these) == "".join(others) else (these, others)


def with_letters_alone(these: list[str], others: list[str]) -> list[str]:
    """Keeps the words with a letter that the others lack. The other words are only divided differently, or joined to their
    neighbours."""
    left = collections.Counter("".join(these))
    left.subtract(collections.Counter("".join(others)))
    found = []
    for word in these:
        alone = sum(min(count, max(0, left[letter])) for letter, count in collections.Counter(word).items())
        if alone:
            left.subtract(word)
            found.append(word)
    return found


def glued(added: list[str], theirs: list[str]) -> list[str]:
    """Returns the words that consist of three or more of their words without the spaces between them."""
    joined, starts = "", set()
    for word in theirs:
        starts.add(len(joined))
        joined += word
    starts.add(len(joined))
    found = []
    for word in added:
        at = joined.find(word)
        while at >= 0:
            inside = [start for start in range(at + 1, at + len(word)) if start in starts]
            if at in starts and at + len(word) in starts and len(inside) >= 2:
                found.append(word)
                break
            at = joined.find(word, at + 1)
    return found


def common_length(a: list[str], b: list[str]) -> int:
    """Returns the length of the longest common subsequence, computed with Hyyrö's bit-parallel algorithm."""
    places = collections.defaultdict(int)
    for place, word in enumerate(a):
        places[word] |= 1 << place
    mask = (1 << len(a)) - 1
    row = mask
    for word in b:
        matched = row & places[word]
        row = ((row + matched) | (row - matched)) & mask
    return len(a) - row.bit_count()


Pages = list[list[str]]


def compare(ours: Pages, theirs: Pages, by_rows: Pages, said: list[set[str]], margins: list[collections.Counter]) -> list[dict]:
    """Returns for each page the number of words, the missing and added words, and how many are in the same order.

    The order is compared with poppler's by columns and by rows, and the better result counts, because poppler treats the
    columns of a table like those of a text."""
    pages = []
    carried: list[str] = []
    for number, (our, their) in enumerate(zip(ours, theirs)):
        # A paragraph that runs over the end of a page belongs to the page where it begins.
        our = [word for word in carried if word in their] + our
        missing, added = only(their, our), only(our, their)
        spaceless = glued(added, their)
        missing = without_heads(missing, said[number], margins[number], number + 1, len(theirs))
        over = []
        if number + 1 < len(theirs):
            next_missing = only(theirs[number + 1], ours[number + 1])
            over = [word for word in added if word in next_missing]
            added = only(added, next_missing)
        carried = over
        missing, added = without_divided(missing, added)
        missing, added = with_letters_alone(missing, added), with_letters_alone(added, missing)
        both = only(our, only(our, their))
        orders = [only(order, only(order, our)) for order in (their, by_rows[number])]
        pages.append({
            "ours": len(our) - len(over), "theirs": len(their), "missing": missing, "added": added,
            "glued": spaceless, "common": len(both), "ordered": max(common_length(both, order) for order in orders),
        })
    return pages


def without_heads(missing: list[str], said: set[str], margin: collections.Counter, page: int, pages: int) -> list[str]:
    """Removes words of a margin that an earlier page contains, and the page number, with the total and two words."""
    left, numbers, margin = [], 2, margin.copy()
    of_total = margin[str(page)] > 0 and margin[str(pages)] > 0
    others = 2 if of_total else 0
    for word in missing:
        number = NUMBER.fullmatch(word) is not None and numbers > 0
        other = others > 0 and word.isalpha()
        # -bbox gives the letters of a word from the left, those of Arabic too.
        if (margin[word] > 0 or margin[word[::-1]] > 0) and (word in said or number or other):
            margin[word] -= 1
            if word not in said:
                numbers, others = (numbers - 1, others) if number else (numbers, others - 1)
        else:
            left.append(word)
    return left


def check() -> None:
    """Fails if the comparison misses known differences (self-test)."""
    def page(our: str, their: str, said: str = "", margin: str = "") -> dict:
        pages = [words(their)]
        return compare([words(our)], pages, pages, [set(words(said))], [collections.Counter(words(margin))])[0]
    lost = page("The fee is paid.", "The fee is not paid.")
    assert (lost["missing"], lost["added"]) == (["not"], [])
    assert page("a fee of 5 EUR", "a fee of 6 EUR")["added"] == ["5"]
    assert page("an agree ment", "an agreement")["missing"] == []
    assert page("Text", "Terms 3 Text", said="Terms", margin="Terms 3")["missing"] == []
    assert page("Text", "Text page 1 of 1", margin="page 1 of 1")["missing"] == []
    assert page("Text", "Terms 3 Text", margin="3")["missing"] == ["terms"]
    glued = page("a house a boat house s", "ahouse a boat houses")
    assert (glued["missing"], glued["added"]) == ([], [])
    assert page("theseare words", "these are words")["glued"] == []
    assert page("theseare5words here", "these are 5 words here")["glued"] == ["theseare5words"]
    turned = page("one two three four", "three four one two")
    assert (turned["common"], turned["ordered"]) == (4, 2)
    theirs = [words("runs"), words("over end")]
    first, second = compare([words("runs over"), words("end")], theirs, theirs, [set()] * 2, [collections.Counter()] * 2)
    assert not first["added"] and not second["missing"] and second["ordered"] == 2
