"""Values that are valid, almost valid, or look like something else, for damaged files."""

from __future__ import annotations

NUMBERS = [
    "0", "1", "-1", "+1", "01", "1.0", "1e3", " 1", "1 ", "2147483647", "2147483648", "-2147483649",
    "4294967296", "9223372036854775808", "9" * 40, "9" * 5000, "٣", "１", "²", "Ⅷ", "1_000", "0x10", "nan", "inf",
    "", "_",
]  # fmt: skip
IDENTIFIERS = [
    *("0", "1-2", "2-1", "1-1", "1-", "-1", "1-2-3", "1.1", "0.1", "1.0", "1.", ".1", "1.1.1", "3.2", "1-1.5"),
    *("1-99999999999", "99999999999-1", "1.99999999999", "999999999999999999999.1", "1–2", "a"),
]
FIELDS = [
    "", "_", " ", "  ", "\u00a0", "\u200b", "a b", "|", "=", "A=B|A=C", "A=B|", "|A=B", "A=", "=B", "0:root",
    "1:x|", "SpaceAfter=No", "HeadProb=1", "#", "# c", '"', "'", "\\", "\\n", "%s", "{}", "<b>", "&amp;",
    "\x1b[2J", "\x07", "e\u0301", "\u202e", "\ufeff", "\U0001f600", "\u2028", "\u0085", "\x0b", "\x0c", "\x1c",
    "ß", "ı", "İ",
]  # fmt: skip
CODE_POINTS = [
    *("\u2028", "\u2029", "\u0085", "\ufeff", "\u00a0", "\u3000", "\x00", "\x0b", "\x0c", "\x1c", "\x1a", "\r")
]
BAD_BYTES = [
    b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80",
    b"\xfe\xff",
]  # fmt: skip
BOMS = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00"]
LINE_ENDS = [b"\r\n", b"\r", b"\n\n", b"\t\n", b" \n", b"\n\r", b"\n ", b"\r\r\n", b"\n\r\n"]
TOML_VALUES = [
    '"', "'", '"""', "[", "]", "]]", "[[", "{", "}", "=", ".", ",", "#", "\\", "1", "-1", "0", "true", "false",
    "[]", "{}", '""', "[[]]", "[{}]", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "inf", "-inf", "nan",
    "1e400", "-0.0", "1e-400", "1e99", "0x" + "f" * 2000, "9" * 4000, "9" * 5000, "2147483648", "10000", "10001",
    "0o7", "1_000", "é\t", '"\\ud800"', '"\\u0000"', '"' + "x" * 300 + '"', '"nsubj"', '"*"', '":"', '"nsubj:"',
    '["a", 1]', '"ud"', '"r"', '"nothing"',
]  # fmt: skip
TOML_KEYS = [
    "name", "reason", "penalty", "forbid", "at-most", "at-least", "exactly", "siblings", "must-be-under",
    "only-between", "no-crossing", "contiguous", "dependents", "head", "and", "need-between", "need-alike",
    "between", "crossed-by", "relation", "not-relation", "side", "min-distance", "max-distance", "parent",
    "root", "any", "is", "upos", "not-upos", "form-matches", "not-lemma-begins", "feats", "ext-upos", "include",
    "leave-out", "words", "rule", "about", "x", '""', '"a b"', '"é"', "a.b", "rule.head", "'\\'",
]  # fmt: skip
# Regular expressions that take long, are wrong, or are at the limits of what is allowed.
PATTERNS = [
    "(a+)+$", "(a|a)*b", "(a|aa)+$", "a*a*a*a*a*b", "a*a*a*b", "(.*)(.*)(.*)x", "(?=a)b", r"(.)\1",
    "a{1,1000000}", "[", "(", "a{99999999999}", "(?P<n>a)(?P=n)", "\\", "(?i)x", "(?x) a #", "x" * 201,
    "(" * 90 + ")" * 90, "[^\\W\\d]", "\\p{L}", "(?:a?){30}", "(?s:.)*", "a**", "*", "^$", "\\b", "(?>a+)",
    "a++", "[[:alpha:]]", "[a-\\d]", "(?#c)a", "(?a)\\w", "\\N{DIGIT ONE}", "\\u0041",
]  # fmt: skip
