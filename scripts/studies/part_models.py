"""`wnparse` with parts of some kinds only, for experiments.

python scripts/studies/part_models.py sibling train data/train.conllu -o sib.wnp --order 2
python scripts/studies/part_models.py sibling,grandsibling train data/train.conllu -o some.wnp --order 3
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from wnparse.__main__ import main as wnparse_main
from wnparse.parser import part_features


def kind_of(template: str) -> str:
    """The kind of part that a template scores."""
    return template.split()[0]


def is_pair(template: str) -> bool:
    """Whether a template looks at two words alone, (m, s) or (g, m), and is computed once for them."""
    return bool(part_features.parse_part_template(template)[1])


@contextlib.contextmanager
def other_templates(templates: list[str], others: list[str]) -> Iterator[None]:
    """Let a list of templates be another one meanwhile."""
    whole = list(templates)
    templates[:] = others
    try:
        yield
    finally:
        templates[:] = whole


def main() -> None:
    """Run a command of wnparse."""
    if len(sys.argv) < 2 or not set(sys.argv[1].split(",")) <= set(part_features.KINDS):
        sys.exit(f"part_models: first the kinds of parts, of {', '.join(part_features.KINDS)}; then a command")
    kinds = set(sys.argv.pop(1).split(","))
    with other_templates(part_features.TEMPLATES, [t for t in part_features.TEMPLATES if kind_of(t) in kinds]):
        wnparse_main()


if __name__ == "__main__":
    main()
