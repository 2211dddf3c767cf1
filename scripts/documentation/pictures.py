"""Draw the pictures of the documentation again: trees as SVG, pages in Chromium, and a tree that LaTeX has set.

    python scripts/documentation/pictures.py

The trees are checked by tests/docs/test_pictures.py. Pages need chromium, and LaTeX needs pdflatex and pdftoppm;
pictures for which these are not on the PATH are left as they are.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
TREES = {
    **{name: [f"docs/pictures/{name}.conllu"] for name in ("english", "nesting", "projective", "three-blocks")},
    "rule": ["data/english/dev.conllu", "-n", "36", "--rules", "ud"],
    "differing": ["docs/pictures/english.conllu", "--differs-from", "docs/pictures/attachment.conllu"],
}
# Commands that write a page, and the part of it that is shown: width and height in pixels.
PAGES = {
    "stats": (["stats", "--tags", "train.conllu"], 1700, 1580),
    "eval": (["eval", "dev.conllu", "first.conllu", "second.conllu", "--agreement"], 1700, 900),
}
TEX = ["docs/pictures/english.conllu", "--no-title", "--tags"]
DOTS = 110  # per inch


def wnparse(*arguments: str, folder: Path = ROOT) -> bytes:
    """Run wnparse in a folder; return its output."""
    command = [sys.executable, "-m", "wnparse", *arguments]
    return subprocess.run(command, capture_output=True, check=True, cwd=folder, timeout=600).stdout


def draw_tree(name: str) -> bytes:
    """Draw an SVG picture."""
    return wnparse("show", *TREES[name], "--svg", "-")


def take_pages(folder: Path) -> None:
    """Write pages to a folder, and take pictures of them."""
    for part in ("train", "dev"):
        shutil.copy(ROOT / "data" / "english" / f"{part}.conllu", folder)
    for name, options in (("first", ["--epochs", "2"]), ("second", ["--epochs", "1", "--rules", "none"])):
        train = ["train", "-q", "train.conllu", "--only", "parser", "--order", "1", "-o", "model.wnp"]
        wnparse(*train, *options, folder=folder)
        wnparse("parse", "-q", "-m", "model.wnp", "dev.conllu", "-o", f"{name}.conllu", folder=folder)
    for name, (arguments, width, height) in PAGES.items():
        page = folder / f"{name}.html"
        page.write_bytes(wnparse(*arguments, "--html", "-", folder=folder))
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={width},{height}"]
        command = ["chromium", *options, f"--screenshot={PICTURES / f'{name}.png'}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def set_tree(folder: Path) -> None:
    """Let LaTeX set a tree."""
    source = folder / "tree.tex"
    source.write_bytes(wnparse("show", *TEX, "--tex", "-"))
    latex = ["pdflatex", "-interaction=nonstopmode", source.name]
    subprocess.run(latex, cwd=folder, check=True, capture_output=True, timeout=120)
    draw = ["pdftoppm", "-png", "-singlefile", "-r", str(DOTS), "tree.pdf", str(PICTURES / "latex")]
    subprocess.run(draw, cwd=folder, check=True)


def main() -> None:
    """Draw all pictures."""
    for name in TREES:
        (PICTURES / f"{name}.svg").write_bytes(draw_tree(name))
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("chromium"):
            take_pages(Path(folder))
        if shutil.which("pdflatex") and shutil.which("pdftoppm"):
            set_tree(Path(folder))


if __name__ == "__main__":
    main()
