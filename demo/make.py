#!/usr/bin/env python3
"""Generates every PDF of the demo from demo/sources. See demo/README.md.

    python3 -m venv .venv && .venv/bin/pip install typst==0.15.0 pillow==13.0.0 pikepdf==10.17.0
    .venv/bin/python demo/make.py            # write demo/documents
    .venv/bin/python demo/make.py --check    # fail if a checked-in file differs from its sources

demo.json lists what is generated: one PDF per variant. The same sources give the same bytes, so a document
keeps its URL (which contains its hash) until its text changes.
"""

import io
import json
import os
import sys
import tempfile
from pathlib import Path

import pikepdf
import PIL
import typst

import scan

VERSIONS = {
    "typst": (typst.__version__, "0.15.0"),
    "pillow": (PIL.__version__, "13.0.0"),
    "pikepdf": (pikepdf.__version__, "10.17.0"),
}
HERE = Path(__file__).resolve().parent
ARABIC_FONTS = ["NotoNaskhArabic-Regular", "NotoNaskhArabic-Bold", "NotoSansArabic-Bold"]
FONT_FOLDER = Path(os.environ.get("DEMO_FONTS", "/usr/share/fonts/truetype/noto"))
MAX_BYTES = {"text": 250_000, "scan": 300_000}


def main() -> int:
    for name, (installed, needed) in VERSIONS.items():
        if installed != needed:
            return fail(f"{name} {needed} is required, {installed} is installed. Another version would produce other bytes.")
    missing = [f for f in ARABIC_FONTS if not (FONT_FOLDER / f"{f}.ttf").exists()]
    if missing:
        return fail(f"{', '.join(missing)} not in {FONT_FOLDER}: apt-get install fonts-noto-core, or set DEMO_FONTS")
    check = "--check" in sys.argv[1:]
    only = [a for a in sys.argv[1:] if not a.startswith("-")]
    demo = json.loads((HERE / "demo.json").read_text(encoding="utf-8"))
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        fonts = our_fonts(Path(folder))
        for term in demo["terms"]:
            if only and term["slug"] not in only:
                continue
            for variant in term["variants"]:
                errors += make(term, variant, fonts, check)
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


def our_fonts(folder: Path) -> typst.Fonts:
    """Returns only the fonts listed here, so that other fonts of the machine do not change a page."""
    for name in ARABIC_FONTS:
        (folder / f"{name}.ttf").symlink_to(FONT_FOLDER / f"{name}.ttf")
    return typst.Fonts(include_system_fonts=False, font_paths=[str(folder)])


def make(term: dict, variant: dict, fonts: typst.Fonts, check: bool) -> list[str]:
    source = HERE / "sources" / f"{term['source']}.{variant['locale']}.typ"
    inputs = {"locale": variant["locale"], "version": term["version"], "effective": term["printed_date"]}
    compiler = typst.Compiler(str(source), root=str(HERE / "sources"), font_paths=fonts, sys_inputs=inputs)
    pdf, warnings = compiler.compile_with_warnings(format="pdf")
    if warnings:
        return [f"{source.name}: {w}" for w in warnings]
    pages = json.loads(compiler.query("<pages>", field="value", one=True))
    kind = "scan" if term.get("scanned") else "text"
    if kind == "scan":
        sheets = compiler.compile(format="png", ppi=scan.DPI)
        pdf = scan.as_pdf(sheets if isinstance(sheets, list) else [sheets], seed=variant["file"])
    else:
        pdf = packed(pdf)
    target = HERE / variant["file"]
    errors = []
    low, high = term["pages"]
    if not low <= pages <= high:
        errors.append(f"{target.name}: {pages} pages, expected {low} to {high}")
    if len(pdf) > MAX_BYTES[kind]:
        errors.append(f"{target.name}: {len(pdf)} bytes, at most {MAX_BYTES[kind]} are allowed")
    if check:
        if not target.exists() or target.read_bytes() != pdf:
            errors.append(f"{target.name}: differs from its sources; run demo/make.py")
    else:
        target.write_bytes(pdf)
        print(f"{target.name:48} {pages:3} pages {len(pdf) / 1000:7.1f} kB")
    return errors


def packed(pdf: bytes) -> bytes:
    """Compresses the small objects of the tags for screen readers, about a thousand, which halves the file."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return out.getvalue()


def fail(message: str) -> int:
    print(f"make.py: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
