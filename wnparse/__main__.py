"""``python -m wnparse`` is ``wnparse``."""

from __future__ import annotations

from wnparse.cli.signals import signals


def main() -> None:
    """Run the command line; Ctrl-C is handled from the first import on."""
    try:
        with signals.handled_by(signals.handle):
            from wnparse.cli.main import main as run

            run()
    except KeyboardInterrupt:  # between two places that answer it
        raise SystemExit(signals.status) from None


if __name__ == "__main__":
    main()
