"""Train UDPipe's parser (ufal.udpipe) on gold tags and parse a file; prints versions and user seconds as JSON.

python udpipe_peer.py TRAIN DEV TEST OUTPUT   (DEV may be empty)
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.udpipe import run_udpipe, train_udpipe

# Non-projective trees by reordering; all else as UDPipe has it.
OPTIONS = "transition_system=swap;transition_oracle=static_lazy"


def main(train: str, dev: str, test: str, output: str) -> None:
    """Train, then parse; the model is opened anew in between, as a user would."""
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    model = train_udpipe(train, dev, "none", OPTIONS)
    trained = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with tempfile.NamedTemporaryFile(suffix=".udpipe") as file:
        file.write(model)
        file.flush()
        parsed, seconds = run_udpipe(Path(file.name), Path(test).read_bytes(), tag=False)
    Path(output).write_bytes(parsed)
    figures = {"train_user_seconds": trained - begin, "user_seconds": seconds, "bytes": len(model)}
    print(json.dumps({"system": f"UDPipe, ufal.udpipe {version('ufal.udpipe')}, swap", **figures}))


if __name__ == "__main__":
    main(*sys.argv[1:])
