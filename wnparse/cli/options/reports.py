"""Options of commands that report figures as tables, as JSON or on an HTML page."""

from __future__ import annotations

from collections.abc import Callable

from wnparse.cli.common import Function, option_group, skip_bad_option
from wnparse.cli.paths import html_option, output_option
from wnparse.cli.sections import files


def report_options(contents: str) -> Callable[[Function], Function]:
    """Return --skip-bad and the options for output; the HTML report has these contents."""
    return option_group(
        output_option,
        html_option(contents),
        files("--json", "as_json", is_flag=True, help="Print JSON; docs/reference/json.md describes its keys."),
        skip_bad_option,
    )
