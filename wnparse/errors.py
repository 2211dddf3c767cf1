"""The exceptions of wnparse: each message says where, what, and what would be right."""

from __future__ import annotations


class WnparseError(Exception):
    """Base of all errors that the user, not the program, has to mend."""


class TreebankError(WnparseError):
    """Bad treebank data: ``path:line: message``.

    Parameters
    ----------
    message : str
        What is wrong, and what would be right.
    path : str
        The file as the user named it; ``<stdin>`` for standard input.
    line : int
        Line number, from 1; 0 where no line is to blame.
    """

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        where = (f"{path}:{line}: " if path else f"line {line}: ") if line else f"{path}: " if path else ""
        super().__init__(where + message)
        self.message = message
        self.path = path
        self.line = line


class RulesError(WnparseError):
    """A rule file that cannot be used, or rules that do not fit what they are used for: ``path:line: message``.

    Parameters
    ----------
    message : str
        What is wrong, and what would be right.
    path : str
        The file, or the name of the bundled rules.
    line : int
        Line number, from 1; 0 where no line is to blame.
    """

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        where = f"{path}:{line}: " if line and path else f"{path}: " if path else ""
        super().__init__(where + message)
        self.message = message
        self.path = path
        self.line = line


class ModelError(WnparseError):
    """A model file that cannot be used: truncated, altered, of another format, or inconsistent."""


class InfeasibleError(WnparseError):
    """No tree within the finite arcs satisfies the constraints."""


class LimitError(WnparseError):
    """A limit of time, nodes or iterations came before the first tree that satisfies the constraints."""


class ClusterError(WnparseError):
    """A cluster that does not answer, is lost, or cannot do what it is asked for."""
