"""The parts of a parser other than its weights: templates, and tables of candidate labels."""
import numpy as np

from common cimport int32_t, uint64_t
from feature_types cimport PartKind, PartTemplate, Template, TemplateSide, mix, most_atoms, role_count
from frozen_types cimport label_multiple, most_labels
from scorer_types cimport are_lists, label_any_key, label_modifier_key, label_pair_key


cdef void fill_side(TemplateSide* side, const int32_t[::1] row, int at) noexcept nogil:
    """count, morph, then (atom, offset) pairs."""
    cdef int k
    side.count = row[at]
    side.morph = row[at + 1]
    for k in range(side.count):
        side.atom[k] = row[at + 2 + 2 * k]
        side.offset[k] = row[at + 3 + 2 * k]


cdef class LabelCandidates:
    """Which of `count` labels are candidates for which tags; three arrays that are kept alive."""

    def __cinit__(self, keys, begin, labels, int32_t count):
        cdef const uint64_t[::1] key_view = keys
        cdef const int32_t[::1] begin_view = begin
        cdef const int32_t[::1] label_view = labels
        self.keys, self.begin, self.labels = keys, begin, labels
        if not 0 < count <= most_labels:
            raise ValueError(f"{count} labels; expected 1 to {most_labels}")
        if begin_view.shape[0] != key_view.shape[0] + 1 or not are_lists(
                &begin_view[0], key_view.shape[0], &label_view[0], label_view.shape[0], count, 1):
            raise ValueError(f"array label_candidates/labels: expected a list of labels for each of "
                             f"{key_view.shape[0]} keys, ascending within 0..{count - 1}")
        self.table.keys = &key_view[0]
        self.table.begin = &begin_view[0]
        self.table.labels = &label_view[0]
        self.table.count = key_view.shape[0]
        self.count = (count + label_multiple - 1) // label_multiple * label_multiple


cdef Template read_template(const int32_t[::1] row, Py_ssize_t number) noexcept nogil:
    """A template from its row, see wnparse.parser.features.parse_template, and its number."""
    cdef Template template
    cdef int width = 2 + 2 * most_atoms
    fill_side(&template.head, row, 0)
    fill_side(&template.modifier, row, width)
    template.binned = row[2 * width]
    template.between = row[2 * width + 1]
    template.arc = row[2 * width + 2]
    template.label = row[2 * width + 3]
    template.counted = row[2 * width + 4]
    template.agreeing = row[2 * width + 5]
    template.shape = template.find_shape()
    template.head.start = mix(1)
    template.modifier.start = mix(2)
    template.start = mix(<uint64_t> number + 12345)
    return template


cdef class Tables:
    """Templates as int32[t, 26], see wnparse.parser.features.compile_templates for a row; None: without labels.

    Those of parts of higher order are int32[p, 33]: see wnparse.parser.part_features.compile_part_templates.
    """

    def __cinit__(self, const int32_t[:, ::1] templates, LabelCandidates candidates, int order=1,
                  const int32_t[:, ::1] parts=None):
        cdef Py_ssize_t t, count = templates.shape[0]
        self.tables.order = order
        for t in range(count):
            self.tables.add(read_template(templates[t], t))
        for t in range(0 if parts is None else parts.shape[0]):
            self.add_part(parts[t], count + t)
        self.candidates = candidates
        if candidates is not None:
            self.tables.labels = candidates.table
            self.tables.label_count = candidates.count

    cdef int add_part(self, const int32_t[::1] row, Py_ssize_t number) except -1:
        """Kind, whether it is a template of two words, the row of that one, and an attribute of each node."""
        cdef PartTemplate template
        cdef int role, atoms = <int> row.shape[0] - role_count
        if row[1]:
            self.tables.add_pair(<PartKind> row[0], read_template(row[2:atoms], number))
            return 0
        for role in range(role_count):
            template.atom[role] = row[atoms + role]
        template.start = mix(<uint64_t> number + 12345)
        self.tables.add_part(<PartKind> row[0], template)
        return 0


def label_keys(const uint64_t[:, ::1] atoms, const int32_t[::1] heads):
    """Keys of each word's arc in the label table, uint64[n, 3]: pair of tags, modifier's tag, any.

    They are 0 where a word has no head.
    """
    cdef Py_ssize_t m
    cdef uint64_t[:, ::1] keys = np.zeros((heads.shape[0] - 1, 3), np.uint64)
    cdef int32_t h
    for m in range(1, heads.shape[0]):
        h = heads[m]
        if h < 0:
            continue
        keys[m - 1, 0] = label_pair_key(atoms[h, 2], atoms[m, 2], h < m, h == 0)
        keys[m - 1, 1] = label_modifier_key(atoms[m, 2], h == 0)
        keys[m - 1, 2] = label_any_key(h == 0)
    return keys.base
