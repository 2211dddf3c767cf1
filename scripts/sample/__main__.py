"""Write the bundled sample treebanks: the invented language to data/, English to data/english/.

Each has train.conllu, dev.conllu and test.conllu. The same seed gives the same bytes on every machine and
every Python from 3.10 on. Standard library only.

Examples
--------
    python scripts/sample                       # writes data/ and data/english/
    python scripts/sample --check               # exit 1 if a file differs
    python scripts/sample --output /tmp/other --seed 7
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sample.english.treebank import treebank as english
from sample.invented.treebank import treebank as invented

DEFAULT_SEED = 17


def main() -> int:
    """Parse the options, then write or compare."""
    parser = argparse.ArgumentParser(description="Write the bundled sample treebanks.")
    default = Path(__file__).resolve().parents[2] / "data"
    parser.add_argument("--output", type=Path, default=default, metavar="DIR", help="directory (default: data)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    options = parser.parse_args()
    samples = {options.output: invented(options.seed), options.output / "english": english(options.seed)}
    files = {folder / name: text.encode() for folder, texts in samples.items() for name, text in texts.items()}
    if options.check:
        different = [path for path, content in files.items() if not path.is_file() or path.read_bytes() != content]
        for path in different:
            print(f"{path}: differs from seed {options.seed}; run without --check to write it", file=sys.stderr)
        return 1 if different else 0
    for folder in samples:
        folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
