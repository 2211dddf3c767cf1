"""Imports of the library and includes of the core go one way, by the lists in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from release.check_distributions import NOT_IN_WHEEL

from support.places import ROOT

PACKAGE, CORE = ROOT / "wnparse", ROOT / "cext"
CORE_SUFFIXES = {".hpp", ".cpp", ".pyx", ".pxd"}
PYTHON_HEADERS = {"pythread.h"}  # Cython has no other way to say where they are from


def listed(name: str) -> list[list[str]]:
    """The lines of a list in CONTRIBUTING.md, as words; the lowest first."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^ *```{name}\n(.*?)^ *```$", text, re.M | re.S)
    return [line.split() for line in block.splitlines()]


PACKAGES = {module: number for number, line in enumerate(listed("packages")) for module in line}
FOLDERS = {folder: number for number, (folder,) in enumerate(listed("folders"))}


def find_cycle(graph: dict[str, set[str]]) -> list[str] | None:
    """Nodes each of which needs the next, the last being the first; None if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])[::-1]
    return None


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the modules of wnparse that a file imports, and whether only type checkers do."""
    tree = ast.parse(path.read_text())
    typing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            if node.module == "wnparse":
                yield from ((f"wnparse.{alias.name}", node in typing) for alias in node.names)
            elif node.module.startswith("wnparse."):
                # What is imported from a package may be one of its modules.
                inside = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from ((name if name in MODULES else node.module, node in typing) for name in inside)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node in typing) for alias in node.names if alias.name.startswith("wnparse."))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"}


def package_of(module: str) -> str:
    """The package of wnparse that a module belongs to, or is."""
    return module.split(".")[1]


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_to_lower_layers(module: str) -> None:
    own = package_of(module)
    if own == "_core":
        return
    for name, _ in imports(MODULES[module]):
        if name != "wnparse.__version__":
            assert PACKAGES[package_of(name)] <= PACKAGES[own], f"{module} imports {name}, which is listed later"


def test_the_list_of_packages_names_each_package_once() -> None:
    names = [package for line in listed("packages") for package in line]
    assert sorted(names) == sorted({package_of(module) for module in MODULES})


def test_imports_have_no_cycles() -> None:
    """Imports for type checkers are not executed."""
    graph = {
        module: {name for name, typing in imports(path) if not typing and name in MODULES and name != module}
        for module, path in MODULES.items()
    }
    assert find_cycle(graph) is None


def core_files(core: Path) -> dict[str, Path]:
    """The sources of the core by their paths from its folder."""
    paths = [path for path in sorted(core.rglob("*")) if path.suffix in CORE_SUFFIXES]
    return {path.relative_to(core).as_posix(): path for path in paths}


def includes(path: Path, core: Path) -> Iterator[str]:
    """Yield what a file of the core needs: includes, headers that Cython declares, definitions it cimports."""
    text = path.read_text(encoding="utf-8")
    yield from re.findall(r'^\s*#\s*include\s*"([^"]*)"', text, re.M)
    # The compiler would find a file of the core between angle brackets too.
    yield from (name for name in re.findall(r"^\s*#\s*include\s*<([^>]*)>", text, re.M) if (core / name).exists())
    yield from re.findall(r'^\s*cdef extern from "([^"<]+)"', text, re.M)
    cimported = [
        f"modules/{name}.pxd" for name in re.findall(r"^(?:from|cimport) (\w+)(?: cimport|$)", text, re.M)
    ]
    yield from (name for name in cimported if (core / name).exists())


def faults(name: str, core: Path, folders: dict[str, int]) -> list[str]:
    """Return what is wrong with the includes of a file."""
    files = core_files(core)
    own = Path(name).parent.as_posix()
    if own not in folders:
        return [f"{name}: CONTRIBUTING.md does not list the folder {own}"]
    messages = []
    for included in includes(files[name], core):
        if included not in files:
            if included not in PYTHON_HEADERS:
                messages.append(f"{name} includes {included}, which is no path from cext/")
        elif folders.get(Path(included).parent.as_posix(), len(folders)) > folders[own]:
            messages.append(f"{name} includes {included}, which the list has later")
    return messages


