"""What the sections of the report say before their tables."""

from __future__ import annotations

from reproduction.findings import CORRO, KOO, MARTINS, RIEDEL
from reproduction.koo2010.measurements import LONGEST_LOOP
from reproduction.laboratory import PUBLISHED_NODES


def _flow(text: str) -> str:
    return " ".join(text.split())


_PUBLISHED = f"""
“As published” is the paper's own search: its cuts, its problem reduction, Camerini's direction, no local search;
its branch-and-bound stops after {PUBLISHED_NODES:,} nodes here.
"""

GLANCE = _flow("""
Test sets, gold tags, labelled first-order models. Constraint: block degree (BBD) and nesting (WN) that cover 99 %
of the training data. Valid: trees that satisfy it, from the plain best arborescence (MSA) and from
branch-and-bound (B&B). Words/s are of user time on one core. Figures of TurboParser 2.3 (first order, labelled),
if there are any, are as recorded on these files.
""")

STRUCTURE = _flow(f"""
Table 1 of Corro et al. 2016: percentage of sentences by block degree, well-nested (WN) and ill-nested (IL), in
all files of a treebank; and the tightest constraint that covers 99 % of its training data (BBD: bounded block
degree). All decoders below are held to it, and to a single root if all training trees have one.
{CORRO["erratum"]}
""")

TIMES = _flow(f"""
Table 2 of Corro et al. 2016: only test sentences whose best arborescence is invalid, on the trained model's own
scores. Times are of the kernel alone, one thread, each sentence's least of several passes; the paper's are of
another machine. Certified: the tree is proved to be the best valid one among the arcs that the parser's first
pass leaves. {_PUBLISHED}
""")

DECODERS = _flow("""
Table 3 of Corro et al. 2016: the labelled parser on the test sets, gold tags, all tokens; LAS compares whole
labels. Valid: block degree and nesting as the treebank's constraint has them. Times are relative to MSA: of the
decoding kernel alone, and of the whole parse with features and labels, in caches that are warm; of each sentence
the least of several passes counts. The paper's parser is unlabelled.
""")

OPTIMALITY = _flow(f"""
Figure 2 of Corro et al. 2016: the part of the sentences of Table 2 for which the relaxation has the best valid
tree after so many iterations, and for which it has proved that; the best tree is branch-and-bound's.
{_PUBLISHED}
""")

REDUCTION = _flow("""
Section 7.2 of Corro et al. 2016: arcs that are proved useless at the root of the search, mean over the
sentences that the root does not settle. Our parser's first pass drops most arcs before any search; the paper's
has no such pass, so that its figure stands beside the share of all arcs.
""")

LEARNERS = _flow("""
Table 1 of Zong 2012: unlabelled accuracy (UAS) and complete sentences by learner and iterations.
""")

INCREMENTAL = _flow("""
Riedel & Clarke 2006, Algorithm 1, by cross-validation on the training data: labelled parsers of first order,
learned by single-best MIRA, all arcs and labels scored. The integer program (HiGHS here, lp_solve in the paper)
begins with one head a word and the rules that count; cycles and other rules that its tree violates are added, and
it is solved again from scratch. Rules are those that the other folds keep, and a single root if these have one;
ilp and B&B find the best tree of the same problem. Where no tree keeps all rules, that without rules counts. LAC
and UAC: labelled and unlabelled accuracy of all words; LC and UC: sentences without an error.
""")

INCREMENTAL_TIMES = _flow("""
Seconds of CPU time, one pass, without features; those of the loop and of ilp, which are written in Python, include
the writing of the program. The paper's machine is another.
""")

NARROW = _flow(f"""
Section 5.3 of Riedel & Clarke 2006: of each word only the q labelled arcs with the highest scores are left.
{RIEDEL["table3"]["erratum"]}
""")

ORDERS = _flow("""
Table 1 of Koo et al. 2010: labelled parsers of arcs alone (MST), with siblings (Sib), with siblings and
grandparents (G+S), and with grand-siblings and tri-siblings too (order 3). Without a constraint the relaxation
alone decodes, as in the paper, each word having a head that the pruner leaves; then trees are held to the
treebank's constraint, by the relaxation (LR) and by branch-and-bound (B&B). Certified: the tree is proved to be
the best one among these heads. Milliseconds are of decoding, one thread, each sentence's least of several
passes; training is user time for a sentence and an epoch, the pruner and the development set included. Automata
of Sib choose a parent too, whose score is 0, so that its relaxation is at least as tight as the paper's, and
costs more. The paper's machines are others.
""")

