# Sentences as Python hands them over: scores of arcs, parts and labels, and rules.  Scores of labels are opened in
# place whatever their layout, and copied only where the core does not read their type.
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t
from matrices cimport ScoreMatrix, Views, as_floats, is_float, open_batch
from part_types cimport PartLists, open_parts
from rule_types cimport NodeBits, Rules
from wnparse._core.rules cimport CompiledRules

cdef extern from "problem/label_tensor.hpp" namespace "wnparse" nogil:
    cppclass LabelTensor:
        const void* scores
        int64_t modifier
        int64_t head
        int64_t label
        int32_t count
        cbool wide

    int64_t find_invalid_label "wnparse::find_invalid"(const LabelTensor&, int32_t)

cdef extern from "problem/input.hpp" namespace "wnparse" nogil:
    cppclass Input:
        ScoreMatrix scores
        const PartLists* parts
        const LabelTensor* labels
        const Rules* rules
        NodeBits nodes

cdef extern from *:
    """
    // The sentences of a batch, in place, and what they point to.
    struct wnparse_inputs {
        std::vector<wnparse::Input> all;
        std::vector<wnparse::PartLists> parts;
        std::vector<wnparse::LabelTensor> labels;
        int64_t width;  // nodes of the longest sentence, or of a padded array
    };
    """
    cppclass Inputs "wnparse_inputs":
        vector[Input] all
        vector[PartLists] parts
        vector[LabelTensor] labels
        int64_t width


cdef inline bint open_in_place(object scores, Py_buffer* view) except -1:
    """Open a buffer; False if its scores have to be converted first."""
    cdef int axis
    cdef bint readable
    try:
        PyObject_GetBuffer(scores, view, PyBUF_STRIDES | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        return False
    readable = is_float(view, b"d") or is_float(view, b"f")
    for axis in range(view.ndim):
        readable = readable and view.strides[axis] % view.itemsize == 0
    if not readable:
        PyBuffer_Release(view)
    return readable


cdef inline int open_label_array(object scores, tuple shape, object axes, Views& views, Py_buffer* view) except -1:
    """Open an array of a certain shape."""
    cdef int axis
    if not open_in_place(scores, view):
        open_in_place(as_floats(scores, "labels"), view)
    views.list.push_back(view[0])
    found = tuple([view.shape[axis] for axis in range(view.ndim)])
    if found != shape:
        raise ValueError(f"the scores of labels have the shape {found}; expected {shape}, {axes}")
    return 0


cdef inline LabelTensor labels_at(const Py_buffer* view, int64_t offset) noexcept:
    """The last three axes of a buffer, from some bytes on."""
    cdef LabelTensor labels
    cdef int axes = view.ndim
    labels.scores = <const char*> view.buf + offset
    labels.modifier = view.strides[axes - 3] // view.itemsize
    labels.head = view.strides[axes - 2] // view.itemsize
    labels.label = view.strides[axes - 1] // view.itemsize
    labels.count = <int32_t> view.shape[axes - 1]
    labels.wide = view.format[0] == b"d"
    return labels


cdef inline int open_labels(object scores, int64_t count, int64_t width, const vector[ScoreMatrix]& matrices,
                            Views& views, vector[LabelTensor]& labels) except -1:
    """Open the scores of `count` labels: a padded array [B, width, width, L], or an array for each sentence."""
    cdef Py_buffer view
    cdef int64_t i, nodes, sentences = matrices.size()
    labels.reserve(sentences)
    if getattr(scores, "ndim", 0) == 4:
        open_label_array(scores, (sentences, width, width, count), "(B, N, N, L)", views, &view)
        for i in range(sentences):
            labels.push_back(labels_at(&view, i * view.strides[0]))
        return 0
    if not hasattr(scores, "__len__") or len(scores) != sentences:
        what = f"{len(scores)} sentences" if hasattr(scores, "__len__") else type(scores).__name__
        raise ValueError(
            f"the scores of labels are of {what}; expected an array (B, N, N, L), or {sentences} arrays")
    views.list.reserve(views.list.size() + sentences)
    for i in range(sentences):
        nodes = matrices[i].n + 1
        try:
            open_label_array(scores[i], (nodes, nodes, count), "(n + 1, n + 1, L)", views, &view)
        except ValueError as error:
            raise ValueError(f"batch[{i}]: {error}") from None
        labels.push_back(labels_at(&view, 0))
    return 0


cdef inline int open_inputs(batch, lengths, parts, labels, Views& views, Inputs& inputs) except -1:
    """Open a batch, its parts and labels; all of them must stay as long as the inputs are used."""
    cdef vector[ScoreMatrix] matrices
    cdef CompiledRules rules
    cdef const uint64_t[:, ::1] bits
    cdef int64_t i, count
    inputs.width = open_batch(batch, lengths, views, matrices)
    count = matrices.size()
    inputs.all.resize(count)
    if parts is not None:
        for arrays in parts:
            inputs.parts.push_back(open_parts(arrays))
    if labels is not None:
        names, label_scores, rules, node_bits = labels
        open_labels(label_scores, len(names), inputs.width, matrices, views, inputs.labels)
    for i in range(count):
        inputs.all[i].scores = matrices[i]
        if parts is not None:
            inputs.all[i].parts = &inputs.parts[i]
        if labels is None:
            continue
        inputs.all[i].labels = &inputs.labels[i]
        if rules is not None:
            bits = node_bits[i]
            inputs.all[i].rules = &rules.rules
            inputs.all[i].nodes = NodeBits.of(&bits[0, 0], <int32_t> bits.shape[1], rules.words, rules.features)
    return 0


cdef inline object describe_invalid_labels(const LabelTensor& labels, int32_t n):
    """Describe the first score of a label that is not allowed."""
    cdef int64_t position = find_invalid_label(labels, n)
    if position < 0:
        return "the scores of an arc and its label add up to inf; expected smaller scores"
    cdef int64_t label = position % labels.count, arc = position // labels.count
    cdef int64_t m = arc // (n + 1), h = arc % (n + 1)
    cdef int64_t offset = m * labels.modifier + h * labels.head + label * labels.label
    value = (<const double*> labels.scores)[offset] if labels.wide else (<const float*> labels.scores)[offset]
    return f"labels[{m}, {h}, {label}] is {value}; expected a finite score, or -inf for a forbidden label"
