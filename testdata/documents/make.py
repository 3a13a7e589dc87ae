"""Generates the PDF documents of this folder: pip install typst pillow pikepdf, then run this script.

The tests write malicious documents themselves, byte by byte.
"""

import io
import pathlib
import random

import pikepdf
import typst
from PIL import Image, ImageDraw, ImageFont

here = pathlib.Path(__file__).parent
for name in ["english", "arabic", "colour"]:
    typst.compile(here / f"{name}.typ", output=here / f"{name}.pdf")

page = Image.new("L", (1240, 1754), 244)
draw = ImageDraw.Draw(page)
font = ImageFont.load_default(40)
for line in range(24):
    draw.text((120, 160 + 60 * line), "Scanned terms of Example Riders Ltd.", 40, font)
noise = random.Random(1)
for _ in range(4000):
    draw.point((noise.randrange(1240), noise.randrange(1754)), noise.randrange(120, 220))
page.rotate(0.6, fillcolor=244).save(here / "scan.pdf", resolution=150, quality=40)

with pikepdf.open(here / "colour.pdf") as pdf:
    pdf.save(here / "encrypted.pdf", encryption=pikepdf.Encryption(owner="owner", user="secret"))
