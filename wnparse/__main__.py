"""``python -m wnparse`` is ``wnparse``."""

from wnparse.cli import main

main()
