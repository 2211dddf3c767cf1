# Sourced by demo, test and .ci/run: makes the virtual environment $VENV (default .venv) and installs wnparse.
# usage: make_venv EXTRAS   (for example "" or "[dev]")

make_venv() {
  local python=${PYTHON:-python3}
  VENV=${VENV:-.venv}
  if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "wnparse needs Python 3.10 or newer; '$python' is not. Set PYTHON=/path/to/python3." >&2
    return 1
  fi
  if [ ! -x "$VENV/bin/python" ]; then
    "$python" -m venv "$VENV" || {
      echo "cannot make a virtual environment: is the venv module installed (Debian: python3-venv)?" >&2
      return 1
    }
  fi
  # Compiling takes minutes: only if something that it depends on is newer than the last time.
  local stamp="$VENV/.installed$1"
  if [ -e "$stamp" ] && [ -z "$(find pyproject.toml setup.py cext -newer "$stamp" -print -quit)" ] &&
    "$VENV/bin/python" -c 'import wnparse._core.scorer' 2>/dev/null; then
    return 0
  fi
  "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".$1"
  touch "$stamp"
}
