"""Structure of dependency trees: blocks, nesting, projectivity; O(n + blocks) where definitions suggest O(n^2).

Definitions: Corro, Le Roux, Lacroix, Rozenknop & Wolfler Calvo 2016, section 3 (block degree, well-nestedness);
Kuhlmann & Nivre 2006, *Mildly Non-Projective Dependency Structures*, section 3 (gap degree, edge degree).
Moehl 2006 and Havelka 2007 detect violations in O(n^2); here blocks are counted where they begin.

A tree is ``heads`` int32[n + 1] with heads[0] == -1. Vertex h dominates v if h is v or an ancestor of v.
"""
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from common cimport int32_t

import numpy as np

cdef struct Tree:
    int32_t n
    const int32_t* heads   # [n + 1]
    int32_t* rank          # [n + 1] position in preorder
    int32_t* last          # [n + 1] one past the rank of the last vertex of the yield
    int32_t* blocks        # [n + 1] block degree of each vertex
    int32_t* memory        # everything above but heads, then three scratch arrays
    int32_t* scratch       # [3][n + 1]

cdef struct Pair:
    int32_t first
    int32_t second


cdef inline bint dominates(const Tree* tree, int32_t h, int32_t v) noexcept nogil:
    return tree.rank[h] <= tree.rank[v] < tree.last[h]


cdef bint number_vertices(Tree* tree) noexcept nogil:
    """Fill rank and last by a depth-first walk; False if heads do not form a tree with root 0."""
    cdef int32_t n = tree.n, v, h, count = 0, top = 0
    cdef int32_t* first = tree.scratch
    cdef int32_t* sibling = tree.scratch + (n + 1)
    cdef int32_t* stack = tree.scratch + 2 * (n + 1)
    if tree.heads[0] != -1:
        return False
    memset(first, 0, (n + 1) * sizeof(int32_t))
    for v in range(n, 0, -1):
        h = tree.heads[v]
        if h < 0 or h > n:
            return False
        sibling[v] = first[h]
        first[h] = v
    stack[0] = 0
    while top >= 0:
        v = stack[top]
        top -= 1
        tree.rank[v] = count
        count += 1
        # The sibling waits below the first child, so a subtree is finished before the next one begins.
        if v != 0 and sibling[v]:
            top += 1
            stack[top] = sibling[v]
        if first[v]:
            top += 1
            stack[top] = first[v]
    if count != n + 1:
        return False  # a cycle is never reached from 0
    for v in range(n + 1):
        stack[tree.rank[v]] = v
        tree.last[v] = tree.rank[v] + 1
    for count in range(n, 0, -1):
        v = stack[count]
        h = tree.heads[v]
        if tree.last[h] < tree.last[v]:
            tree.last[h] = tree.last[v]
    return True


cdef void count_blocks(Tree* tree) noexcept nogil:
    """Word w begins a block of v iff v dominates w but not w - 1: the ancestors of w below the first common one.

    Each step of the climb counts one block, so that the whole costs O(n + blocks).
    """
    cdef int32_t w, v
    memset(tree.blocks, 0, (tree.n + 1) * sizeof(int32_t))
    tree.blocks[0] = 1
    for w in range(1, tree.n + 1):
        v = w
        while not dominates(tree, v, w - 1):
            tree.blocks[v] += 1
            v = tree.heads[v]


cdef Pair interleaving(Tree* tree) noexcept nogil:
    """Two siblings whose yields interleave, or (-1, -1); O(n + blocks).

    If the yields of u and v interleave, so do those of the children of their lowest common ancestor that
    dominate them: siblings suffice. Among the children of one head, blocks open and close like brackets
    unless two of them interleave; only children with a gap matter. One linked stack per head holds the
    children begun, the latest on top.
    """
    cdef int32_t w, v, h, upper
    cdef int32_t* top = tree.scratch
    cdef int32_t* below = tree.scratch + (tree.n + 1)
    cdef int32_t* remaining = tree.scratch + 2 * (tree.n + 1)  # blocks of v still to come
    cdef Pair pair
    memset(top, 0, (tree.n + 1) * sizeof(int32_t))
    for v in range(tree.n + 1):
        remaining[v] = tree.blocks[v]
    for w in range(1, tree.n + 1):
        v = w
        while not dominates(tree, v, w - 1):
            h = tree.heads[v]
            if tree.blocks[v] > 1:
                if remaining[v] == tree.blocks[v]:
                    below[v] = top[h]
                    top[h] = v
                while top[h] != v:
                    upper = top[h]
                    if remaining[upper]:
                        pair.first, pair.second = v, upper
                        return pair
                    top[h] = below[upper]
                remaining[v] -= 1
            v = h
    pair.first = pair.second = -1
    return pair


