"""Scanning and splicing CoNLL-U sentences as bytes, O(bytes).

The format is that of Universal Dependencies (https://universaldependencies.org/format.html): ten columns
between tabs, ids 1..n for words, ``i-j`` for multiword tokens, ``i.j`` for empty nodes, ``#`` for comments.
A sentence is never decoded or copied apart here: a table of byte offsets says where each column of each
word begins, so that later stages hash or compare the bytes in place and writing gives back what was read.
"""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.string cimport memchr, memcpy, memset
from libcpp.string cimport string
from libcpp.vector cimport vector

from common cimport int32_t, uint8_t

import numpy as np

cdef enum:
    COLUMNS = 10
    HEAD = 6
    DEPREL = 7
    MISC = 9

# What is wrong with a sentence; wnparse.treebanks.sentence turns each into a sentence of English.
cpdef enum Flaw:
    NONE = 0
    COLUMN_COUNT = 1    # detail: columns found
    SPACES = 2          # spaces where tabs belong
    BLANKS = 3          # a line of white space only
    WORD_ID = 4         # detail: the id expected
    RANGE_ID = 5        # detail: the id expected of the range's first word
    RANGE_END = 6       # detail: the range's last word, beyond the sentence
    EMPTY_NODE_ID = 7   # detail: the word before it
    HEAD_TEXT = 8       # neither `_` nor an integer
    HEAD_OUTSIDE = 9    # detail: the head
    SELF_LOOP = 10
    NO_ROOT = 11
    CYCLE = 12          # detail: a word on the cycle
    NO_WORDS = 13       # multiword tokens or empty nodes alone
    RANGE_OVERLAP = 14  # detail: the last word of the range that is still open

# What is asked of HEAD, where it is not `_` everywhere.
cpdef enum Trees:
    IGNORED = 0
    WHOLE = 1           # heads of all words must form a tree; those of some need not be part of one
    COMPLETABLE = 2     # heads of some words must be part of a tree

cdef struct Scan:
    int32_t flaw          # a Flaw
    int32_t flaw_line     # line of the flaw, from 0 at the sentence's first line
    int32_t detail        # see Flaw
    int32_t words         # n
    int32_t missing       # words whose HEAD is `_`
    int32_t missing_line  # line of the first of them, -1 if none


