"""Build ``cext/modules/<name>.pyx`` to ``wnparse._core.<name>``; all metadata is in pyproject.toml.

The C++ of the core, ``cext/**/*.cpp``, is compiled once and linked to the modules that call it. The modules that
only scripts and tests use are built in place and in debug builds, but they are not part of the wheel.

``WNPARSE_DEBUG=1`` turns bounds checks and chaos mode on and writes annotated HTML under ``build/debug``.
``WNPARSE_CHAOS=1`` builds the core with chaos mode alone (cext/base/chaos.hpp).
``WNPARSE_SANITIZE=address,undefined`` or ``thread`` adds the compiler's sanitizers.
"""

import os
import re
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("WNPARSE_DEBUG", "0") not in ("", "0")
CHAOS = os.environ.get("WNPARSE_CHAOS", "0") not in ("", "0")
SANITIZE = os.environ.get("WNPARSE_SANITIZE", "")
JOBS = os.cpu_count() or 1

CORE, MODULES = Path("cext"), Path("cext/modules")
# A folder for each kind of build.
BUILD = Path("build", "debug" if DEBUG else "chaos" if CHAOS else "", SANITIZE.replace(",", "-"))
GENERATED = BUILD / "cython"
UTILITY = "wnparse._core._cyutility"  # what Cython would otherwise put into each module
NOT_IN_WHEEL = {"laboratory", "testing"}  # only for scripts and tests
# The modules that run decoders, scorers or learners: the folders whose .cpp files are linked to each.
LINKED = {
    "decoding": ["decoders"],
    "rules": ["decoders/rules"],
    "external": ["decoders/rules"],
    "scorer": ["decoders", "scorer"],
    "learner": ["decoders", "learning"],
    "laboratory": ["decoders"],
    "tagger": ["tagger"],
    "testing": ["decoders/relaxation"],
}

if sys.platform == "win32":
    compile_args = ["/std:c++17", "/O2"]
else:
    # -ffp-contract=off: the same bits on every machine, fused multiply-add or not.
    # -fwrapv: sums of the weights of a hostile model may overflow, and must then be wrong and nothing else.
    optimise = ["-O1", "-g1"] if DEBUG or SANITIZE else ["-O3", "-g0"]
    compile_args = ["-std=c++17", *optimise, "-ffp-contract=off", "-fwrapv", "-pthread"]
link_args = [] if sys.platform == "win32" else ["-pthread"]
if SANITIZE:
    flags = [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer", "-g1"]
    compile_args += flags
    link_args += flags
macros = [(name, "1") for name, used in (("WNPARSE_DEBUG", DEBUG), ("WNPARSE_CHAOS", CHAOS)) if used]


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


def name_of(extension):
    """Return the name of a module without its package."""
    return extension.name.rpartition(".")[2]


def sources_of(module):
    """The C++ files that a module is linked with."""
    return [path for folder in LINKED.get(module, []) for path in sorted((CORE / folder).rglob("*.cpp"))]


class BuildCore(build_ext):
    """Compiles each file once, and only if it is out of date; then links the modules."""

    def finalize_options(self):
        super().finalize_options()
        # A debug build is for tests, and nobody distributes it.
        if not (self.inplace or DEBUG):
            self.extensions = [one for one in self.extensions if name_of(one) not in NOT_IN_WHEEL]
        # pip gives an editable install a temporary folder, as if nothing had been built before.
        kept = BUILD / sysconfig.get_config_var("EXT_SUFFIX").split(".")[1]
        self.build_temp = str(kept)
        if self.inplace:
            self.build_lib = str(kept / "lib")

    def build_extensions(self):
        for extension, written in zip(self.extensions, write_modules(self.extensions), strict=True):
            extension.sources = written.sources
        core = sorted({path for module in LINKED for path in sources_of(module)})
        units = {path: (sorted(local_includes(path, set())), compile_args) for path in core}
        for extension in self.extensions:
            units |= {Path(path): (extension.depends, extension.extra_compile_args) for path in extension.sources}
        with ThreadPoolExecutor(JOBS) as pool:
            compiled = pool.map(lambda path: self.compile_unit(path, *units[path]), units)
            objects = dict(zip(units, compiled, strict=True))
        for extension in self.extensions:
            parts = [*map(Path, extension.sources), *sources_of(name_of(extension))]
            extension.extra_objects = extension.depends = [objects[path] for path in parts]
            extension.sources = []
        super().build_extensions()

    def compile_unit(self, path, depends, arguments):
        """The object file of a file of C or C++."""
        (found,) = self.compiler.object_filenames([str(path)], output_dir=self.build_temp)
        newest = max(map(changed, [path, "setup.py", *depends]))
        if self.force or not Path(found).exists() or changed(found) < newest:
            self.compiler.compile(
                [str(path)],
                output_dir=self.build_temp,
                include_dirs=[str(CORE)],
                macros=macros,
                extra_postargs=arguments,
            )
        return found

    def copy_extensions_to_source(self):
        self.force = True  # the modules of another build, with bounds checks say, may be newer
        super().copy_extensions_to_source()


def write_modules(extensions):
    """Have Cython write the C++ of the modules that are out of date."""
    # It would keep what it wrote with other directives, or for another declaration of the module itself.
    for path in [*GENERATED.rglob("*.c"), *GENERATED.rglob("*.cpp")]:
        declared = Path("wnparse/_core", path.name).with_suffix(".pxd")
        if changed(path) < max(changed(source) for source in [Path("setup.py"), declared] if source.exists()):
            path.unlink()
    return cythonize(
        extensions,
        include_path=[str(MODULES), "."],
        build_dir=str(GENERATED),
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
    )


def changed(path):
    """When a file was last written."""
    return Path(path).stat().st_mtime


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
    ext_modules=[*extensions, utility],
    cmdclass={"build_ext": BuildCore},
    options={"build": {"build_base": str(BUILD)}, "build_ext": {"parallel": JOBS}},
)
