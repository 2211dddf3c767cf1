# Sourced by demo, test, reproduce, sanitize and .ci/run: make_venv makes the virtual environment $VENV (default .venv),
# builds wnparse and installs it there. The scripts share one environment and one build, so that the second one compiles nothing.
# usage: make_venv [EXTRA]   (for example dev)

make_venv() {
  local python=${PYTHON:-python3} extra=${1:+[$1]}
  VENV=${VENV:-.venv}
  if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "wnparse needs Python 3.10 or newer; '$python' is not. Set PYTHON=/path/to/python3." >&2
    return 1
  fi
  if [ ! -x "$VENV/bin/python" ]; then
    # Without ensurepip, which Debian ships with venv, an incomplete environment would be left behind.
    "$python" -c 'import ensurepip, venv' 2>/dev/null && "$python" -m venv "$VENV" || {
      echo "cannot make a virtual environment: is the venv module installed (Debian: python3-venv)?" >&2
      return 1
    }
  fi
  # Nothing to do if the core is newer than its sources, and the installed extra is newer than pyproject.toml.
  local built="$VENV/.built" installed="$VENV/.installed$extra"
  if [ -e "$built" ] && [ -z "$(find setup.py pyproject.toml cext wnparse/_core/*.pxd -newer "$built" -print -quit)" ] &&
    [ "$installed" -nt pyproject.toml ] && "$VENV/bin/python" -c 'import wnparse._core.scorer' 2>/dev/null; then
    return 0
  fi
  find_compiler && install_wnparse
}

find_compiler() {
  "$VENV/bin/python" -c '
import os, shlex, shutil, sys, sysconfig

commands = [os.environ.get(name) or sysconfig.get_config_var(name) or "c++" for name in ("CC", "CXX")]
for name in (shlex.split(command)[0] for command in commands):
    if not shutil.which(name):
        sys.exit(f"wnparse has to be compiled, but {name} is missing: install a C++ compiler (Debian: g++) or set CC and CXX.")
'
}

# setup.py keeps compiled files under build/, so that pip compiles only what is out of date.
install_wnparse() {
  local started="$VENV/.started" pip=("$VENV/bin/python" -m pip install --quiet --disable-pip-version-check)
  touch "$started" # files that are edited during the build must count as newer
  "${pip[@]}" --requirement <(build_requirements) &&
    "${pip[@]}" --no-build-isolation --editable ".$extra" &&
    cp -p "$started" "$built" && mv "$started" "$installed"
}

build_requirements() { PYTHON="$VENV/bin/python" requirements build-system requires; }

# Prints a list of pyproject.toml, one entry per line.
requirements() { # TABLE... NAME
  "${PYTHON:-python3}" - "$@" << 'EOF'
import functools, sys

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib
with open("pyproject.toml", "rb") as file:
    print(*functools.reduce(dict.get, sys.argv[1:], tomllib.load(file)), sep="\n")
EOF
}