cdef inline Py_ssize_t line_end(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Offset of the newline that ends the line at start, or stop."""
    cdef const void* newline = memchr(text + start, 10, stop - start)
    return stop if newline == NULL else <const uint8_t*> newline - text


cdef inline Py_ssize_t trimmed(const uint8_t* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """The end of a line without the carriage return of CRLF."""
    return end - 1 if end > start and text[end - 1] == 13 else end


cdef struct Extent:
    Py_ssize_t end   # one past the sentence's last byte
    int32_t lines    # its lines, blank ones and comments too
    bint closed      # whether a blank line ends it; if not, the text ends first


cdef Extent measure(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Find the blank line that ends the sentence at start; blank lines before its first line are its own."""
    cdef Py_ssize_t pos = start, end
    cdef bint content = False
    cdef Extent extent
    extent.lines = 0
    while pos < stop:
        end = line_end(text, pos, stop)
        extent.lines += 1
        if trimmed(text, pos, end) > pos:
            content = True
        elif end < stop and content:
            extent.end = end + 1
            extent.closed = True
            return extent
        pos = end + 1
    extent.end = stop
    extent.closed = False
    return extent


cdef int32_t integer(const uint8_t* text, Py_ssize_t* pos, Py_ssize_t end) noexcept nogil:
    """A decimal number without sign or leading zeros at pos, which moves behind it; -1 if there is none."""
    cdef Py_ssize_t start = pos[0]
    cdef int32_t value = 0
    while pos[0] < end and 48 <= text[pos[0]] <= 57:
        if pos[0] - start == 9:
            return -1
        value = 10 * value + text[pos[0]] - 48
        pos[0] += 1
    if pos[0] == start or (text[start] == 48 and pos[0] - start > 1):
        return -1
    return value


cdef int32_t split_columns(const uint8_t* text, Py_ssize_t start, Py_ssize_t end,
                           int32_t* row) noexcept nogil:
    """Write where the columns of a line begin, then one past the tab that would follow; return their count."""
    cdef Py_ssize_t pos
    cdef int32_t count = 1
    row[0] = <int32_t> start
    for pos in range(start, end):
        if text[pos] == 9:
            if count < COLUMNS:
                row[count] = <int32_t> pos + 1
            count += 1
    if count == COLUMNS:
        row[COLUMNS] = <int32_t> end + 1
    return count


cdef Flaw column_flaw(const uint8_t* text, Py_ssize_t start, Py_ssize_t end, int32_t count) noexcept nogil:
    """Distinguish a line of blanks, and one with spaces instead of tabs, from a wrong number of columns."""
    cdef Py_ssize_t pos
    cdef bint blanks = True, spaces = False
    for pos in range(start, end):
        spaces = spaces or text[pos] == 32
        blanks = blanks and (text[pos] == 32 or text[pos] == 9)
    if blanks:
        return Flaw.BLANKS
    return Flaw.SPACES if spaces and count == 1 else Flaw.COLUMN_COUNT


cdef struct Cursor:
    int32_t word        # the last word's id
    int32_t empty       # the last empty node's number behind that word
    int32_t range_last  # last word of the last multiword token
    int32_t range_line  # and its line


cdef Flaw check_id(const uint8_t* text, const int32_t* row, int32_t line, Cursor* cursor,
                   int32_t* detail) noexcept nogil:
    """Advance the cursor over an id: word i + 1, range i+1-j, or empty node i.k, in the order of the format."""
    cdef Py_ssize_t pos = row[0], end = row[1] - 1
    cdef int32_t first = integer(text, &pos, end), last
    cdef uint8_t separator = text[pos] if pos < end else 0
    detail[0] = cursor.word + 1
    if first < 0 or (pos < end and separator != 45 and separator != 46):
        return Flaw.WORD_ID
    if pos == end:
        if first != cursor.word + 1:
            return Flaw.WORD_ID
        cursor.word = first
        cursor.empty = 0
        return Flaw.NONE
    pos += 1
    last = integer(text, &pos, end)
    if separator == 46:
        detail[0] = cursor.word
        if first != cursor.word or last != cursor.empty + 1 or pos < end:
            return Flaw.EMPTY_NODE_ID
        cursor.empty = last
        return Flaw.NONE
    if first != cursor.word + 1 or last < first or pos < end:
        return Flaw.RANGE_ID
    if cursor.range_last > cursor.word:
        detail[0] = cursor.range_last
        return Flaw.RANGE_OVERLAP
    cursor.range_last = last
    cursor.range_line = line
    return Flaw.NONE


cdef Flaw read_head(const uint8_t* text, const int32_t* row, int32_t* head) noexcept nogil:
    """Return HEAD as a number, or -1 for `_`; whether the word exists is known only at the end of the sentence."""
    cdef Py_ssize_t pos = row[HEAD], end = row[HEAD + 1] - 1
    if end - pos == 1 and text[pos] == 95:
        head[0] = -1
        return Flaw.NONE
    head[0] = integer(text, &pos, end)
    return Flaw.NONE if head[0] >= 0 and pos == end else Flaw.HEAD_TEXT


cdef void scan_lines(const uint8_t* text, Py_ssize_t pos, Py_ssize_t stop, Trees trees, int32_t* fields,
                     int32_t* heads, int32_t* word_line, Scan* scan) noexcept nogil:
    """Fill fields[i, :], heads[i], word_line[i] for each word i; on a flaw, stop with its line.

    Trees that are IGNORED are not looked at: HEAD may hold anything, and heads[i] is -1.
    """
    cdef Cursor cursor
    cdef Py_ssize_t end, next_line
    cdef int32_t line = -1, count
    cdef int32_t row[COLUMNS + 1]
    cdef bint other_tokens = False
    cursor.word = cursor.empty = cursor.range_last = cursor.range_line = 0
    scan.flaw = Flaw.NONE
    scan.flaw_line = scan.detail = scan.words = scan.missing = 0
    scan.missing_line = -1
    while pos < stop:
        next_line = line_end(text, pos, stop)
        end = trimmed(text, pos, next_line)
        line += 1
        scan.flaw_line = line
        if end == pos or text[pos] == 35:
            pos = next_line + 1
            continue
        count = split_columns(text, pos, end, row)
        if count != COLUMNS:
            scan.detail = count
            scan.flaw = column_flaw(text, pos, end, count)
            return
        count = cursor.word
        scan.flaw = check_id(text, row, line, &cursor, &scan.detail)
        if scan.flaw != Flaw.NONE:
            return
        if cursor.word > count:
            heads[cursor.word] = -1
            if trees != Trees.IGNORED:
                scan.flaw = read_head(text, row, &heads[cursor.word])
            if scan.flaw != Flaw.NONE:
                return
            if heads[cursor.word] < 0:
                scan.missing += 1
                if scan.missing == 1:
                    scan.missing_line = line
            memcpy(fields + cursor.word * (COLUMNS + 1), row, sizeof(row))
            word_line[cursor.word] = line
        else:
            other_tokens = True
        pos = next_line + 1
    scan.words = cursor.word
    if cursor.range_last > cursor.word:
        scan.flaw = Flaw.RANGE_END
        scan.flaw_line = cursor.range_line
        scan.detail = cursor.range_last
    elif cursor.word == 0 and other_tokens:
        scan.flaw = Flaw.NO_WORDS


cdef void check_tree(const int32_t* heads, bint partial, int32_t* mark, const int32_t* word_line,
                     Scan* scan) noexcept nogil:
    """Check heads: all in 0..n, no self-loop. If all heads are given: a root. Then, or if `partial`: no cycle."""
    cdef int32_t n = scan.words, m, v, roots = 0
    for m in range(1, n + 1):
        scan.flaw_line = word_line[m]
        scan.detail = heads[m]
        if heads[m] > n:
            scan.flaw = Flaw.HEAD_OUTSIDE
            return
        if heads[m] == m:
            scan.flaw = Flaw.SELF_LOOP
            return
        roots += heads[m] == 0
        mark[m] = 0
    if not n or (scan.missing and not partial):
        return
    if not roots and not scan.missing:
        scan.flaw = Flaw.NO_ROOT
        scan.flaw_line = word_line[1]
        return
    # mark[v] is the start of the walk that first met v: meeting one's own mark again closes a cycle.
    mark[0] = n + 1
    for m in range(1, n + 1):
        v = m
        while v >= 0 and mark[v] == 0:
            mark[v] = m
            v = heads[v]
        if v > 0 and mark[v] == m:
            scan.flaw = Flaw.CYCLE
            scan.flaw_line = word_line[v]
            scan.detail = v
            return


cdef struct SentenceSpan:
    Py_ssize_t start     # of the sentence in the block
    Py_ssize_t end
    Py_ssize_t row       # of its root in the tables
    int32_t lines
    Scan scan


cdef int scan_text(const uint8_t* text, Py_ssize_t size, Py_ssize_t skip, bint last, Trees trees, int32_t* fields,
                   int32_t* heads, int32_t* word_line, int32_t* mark, vector[SentenceSpan]& spans) except -1 nogil:
    """Scan sentence after sentence into the tables; the rows of a flawed one are used for the next."""
    cdef SentenceSpan span
    cdef Extent extent
    cdef Py_ssize_t row = 0, pos = 0
    while pos < size:
        extent = measure(text + pos, 0, size - pos)
        if not (extent.closed or last):
            break
        memset(fields + row * (COLUMNS + 1), 0, (COLUMNS + 1) * sizeof(int32_t))
        heads[row] = -1
        scan_lines(text + pos, skip if pos == 0 else 0, extent.end, trees, fields + row * (COLUMNS + 1),
                   heads + row, word_line, &span.scan)
        if trees != Trees.IGNORED and span.scan.flaw == Flaw.NONE:
            check_tree(heads + row, trees == Trees.COMPLETABLE, mark, word_line, &span.scan)
        span.start, span.end, span.row, span.lines = pos, pos + extent.end, row, extent.lines
        spans.push_back(span)
        if span.scan.flaw == Flaw.NONE:
            row += span.scan.words + 1
        pos = span.end
    return 0


def scan(bytes block, Py_ssize_t skip, bint last, Trees trees):
    """Scan the sentences of a block, its first ``skip`` bytes (a byte order mark) left out.

    Trees that are IGNORED are not looked at, and all heads are -1.

    Returns
    -------
    list of tuple
        For each sentence that the block holds to its end (the last block ends the last one): its first byte and
        one past its last; its lines; ``fields`` int32[n + 1, 11], where each column of word i begins, from the
        first byte on, and one past the tab that would follow the last (column c is
        ``raw[fields[i, c]:fields[i, c + 1] - 1]``; row 0 is zero); ``heads`` int32[n + 1], -1 for ``_`` and for
        the root; the flaw, its line (from 0) and detail; the line of the first missing head, or -1. On a flaw
        both arrays are None.
    """
    cdef const uint8_t* text = <const uint8_t*> <const char*> block
    cdef Py_ssize_t size = len(block)
    # A word has a line, and the root that of the blank line behind the sentence, which the last one may lack.
    cdef Py_ssize_t rows = block.count(b"\n") + 3
    fields = np.empty((rows, COLUMNS + 1), np.int32)
    heads = np.empty(rows, np.int32)
    cdef int32_t[:, ::1] field_view = fields
    cdef int32_t[::1] head_view = heads
    cdef vector[int32_t] word_line = vector[int32_t](rows), mark = vector[int32_t](rows)
    cdef vector[SentenceSpan] spans
    cdef SentenceSpan span
    cdef list sentences = []
    with nogil:
        scan_text(text, size, skip, last, trees, &field_view[0, 0], &head_view[0], word_line.data(), mark.data(),
                  spans)
    for span in spans:
        rows = span.row + span.scan.words + 1
        if span.scan.flaw == Flaw.NONE:
            sentences.append((span.start, span.end, span.lines, fields[span.row:rows], heads[span.row:rows],
                              0, 0, 0, span.scan.missing_line))
        else:
            sentences.append((span.start, span.end, span.lines, None, None,
                              span.scan.flaw, span.scan.flaw_line, span.scan.detail, -1))
    return sentences


def column(bytes raw, const int32_t[:, ::1] fields, int32_t c):
    """Column c of all words, as a list of str."""
    cdef const char* text = raw
    cdef Py_ssize_t i
    return [text[fields[i, c]:fields[i, c + 1] - 1].decode("utf-8") for i in range(1, fields.shape[0])]


cdef int append_text(string& out, str text) except -1:
    cdef Py_ssize_t size = 0
    cdef const char* utf8 = PyUnicode_AsUTF8AndSize(text, &size)
    out.append(utf8, size)
    return 0


cdef void append_number(string& out, int32_t number) noexcept nogil:
    """Append a number that is not negative."""
    cdef char digits[10]
    cdef int at = 10
    while at == 10 or number > 0:
        at -= 1
        digits[at] = <char> (48 + number % 10)
        number //= 10
    out.append(digits + at, 10 - at)


def splice(bytes raw, const int32_t[:, ::1] fields, const int32_t[::1] heads, list deprels, list miscs=None):
    """The bytes of a sentence with HEAD replaced for each word, and DEPREL and MISC where they are not None.

    Lists are of str, n + 1 each, the first of them unused.
    """
    cdef const char* text = raw
    cdef string out
    cdef Py_ssize_t i, done = 0
    out.reserve(len(raw) + len(raw) // 8)
    for i in range(1, fields.shape[0]):
        out.append(text + done, fields[i, HEAD] - done)
        if heads[i] < 0:
            out.push_back(95)
        else:
            append_number(out, heads[i])
        done = fields[i, DEPREL] - 1
        if deprels is not None:
            out.push_back(9)
            append_text(out, <str?> deprels[i])
            done = fields[i, DEPREL + 1] - 1
        if miscs is not None:
            out.append(text + done, fields[i, MISC] - done)
            append_text(out, <str?> miscs[i])
            done = fields[i, MISC + 1] - 1
    out.append(text + done, len(raw) - done)
    return <bytes> out


def replace_misc(bytes raw, const int32_t[:, ::1] fields, list miscs):
    """The bytes of a sentence with MISC replaced for each word: a list of n + 1 str, the first of them unused."""
    cdef const char* text = raw
    cdef string out
    cdef Py_ssize_t i, done = 0
    for i in range(1, fields.shape[0]):
        out.append(text + done, fields[i, MISC] - done)
        append_text(out, <str?> miscs[i])
        done = fields[i, MISC + 1] - 1
    out.append(text + done, len(raw) - done)
    return <bytes> out
