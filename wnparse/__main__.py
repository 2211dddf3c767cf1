"""``python -m wnparse`` is ``wnparse``."""

from __future__ import annotations

from wnparse.interrupt import EXIT_INTERRUPTED, leaving_on_interrupt


def main() -> None:
    """Run the command line; Ctrl-C is answered from the first import on."""
    try:
        with leaving_on_interrupt():
            from wnparse.cli import main as run
        run()
    except KeyboardInterrupt:  # between two places that answer it
        raise SystemExit(EXIT_INTERRUPTED) from None


if __name__ == "__main__":
    main()