def include_graph(core: Path) -> dict[str, set[str]]:
    return {name: set(includes(path, core)) for name, path in core_files(core).items()}


@pytest.mark.parametrize("name", core_files(CORE))
def test_includes_go_to_lower_layers(name: str) -> None:
    assert not faults(name, CORE, FOLDERS)


def test_the_list_of_folders_names_each_folder_once() -> None:
    names = [folder for (folder,) in listed("folders")]
    assert sorted(names) == sorted({Path(name).parent.as_posix() for name in core_files(CORE)})


def test_only_scripts_and_tests_use_what_the_wheel_lacks() -> None:
    named = re.compile(rf"_core(?:\.| import (?:.*, )?)(?:{'|'.join(NOT_IN_WHEEL)})\b")
    assert not [name for name, path in MODULES.items() if named.search(path.read_text(encoding="utf-8"))]
    users = [name for name, included in include_graph(CORE).items() if "laboratory/" in " ".join(included)]
    assert [name for name in users if not name.startswith("laboratory/")] == ["modules/laboratory.pyx"]
    (in_setup,) = re.findall(r"^NOT_IN_WHEEL = (\{.*\})", (ROOT / "setup.py").read_text(encoding="utf-8"), re.M)
    assert ast.literal_eval(in_setup) == NOT_IN_WHEEL


def test_includes_have_no_cycles() -> None:
    assert find_cycle(include_graph(CORE)) is None


@pytest.fixture
def small_core(tmp_path: Path) -> Path:
    """A core with each fault once."""
    for name, text in {
        "low/a.hpp": "#pragma once\n#include <vector>\n",
        "low/b.hpp": '#include "low/c.hpp"\n',
        "low/c.hpp": '#include "low/b.hpp"\n',
        "low/near.cpp": '#include "a.hpp"\n',
        "low/up.cpp": '#include "low/a.hpp"\n  #  include "high/d.hpp"\n',
        "low/dots.hpp": '#include "../high/d.hpp"\n',
        "low/angle.hpp": "#include <high/d.hpp>\n",
        "high/d.hpp": '#include "low/a.hpp"\n',
        "elsewhere/e.hpp": "",
        "modules/types.pxd": 'cdef extern from "high/d.hpp" namespace "x" nogil:\n    pass\n',
        "modules/m.pyx": 'from types cimport T\ncdef extern from "pythread.h":\n    pass\n',
        "modules/n.pyx": 'cdef extern from "d.hpp":\n    pass\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_finds_each_error(small_core: Path) -> None:
    folders = {"low": 0, "high": 1, "modules": 2}
    reported = {
        name: messages for name in core_files(small_core) if (messages := faults(name, small_core, folders))
    }
    assert reported == {
        "elsewhere/e.hpp": ["elsewhere/e.hpp: CONTRIBUTING.md does not list the folder elsewhere"],
        "low/angle.hpp": ["low/angle.hpp includes high/d.hpp, which the list has later"],
        "low/dots.hpp": ["low/dots.hpp includes ../high/d.hpp, which is no path from cext/"],
        "low/near.cpp": ["low/near.cpp includes a.hpp, which is no path from cext/"],
        "low/up.cpp": ["low/up.cpp includes high/d.hpp, which the list has later"],
        "modules/n.pyx": ["modules/n.pyx includes d.hpp, which is no path from cext/"],
    }
    assert set(find_cycle(include_graph(small_core)) or ()) == {"low/b.hpp", "low/c.hpp"}
    (small_core / "low/c.hpp").write_text("")
    assert find_cycle(include_graph(small_core)) is None
    assert include_graph(small_core)["modules/m.pyx"] == {"modules/types.pxd", "pythread.h"}