PROJECTIVE = _flow("""
Table 3 of Koo et al. 2010: the same models with Eisner's algorithm in place of the arborescence, and so
projective trees alone, beside the relaxation of all trees. The paper's figures are of validation sets.
""")

ALONE = _flow("""
Section 7.6 of Koo et al. 2010: the children that each head's automaton likes best if nothing holds it to a tree,
so that a word may have no head or several. The paper's models are trained for that, ours by trees: their scores
tell the heads of a word apart, and a constant on all of them means nothing. Balanced scores are those relative to
the middle between the word's two best arcs.
""")

RECOMPUTED = _flow(f"""
Figure 3 of Koo et al. 2010: an automaton is run again only if multipliers of its arcs have changed. Mean share
of the automata of a sentence that an iteration of the first loop runs, over the sentences that get so far; each
column goes from the one before to its own number of iterations. The paper's curves go over {LONGEST_LOOP:,}
iterations and are not told in numbers; its axis ends at {KOO["figure3"]}. Our loop ends where the bound stalls, so
that only hard sentences are left in later columns; and every other iteration fixes arcs to zero that cannot be
part of a better tree, which changes automata too.
""")

LIMITS = _flow(f"""
Figure 4 of Koo et al. 2010: accuracy, certificates and trees that are those of K = {LONGEST_LOOP:,}, if the
relaxation without constraints ends after K iterations. Our relaxation goes on to fix single arcs where its loop
ends without a certificate, for at most as many iterations at a time.
""")

VALID = _flow("""
Table 4 of Corro et al. 2016: the share of valid trees of parsers that are held to no constraint, by their order,
and the time of the whole parse relative to the first order. The paper's are TurboParser's, unlabelled.
""")

TRAINING_DECODERS = _flow(f"""
Section 7.3 of Corro et al. 2016: parsers of first order by the decoder that finds the trees of training. The
paper tells no figures: “{CORRO["training"]}”
""")

LADDER = _flow(f"""
Table 1 of Martins et al. 2009: its programs on HiGHS, with parsers that are learned from few and short
sentences, as the rows of the treebanks say; the paper's have all sentences, 10 heads a word and 10 epochs.
Passive-aggressive learning with relaxed inference, C = 1, features after the paper's, tags of the files. Exact:
the integer program; relaxed: the linear one, its point projected to a tree. Whole: points of the linear program
whose arcs are whole, as the paper counts; and whose valencies are too, which proves the tree. Milliseconds are
CPU time for writing and solving a program; the paper's relaxed parsers take {MARTINS["seconds"]} s on average.
Proved: integer programs that ended within their limit of time; elsewhere the tree of the relaxation counts.
""")

RELAXATIONS = _flow("""
Table 2 of Koo et al. 2010: the same problems by the linear programs of Martins et al. 2009, with one commodity,
LP(S), and with several, LP(M), their points projected to trees; by the integer program; by our relaxation with
at most K iterations (DD-K), whose loop ends where its bound stalls, mostly long before 5,000, and which then
fixes single arcs, so that more iterations need not prove more; by branch-and-bound; and by the decoder `ilp`.
Trees have one root if the model's have, arcs are pruned. Integral: whole points, or certificates; of integer
programs, those that ended within their limit of time. Refuted: sentences whose tree is certified although
another way found a better one, by the same scores: the certificate is wrong. Milliseconds of programs are CPU
time for writing and solving them; of our searches those of decoding, the least of several passes. Random:
problems of ten words with normal scores on the steps of automata, and on grandparents for G+S; only the first
few go to the integer program. The paper does not say how its scores were drawn, nor how its programs write the
end of a chain, which Martins et al. do not have: here as they write first children.
""")

PEERS = _flow("""
Our parser with its default decoder beside others on the same files. WN, ≤ k blocks: trees that are well-nested
with block degree at most k; where the treebank's own constraint is wider, our trees need not be. Rows marked
recorded were measured before on a machine of the same class; speed excludes loading and includes reading and
writing for all. Our speed is the best of several passes, that of all others is of one.
""")

LENGTHS = _flow("""
All test sentences with the scores of their parsers, in bins of length; kernel alone, one thread, each
sentence's least of several passes.
""")

TRAINING = _flow("""
User time of `wnparse train --only parser` for one epoch without a development set, on the first eighth, quarter,
half and all of the training data; start-up, reading and the learning of the first pass are included.
""")

JOBS = _flow("""
Words a second of the clock, file to file, with the labelled parser. Jobs are threads; what else the machine
does at the same time slows them: load is its average number of busy processes in the minute before.
""")
