"""Makes pages look scanned by a phone or an office scanner: grey, slightly skewed, unevenly lit, grainy, and
without any text in the file. The viewer must handle such documents."""

import io
import random
import time

from PIL import Image, ImageChops, ImageFilter

DPI = 132
SKEW_DEGREES = (-0.9, 0.6, -0.4)
JPEG_QUALITY = 42


def as_pdf(sheets: list[bytes], seed: str) -> bytes:
    pages = [simulate_scan(Image.open(io.BytesIO(s)), random.Random(f"{seed}/{i}"), SKEW_DEGREES[i % 3]) for i, s in enumerate(sheets)]
    out = io.BytesIO()
    fixed = time.gmtime(1_767_225_600)  # otherwise Pillow writes the current time, which changes the hash
    pages[0].save(
        out, "PDF", save_all=True, append_images=pages[1:], resolution=DPI, quality=JPEG_QUALITY,
        creationDate=fixed, modDate=fixed, producer="Larkspur demo scanner (fictional)",
    )
    return out.getvalue()


def simulate_scan(page: Image.Image, rng: random.Random, skew: float) -> Image.Image:
    grey = page.convert("L").filter(ImageFilter.GaussianBlur(0.55))
    turned = grey.rotate(skew, resample=Image.Resampling.BICUBIC, fillcolor=236)
    faded = turned.point(lambda v: 38 + v * 200 // 255)
    return specks(ImageChops.add(light(ImageChops.multiply(faded, shadow(faded.size))), grain(faded.size, rng), offset=-128), rng)


def light(page: Image.Image) -> Image.Image:
    return page.point(lambda v: min(255, v * 106 // 100))


def shadow(size: tuple[int, int]) -> Image.Image:
    """Darkens one long edge, as a scan does near the spine or under an open lid."""
    width, height = size
    row = bytes(255 - int(46 * max(0.0, 1 - x / (width * 0.16)) ** 2) - x * 8 // width for x in range(width))
    return Image.frombytes("L", (width, 1), row).resize((width, height))


def grain(size: tuple[int, int], rng: random.Random) -> Image.Image:
    width, height = size[0] // 2, size[1] // 2
    noise = Image.frombytes("L", (width, height), rng.randbytes(width * height))
    soft = noise.filter(ImageFilter.GaussianBlur(0.8)).resize(size, Image.Resampling.BILINEAR)
    return soft.point(lambda v: 128 + (v - 128) // 5)


def specks(page: Image.Image, rng: random.Random) -> Image.Image:
    for _ in range(60):
        at = (rng.randrange(page.width), rng.randrange(page.height))
        page.paste(rng.randrange(60, 150), (*at, at[0] + rng.randrange(1, 4), at[1] + rng.randrange(1, 3)))
    return page
