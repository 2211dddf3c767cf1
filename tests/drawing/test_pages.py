"""Pages and pictures: well formed, escaped, self-contained; and in a real browser, drawn and alive."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given, settings

from support.browser import has_colour, screenshot, visit, with_script
from support.pages import checked
from support.strategies import pairs
from support.treebanks import sentence
from wnparse.drawing.markup import element, escape, text_width
from wnparse.drawing.page import FRAME, picture_page
from wnparse.drawing.picture import Picture
from wnparse.drawing.svg import draw_svg, svg_document
from wnparse.treebanks.pictures import picture

HOSTILE = "<script>document.title='stolen'</script>"
ILL_NESTED = sentence("a b c d e", [5, 5, 1, 2, 0], "x y z w root")
GAP = sentence("one two three four", [3, 0, 2, 1], "obl root obj acl")
SYSTEM = sentence("one two three four", [2, 0, 2, 1], "obl root obj acl")


def hostile() -> Picture:
    raw = sentence(
        [HOSTILE, "\"'><img src=x onerror=alert(1)>", "a\x01\x0b&amp;"], [2, 0, 2], [HOSTILE, "root", "&"]
    )
    return picture(raw, 3)


def places(root: ElementTree.Element, name: str) -> list[float]:
    return [float(node.get("x", "nan")) for node in root.findall(f".//{{*}}text[@class='{name}']")]


def test_escapes_text() -> None:
    assert escape('<a href="x">&\'\x00\ufffe') == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\ufffd\ufffd"
    assert (
        element("g", "<b/>", _class='"', data_word=0, skipped=None, empty="")
        == '<g class="&quot;" data-word="0"><b/></g>'
    )


def test_hostile_text_is_shown_as_text() -> None:
    page = picture_page([hostile()], 900)
    assert checked(page).tags.count("script") == 1
    assert "img" not in checked(page).tags
    root = ElementTree.fromstring(svg_document([hostile()], 900))
    forms = [node.text for node in root.iter() if node.get("class") == "form"]
    assert forms == [HOSTILE, "\"'><img src=x onerror=alert(1)>", "a\ufffd\ufffd&amp;"]
    assert not [node for node in root.iter() if node.tag.endswith("script")]


@settings(deadline=None, max_examples=30)
@given(pair=pairs(20))
def test_every_arc_and_label_is_drawn(pair: tuple[list[int], list[int]]) -> None:
    n = len(pair[0])
    first, system = (sentence("word " * n, heads) for heads in pair)
    for width in (300, 100_000):
        drawing = draw_svg(picture(first, 1, system), width)
        root = ElementTree.fromstring(f"<svg>{drawing.markup}</svg>")
        different = {m for m, (head, other) in enumerate(zip(*pair, strict=True), 1) if head != other}
        for name, words in (("first", set(range(1, n + 1))), ("second", different)):
            edges = [node for node in root.findall("g[@data-modifier]") if name in node.get("class", "").split()]
            assert {int(node.get("data-modifier", "")) for node in edges} == words
            tips = [tip for node in edges for tip in node.findall("path[@class='tip']")]
            assert len(tips) == len(words)
            labels = [
                node for node in root.findall("text[@data-modifier]") if name in node.get("class", "").split()
            ]
            assert {int(node.get("data-modifier", "")) for node in labels} == words
        assert len(root.findall("g[@data-word][@tabindex]")) == n


def test_right_to_left_sentences_are_mirrored() -> None:
    forward = places(ElementTree.fromstring(svg_document([picture(sentence("a b c", [2, 0, 2]))], 900)), "form")
    mirrored = places(ElementTree.fromstring(svg_document([picture(sentence("א ב ג", [2, 0, 2]))], 900)), "form")
    assert forward == sorted(forward)
    assert mirrored == sorted(mirrored, reverse=True)
    assert picture(sentence("כתב abc , ספר", [0, 1, 1, 1])).right_to_left
    assert not picture(sentence("abc def ספר .", [0, 1, 1, 1])).right_to_left


def test_words_do_not_overlap() -> None:
    forms = ["wide" * 5, "x", "漢字漢字", "MMMMMM", "."] * 20
    drawing = draw_svg(picture(sentence(forms, [0, *range(1, 100)])), 1000)
    assert drawing.width <= 1000
    lines: dict[str, list[tuple[float, float]]] = {}
    for node in ElementTree.fromstring(f"<svg>{drawing.markup}</svg>").findall(".//text[@class='form']"):
        half = text_width(node.text or "", 15) / 2
        x = float(node.get("x", ""))
        lines.setdefault(node.get("y", ""), []).append((x - half, x + half))
    assert len(lines) > 5
    for spans in lines.values():
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
        assert spans[0][0] >= 0
        assert spans[-1][1] <= drawing.width


def test_lines_are_as_wide_as_the_page(tmp_path: Path) -> None:
    shown = picture(sentence("word " * 60, [0, *range(1, 60)]))
    for width in (800, 1600):
        assert width - 150 <= draw_svg(shown, width).width <= width
    # A page that is asked to be wide has room for what was drawn for it.
    page, script = tmp_path / "page.html", 'const box = document.querySelector(".wide"); document.title = '
    script += "`${box.scrollWidth <= box.clientWidth} ${box.clientWidth}`;"
    page.write_text(with_script(picture_page([shown], 1600), script), encoding="utf-8")
    visited = visit(page, "--dump-dom", "--window-size=1700,600")
    title = re.search(r"<title>(.*?)</title>", visited.output)
    assert title is not None
    fits, room = title[1].split()
    assert (fits, int(room)) == ("true", 1600 - FRAME)


def test_has_highlights_and_a_legend() -> None:
    page = picture_page([picture(ILL_NESTED), picture(GAP, 2, SYSTEM)], 900)
    checked(page)
    for name in ("edge first crossing", "yield first", "yield second", "yield other", "only-first", "only-second"):
        assert name in page, name
    assert "yield of 2 words, 2 blocks: 1, 3" in page
    assert "two yields that interleave" in page
    plain = picture_page([picture(sentence("a", [0]))], 900)
    assert "two yields that interleave" not in plain
    assert checked(picture_page([], 900)).tags.count("figure") == 0


HARNESS = """
const report = [];
const words = document.querySelectorAll("#s1 .word");
const names = (kind) => [...words].map((w) => w.classList.contains(kind) ? 1 : 0).join("");
words[0].dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
report.push(names("inside-first"), names("gap-first"), document.querySelector("#s1 .info").textContent);
words[0].dispatchEvent(new MouseEvent("click", {bubbles: true}));
words[1].dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
report.push(names("chosen"));
document.body.dispatchEvent(new MouseEvent("click", {bubbles: true}));
report.push(names("chosen"), String(document.querySelectorAll("figure.active").length));
// Not focus(): a headless window need not have the focus itself.
words[2].dispatchEvent(new FocusEvent("focusin", {bubbles: true}));
report.push(names("chosen"), String(words[2].tabIndex));
document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
const pair = document.querySelector("#s2 .word[data-word='1']");
pair.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
report.push(String(document.querySelectorAll("#s2 .inside-first").length));
report.push(String(document.querySelectorAll("#s2 .inside-second").length));
report.push(document.title);
console.log("the harness has run");
document.body.innerHTML = "";
const output = document.createElement("pre");
output.textContent = report.join("\\n");
document.body.append(output);
"""


def test_the_page_reacts_to_clicks_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    shown = [picture(ILL_NESTED), picture(GAP, 2, SYSTEM), hostile()]
    page.write_text(with_script(picture_page(shown, 900), HARNESS), encoding="utf-8")
    visited = visit(page, "--dump-dom")
    assert [message for message in visited.messages if "the harness has run" not in message] == []
    assert len(visited.messages) == 1
    lines = re.search(r"<pre>(.*?)</pre>", visited.output, re.S)[1].split("\n")  # type: ignore[index]
    assert lines == [
        "10100",
        "01000",
        "1 a – head 5 e (x), yield of 2 words, 2 blocks: 1, 3",
        "10000",
        "00000",
        "0",
        "00100",
        "0",
        "2",
        "2",
        "Trees of t.conllu",
    ]


def test_the_page_is_drawn_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(picture_page([picture(ILL_NESTED), picture(GAP, 2, SYSTEM)], 600), encoding="utf-8")
    pixels, visited = screenshot(page, 640, 700)
    assert visited.messages == []
    # crossing arcs, the two yields that interleave, the yield with a gap, both kinds of difference
    for colour in ("#882255", "#0072b2", "#d98200", "#009e73", "#d55e00"):
        assert has_colour(pixels, colour), colour
    assert not has_colour(pixels, "#123456")