cdef int32_t arc_degree(const Tree* tree, int32_t m) noexcept nogil:
    """Edge degree of the arc into m: components strictly inside its span that its head does not dominate.

    The top of a component is a word whose head lies outside the open span.
    """
    cdef int32_t h = tree.heads[m], b, degree = 0
    cdef int32_t low = min(h, m), high = max(h, m)
    if tree.blocks[h] == 1:
        return 0  # the span lies within the one block of h
    for b in range(low + 1, high):
        if (tree.heads[b] <= low or tree.heads[b] >= high) and not dominates(tree, h, b):
            degree += 1
    return degree


cdef int build(Tree* tree, const int32_t[::1] heads) except -1:
    """Allocate and fill a tree; the caller frees tree.memory."""
    cdef Py_ssize_t size = heads.shape[0]
    tree.memory = NULL
    if size == 0:
        raise ValueError("no heads; expected heads[0] == -1 and one head for each word")
    tree.n = <int32_t> size - 1
    tree.heads = &heads[0]
    tree.memory = <int32_t*> malloc(6 * size * sizeof(int32_t))
    if tree.memory == NULL:
        raise MemoryError
    tree.rank = tree.memory
    tree.last = tree.memory + size
    tree.blocks = tree.memory + 2 * size
    tree.scratch = tree.memory + 3 * size
    cdef bint valid
    with nogil:
        valid = number_vertices(tree)
        if valid:
            count_blocks(tree)
    if not valid:
        free(tree.memory)
        tree.memory = NULL
        raise ValueError(
            "heads do not form a tree; expected heads[0] == -1 and heads in 0..n without a cycle")
    return 0


def block_degrees(const int32_t[::1] heads):
    """Block degree of each vertex, int32[n + 1]."""
    cdef Tree tree
    cdef Py_ssize_t v
    build(&tree, heads)
    cdef int32_t[::1] result = np.empty(heads.shape[0], np.int32)
    for v in range(heads.shape[0]):
        result[v] = tree.blocks[v]
    free(tree.memory)
    return result.base


def edge_degrees(const int32_t[::1] heads):
    """Edge degree of the arc into each word, int32[n + 1]; 0 at the root. An arc is projective iff it is 0."""
    cdef Tree tree
    cdef int32_t m
    build(&tree, heads)
    cdef int32_t[::1] result = np.zeros(heads.shape[0], np.int32)
    for m in range(1, tree.n + 1):
        result[m] = arc_degree(&tree, m)
    free(tree.memory)
    return result.base


def interleaving_pair(const int32_t[::1] heads):
    """Two siblings whose yields interleave, as (v, w), or None."""
    cdef Tree tree
    cdef Pair pair
    build(&tree, heads)
    with nogil:
        pair = interleaving(&tree)
        free(tree.memory)
    return None if pair.first < 0 else (pair.first, pair.second)


def measure(const int32_t[::1] heads):
    """Structural properties of a tree.

    Returns
    -------
    tuple of (block degree, well-nested, edge degree, non-projective arcs, roots)
    """
    cdef Tree tree
    cdef Pair pair
    cdef int32_t v, degree, block_degree = 1, edge_degree = 0, crossed = 0, roots = 0
    build(&tree, heads)
    with nogil:
        pair.first = -1
        for v in range(1, tree.n + 1):
            block_degree = max(block_degree, tree.blocks[v])
            roots += heads[v] == 0
        if block_degree > 1:  # contiguous yields neither interleave nor leave a word uncovered
            pair = interleaving(&tree)
            for v in range(1, tree.n + 1):
                degree = arc_degree(&tree, v)
                edge_degree = max(edge_degree, degree)
                crossed += degree > 0
        free(tree.memory)
    return block_degree, pair.first < 0, edge_degree, crossed, roots
