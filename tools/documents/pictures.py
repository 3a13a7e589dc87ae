"""pictures.py PDF FOLDER: compares the page images in FOLDER with poppler's of the same size, page by page, as JSON.

A separate process, because the memory of compare.py counts in the measurements of its child processes."""

import io
import json
import pathlib
import subprocess
import sys

import numpy
from PIL import Image, ImageFilter

# A box of 5 pixels, so that the edge of a letter may differ by a pixel.
BLUR_RADIUS = 2
# Of 255: a pixel that differs by more has another colour.
ANOTHER = 32
# The side of a square, which is as high as two lines.
SQUARE = 24


def main(pdf: pathlib.Path, folder: pathlib.Path) -> list[dict]:
    ours = sorted((path for path in folder.glob("*.webp") if "@" not in path.name), key=lambda path: int(path.stem))
    sizes = [Image.open(path).size for path in ours]
    results, first = [], 0
    while first < len(ours):
        last = first
        while last + 1 < len(ours) and sizes[last + 1] == sizes[first] and last - first < 7:
            last += 1
        pages = poppler(pdf, first + 1, last + 1, sizes[first])
        for path in ours[first:last + 1]:
            results.append(compare(path, next(pages, None)))
        first = last + 1
    return results


def poppler(pdf: pathlib.Path, first: int, last: int, size: tuple[int, int]):
    width, height = size
    pages = run_pdftoppm(pdf, first, last, "-scale-to-x", str(width), "-scale-to-y", str(height))
    if not pages or pages[0].size != size:
        # pdftoppm applies the sides before it rotates a page. With only the longest side, the size is right within a pixel.
        pages = run_pdftoppm(pdf, first, last, "-scale-to", str(max(size)))
    for page in pages:
        near = abs(page.width - width) <= 2 and abs(page.height - height) <= 2
        yield page.resize(size) if near else None


def run_pdftoppm(pdf: pathlib.Path, first: int, last: int, *scale: str) -> list[Image.Image]:
    options = ["-q", "-cropbox", "-f", str(first), "-l", str(last), *scale]
    ppm = subprocess.run(["pdftoppm", *options, pdf], capture_output=True).stdout
    pages = []
    while ppm:
        # One line each: P6, the size, the maximum.
        header = ppm[:64].split(b"\n", 3)[:3]
        width, height = (int(side) for side in header[1].split())
        end = sum(len(line) + 1 for line in header) + width * height * 3
        pages.append(Image.open(io.BytesIO(ppm[:end])))
        ppm = ppm[end:]
    return pages


def pixels(image: Image.Image) -> numpy.ndarray:
    return numpy.asarray(image.convert("RGB").filter(ImageFilter.BoxBlur(BLUR_RADIUS)), dtype=numpy.int16)


def compare(path: pathlib.Path, theirs: Image.Image | None) -> dict | None:
    if theirs is None:
        return None
    single = Image.open(path)
    double = Image.open(path.with_name(f"{path.stem}@2x.webp"))
    our, their = pixels(single), pixels(theirs)
    apart = numpy.abs(our - their)
    halved = numpy.abs(pixels(double.convert("RGB").resize(single.size, Image.Resampling.BOX)) - our)
    return {
        "mean": round(float(apart.mean()), 2),
        "share": round(float((apart.max(axis=2) > ANOTHER).mean()) * 100, 2),
        "square": round(worst_square(our, their), 1),
        "double": round(float(halved.mean()), 2),
        "sizes": double.size == (single.width * 2, single.height * 2),
    }


def worst_square(our: numpy.ndarray, their: numpy.ndarray) -> float:
    """Returns the largest difference of the mean colour of a square. It detects missing content, but ignores small shifts."""
    height, width = (side // SQUARE * SQUARE for side in our.shape[:2])
    if not height or not width:
        return 0.0
    difference = (our - their)[:height, :width]
    squares = difference.reshape(height // SQUARE, SQUARE, width // SQUARE, SQUARE, 3).mean(axis=(1, 3))
    return float(numpy.abs(squares).max())


if __name__ == "__main__":
    json.dump(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])), sys.stdout)
