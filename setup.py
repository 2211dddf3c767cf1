"""Build ``cext/modules/<name>.pyx`` to ``wnparse._core.<name>``; all metadata is in pyproject.toml.

The C++ of the core, ``cext/**/*.cpp``, is compiled once and linked to the modules that call it.

``WNPARSE_DEBUG=1`` turns bounds checks on and writes annotated HTML under ``build/``.
``WNPARSE_SANITIZE=address,undefined`` adds the compiler's sanitizers.
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("WNPARSE_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("WNPARSE_SANITIZE", "")
JOBS = os.cpu_count() or 1

CORE, MODULES = Path("cext"), Path("cext/modules")
UTILITY = "wnparse._core._cyutility"  # what Cython would otherwise put into each module
# The modules that run decoders, scorers or learners, and the folders whose .cpp files they are linked with.
LINKED = {
    "decoding": ["decoders"],
    "scorer": ["decoders", "scorer"],
    "learner": ["decoders", "learning"],
}

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
macros = [("WNPARSE_DEBUG", "1")] if DEBUG else []


def local_includes(path, found):
    """Add what a file of the core includes, directly or not: an edit then compiles only what needs it."""
    text = path.read_text(encoding="utf-8")
    headers = [CORE / name for name in re.findall(r'(?:#include|cdef extern from) "([\w/]+\.hpp)"', text)]
    cimported = [
        Path(f"{module.replace('.', '/')}.pxd") if "." in module else MODULES / f"{module}.pxd"
        for module in re.findall(r"(?m)^from ([\w.]+) cimport", text)
    ]
    for included in headers + cimported:
        if included.exists() and str(included) not in found:
            found.add(str(included))
            local_includes(included, found)
    return found


def sources_of(module):
    """The C++ files that a module is linked with."""
    return [path for folder in LINKED.get(module, []) for path in sorted((CORE / folder).rglob("*.cpp"))]


class BuildCore(build_ext):
    """Compiles the C++ of the core before the modules, each file once and only if it is out of date."""

    def build_extensions(self):
        files = sorted({path for module in LINKED for path in sources_of(module)})
        folder = Path(self.build_temp) / "core"
        with ThreadPoolExecutor(JOBS) as pool:
            objects = dict(zip(files, pool.map(lambda path: self.compile_core(path, folder), files), strict=True))
        for extension in self.extensions:
            linked = [objects[path] for path in sources_of(extension.name.rpartition(".")[2])]
            extension.extra_objects = linked
            extension.depends = [*extension.depends, *linked]
        super().build_extensions()

    def compile_core(self, path, folder):
        """The object file of a C++ file."""
        (found,) = self.compiler.object_filenames([str(path)], output_dir=str(folder))
        needed = [path, Path("setup.py"), *map(Path, local_includes(path, set()))]
        if self.force or not Path(found).exists() or Path(found).stat().st_mtime < newest(needed):
            self.compiler.compile(
                [str(path)],
                output_dir=str(folder),
                include_dirs=[str(CORE)],
                macros=macros,
                extra_postargs=compile_args,
            )
        return found


def newest(paths):
    """When the last of some files changed."""
    return max(path.stat().st_mtime for path in paths)


extensions = [
    Extension(
        f"wnparse._core.{path.stem}",
        [str(path)],
        include_dirs=[str(CORE)],
        depends=sorted(local_includes(path, set())),
        language="c++",
        extra_compile_args=compile_args,
        extra_link_args=link_args,
        define_macros=macros,
    )
    for path in sorted(MODULES.glob("*.pyx"))
]
# Cython writes it, in C; views of arrays are opened once a call, so that it need not be quick.
utility = Extension(
    UTILITY, [], extra_compile_args=[] if sys.platform == "win32" else ["-O1", "-g0"], extra_link_args=link_args
)

setup(
    ext_modules=cythonize(
        [*extensions, utility],
        include_path=[str(MODULES), "."],
        build_dir="build/cython",
        annotate=DEBUG,
        shared_utility_qualified_name=UTILITY,
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
    cmdclass={"build_ext": BuildCore},
    options={"build_ext": {"parallel": JOBS}},
)
