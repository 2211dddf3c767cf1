"""``python -m wnparse`` is ``wnparse``."""

from __future__ import annotations

import signal

from wnparse.cli.signals import signals


def main() -> None:
    """Run the command line; Ctrl-C is handled from the first import on.

    When the command is done, while Python takes itself down, Ctrl-C ends the process without a word.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with signals.handled_by(signals.handle):
            from wnparse.cli.main import main as run

            run()
    except KeyboardInterrupt:  # between two places that answer it
        raise SystemExit(signals.status) from None


if __name__ == "__main__":
    main()
