"""Build ``cext/modules/<name>.pyx`` to ``wnparse._core.<name>``; all metadata is in pyproject.toml.

``WNPARSE_DEBUG=1`` turns bounds checks on and writes annotated HTML under ``build/``.
``WNPARSE_SANITIZE=address,undefined`` adds the compiler's sanitizers.
"""

import os
import re
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("WNPARSE_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("WNPARSE_SANITIZE", "")

if sys.platform == "win32":
    compile_args = ["/std:c++17", "/O2"]
else:
    # -ffp-contract=off: the same bits on every machine, fused multiply-add or not.
    optimise = ["-O1", "-g1"] if DEBUG or SANITIZE else ["-O3", "-g0"]
    compile_args = ["-std=c++17", *optimise, "-ffp-contract=off", "-pthread"]
link_args = [] if sys.platform == "win32" else ["-pthread"]
if SANITIZE:
    flags = [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer", "-g1"]
    compile_args += flags
    link_args += flags


CORE, MODULES = Path("cext"), Path("cext/modules")


def local_includes(path, found):
    """Add what a file of the core includes, directly or not: an edit then compiles only what needs it."""
    text = path.read_text(encoding="utf-8")
    headers = [CORE / name for name in re.findall(r'(?m)(?:#include|cdef extern from) "([\w/]+\.hpp)"', text)]
    cimported = [MODULES / f"{name}.pxd" for name in re.findall(r"(?m)^from (\w+) cimport", text)]
    for included in headers + cimported:
        if included.exists() and str(included) not in found:
            found.add(str(included))
            local_includes(included, found)
    return found


extensions = [
    Extension(
        f"wnparse._core.{path.stem}",
        [str(path)],
        include_dirs=[str(CORE)],
        depends=sorted(local_includes(path, set())),
        language="c++",
        extra_compile_args=compile_args,
        extra_link_args=link_args,
        define_macros=[("WNPARSE_DEBUG", "1")] if DEBUG else [],
    )
    for path in sorted(MODULES.glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=[str(MODULES)],
        build_dir="build/cython",
        annotate=DEBUG,
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": True,
        },
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
