"""The exceptions of wnparse. A message names the place of the error, what is wrong, and what is expected."""

from __future__ import annotations


class WnparseError(Exception):
    """Base class of all errors that the user can fix."""


class FileError(WnparseError):
    """Bad data in a file: ``path:line: message``.

    Parameters
    ----------
    message : str
        What is wrong, and what is expected instead.
    path : str
        The file as the user named it: ``<stdin>`` for standard input, a name for bundled rules.
    line : int
        Line number, from 1; 0 if the error is not in a line.
    """

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        where = (f"{path}:{line}: " if path else f"line {line}: ") if line else f"{path}: " if path else ""
        super().__init__(where + message)
        self.message = message
        self.path = path
        self.line = line


class TreebankError(FileError):
    """Bad treebank data."""


class RulesError(FileError):
    """A rule file that cannot be used, or rules that do not fit what they are used for."""


class ModelError(WnparseError):
    """A model file that cannot be used: truncated, altered, of another format, or inconsistent."""


class InfeasibleError(WnparseError):
    """No tree within the finite arcs satisfies the constraints."""


class LimitError(WnparseError):
    """A limit of time, nodes or iterations was reached before the first tree that satisfies the constraints."""


class ClusterError(WnparseError):
    """A cluster that does not respond, is lost, or cannot do what is requested."""
