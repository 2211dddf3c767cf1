"""`wnparse` with parts of some kinds only, for experiments.

python scripts/part_models.py sibling train data/train.conllu -o sib.wnp --order 2
python scripts/part_models.py sibling,grandsibling train data/train.conllu -o some.wnp --order 3
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from wnparse.__main__ import main as wnparse_main
from wnparse.parser import part_features


def kind_of(template: str) -> str:
    """The kind of part that a template scores."""
    return template.split()[0]


def is_pair(template: str) -> bool:
    """Whether a template looks at two words alone, (m, s) or (g, m), and is computed once for them."""
    return bool(part_features.parse_part_template(template)[1])


@contextlib.contextmanager
def only_templates(keep: Callable[[str], bool]) -> Iterator[None]:
    """Let trainers that are made meanwhile have no other templates of parts."""
    whole = list(part_features.TEMPLATES)
    part_features.TEMPLATES[:] = filter(keep, whole)
    try:
        yield
    finally:
        part_features.TEMPLATES[:] = whole


def main() -> None:
    """Run a command of wnparse."""
    if len(sys.argv) < 2 or not set(sys.argv[1].split(",")) <= set(part_features.KINDS):
        sys.exit(f"part_models: first the kinds of parts, of {', '.join(part_features.KINDS)}; then a command")
    kinds = set(sys.argv.pop(1).split(","))
    with only_templates(lambda text: kind_of(text) in kinds):
        wnparse_main()


if __name__ == "__main__":
    main()
