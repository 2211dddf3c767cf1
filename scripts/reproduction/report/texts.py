"""What the sections of the report say before their tables."""

from __future__ import annotations

from reproduction.findings import CORRO, KOO, MARTINS, RIEDEL
from reproduction.koo2010.measurements import LONGEST_LOOP
from reproduction.laboratory import PUBLISHED_NODES


def _flow(text: str) -> str:
    return " ".join(text.split())


_PUBLISHED = f"""
“As published” is the search of the paper: its cuts, its problem reduction, the modified subgradient direction of
Camerini et al. and no local search. Its branch-and-bound is limited to {PUBLISHED_NODES:,} nodes here.
"""

ABBREVIATIONS = _flow("""
Abbreviations: MSA is the best arborescence, without constraints. Eisner is the best projective tree. LR is the
Lagrangian relaxation. B&B is branch-and-bound, the default decoder. k-BBD means that the block degree is at
most k, and WN that the tree is well-nested.
""")

GLANCE = _flow("""
Test sets, gold tags, labelled first-order models. The constraint is the tightest bound on block degree (BBD)
and nesting (WN) that covers 99 % of the training trees. A tree is valid if it satisfies the constraint. Words/s
are measured in user time on one core. The figures of TurboParser 2.3 (first order, labelled), where there are
any, were recorded earlier on the same files.
""")

STRUCTURE = _flow(f"""
Table 1 of Corro et al. 2016: percentage of sentences by block degree, well-nested (WN) and ill-nested (IL),
over all files of a treebank. The last column is the tightest constraint that covers 99 % of the training trees.
All decoders below satisfy it, and also return a single root if the model requires one. {CORRO["erratum"]}
""")

TIMES = _flow(f"""
Table 2 of Corro et al. 2016: decoding time on the test sentences whose best arborescence is invalid, with the
scores of the trained model. Only these sentences need a search. The time is that of the decoder alone, on one
thread; the fastest of several passes counts for each sentence. The paper used another machine. Certified means
that the tree is proved to be the best valid tree among the arcs that the first pass of the parser keeps.
{_PUBLISHED}
""")

DECODERS = _flow("""
Table 3 of Corro et al. 2016: the labelled parser on the test sets, with gold tags and all tokens. LAS compares
whole labels. Times are relative to MSA. Decoding time is that of the decoder alone. The time of the whole parse
includes features and labels, with warm caches; the fastest of several passes counts for each sentence. The
parser of the paper is unlabelled.
""")

OPTIMALITY = _flow(f"""
Figure 2 of Corro et al. 2016: percentage of the sentences of Table 2 for which the relaxation has found the
best valid tree after a number of iterations, and for which it has also proved it. The best tree is the one that
branch-and-bound finds. {_PUBLISHED}
""")

REDUCTION = _flow("""
Section 7.2 of Corro et al. 2016: percentage of the arcs that are proved useless at the root of the search, as a
mean over the sentences that are not solved at the root. The first pass of wnparse drops most arcs before the
search. The parser of the paper has no such pass, so compare its figure with the percentage of all arcs (last
column).
""")

LEARNERS = _flow("""
Table 1 of Zong 2012: unlabelled accuracy (UAS) and percentage of completely correct sentences, by learner and
number of iterations, on the test set.
""")

INCREMENTAL = _flow("""
Algorithm 1 of Riedel & Clarke 2006, by cross-validation on the training data. The parsers are labelled
first-order models, trained with single-best MIRA; all arcs and labels are scored. The integer program (HiGHS
here, lp_solve in the paper) starts with one head per word and the rules that count. Cycles and other rules that
its tree violates are added, and it is solved again from scratch. The rules are those that the other folds
satisfy, with a single root if the other folds have one. `ilp` and B&B solve the same problem. If no tree
satisfies all rules, the tree without rules is counted. LAC and UAC are labelled and unlabelled accuracy over
all words. LC and UC are the percentages of sentences without an error.
""")

INCREMENTAL_TIMES = _flow("""
CPU time of one pass, without features. The incremental loop and `ilp` are written in Python; their time
includes building the program. The paper used another machine.
""")

NARROW = _flow(f"""
Section 5.3 of Riedel & Clarke 2006: only the q labelled arcs with the highest scores are kept for each word.
{RIEDEL["table3"]["erratum"]}
""")

ORDERS = _flow("""
Table 1 of Koo et al. 2010: labelled parsers with arcs only (MST), with siblings (Sib), with siblings and
grandparents (G+S), and with grand-siblings and tri-siblings as well (order 3). The first columns are without a
constraint: the relaxation decodes alone, as in the paper, over the heads that the pruner keeps. The other
columns have the constraint of the treebank and use the relaxation (LR) or branch-and-bound (B&B). Certified
means that the tree is proved to be the best one among these heads. Milliseconds are decoding time on one
thread; the fastest of several passes counts for each sentence. Training time is user time per sentence and
epoch, including the pruner and the development set. The automata of Sib also choose a parent, with score 0. The
relaxation is therefore at least as tight as that of the paper, but it costs more. The paper used other
machines.
""")

PROJECTIVE = _flow("""
Table 3 of Koo et al. 2010: the same models with Eisner's algorithm instead of the arborescence, which gives
projective trees only (P-), compared with the relaxation over all trees. The figures of the paper are from
validation sets.
""")

ALONE = _flow("""
Section 7.6 of Koo et al. 2010: the children that the automaton of each head prefers if no tree is required, so
that a word may have no head or several. The models of the paper are trained for this task. Ours are trained on
trees: their scores compare the heads of one word, so adding a constant to all of them changes nothing. Balanced
scores are relative to the midpoint between the two best arcs of the word.
""")

RECOMPUTED = _flow(f"""
Figure 3 of Koo et al. 2010: an automaton is run again only if multipliers of its arcs have changed. The table
has the mean percentage of the automata of a sentence that are run in an iteration of the first loop, over the
sentences that reach this iteration. Each column covers the iterations after the previous column up to its own
number. The curves of the paper cover {LONGEST_LOOP:,} iterations and are not given in numbers; its axis ends at
{KOO["figure3"]}. Our loop stops when the bound no longer improves, so later columns contain only hard
sentences. Every second iteration also fixes to zero the arcs that cannot be part of a better tree, which
changes automata as well.
""")

LIMITS = _flow(f"""
Figure 4 of Koo et al. 2010: accuracy, certificates, and agreement with the trees of K = {LONGEST_LOOP:,}, if
the relaxation without constraints is stopped after K iterations. If our loop ends without a certificate, the
relaxation continues by fixing single arcs, each time for at most K iterations.
""")

VALID = _flow("""
Table 4 of Corro et al. 2016: percentage of valid trees of parsers without a constraint, by order, and the time
of the whole parse relative to first order. The figures of the paper are those of TurboParser, unlabelled.
""")

TRAINING_DECODERS = _flow(f"""
Section 7.3 of Corro et al. 2016: first-order parsers, by the decoder that is used in training. The paper gives
no figures: “{CORRO["training"]}”
""")

LADDER = _flow(f"""
Table 1 of Martins et al. 2009: its programs, solved with HiGHS. The parsers are trained on few and short
sentences (see the rows of the treebanks). Those of the paper are trained on all sentences, with 10 heads per
word and 10 epochs. Training is passive-aggressive with relaxed inference and C = 1; the features follow the
paper, and the tags are those of the files. Exact is the integer program. Relaxed is the linear program, with
its solution projected to a tree. Arcs whole: linear solutions in which all arcs are integral, as the paper
counts. All whole: valencies are integral as well, which proves the tree. Milliseconds are CPU time for building
and solving a program; the relaxed parsers of the paper take {MARTINS["seconds"]} s on average. Proved: integer
programs that ended within their time limit; otherwise the tree of the relaxation is counted.
""")

RELAXATIONS = _flow("""
Table 2 of Koo et al. 2010: the same problems solved in several ways. LP(S) and LP(M) are the linear programs of
Martins et al. 2009 with one and with several commodities; their solutions are projected to trees. ILP is the
integer program. DD-K is our relaxation with at most K iterations. Its loop stops when the bound no longer
improves, mostly long before 5,000 iterations, and the relaxation then fixes single arcs; more iterations
therefore need not prove more. The other rows are branch-and-bound and the decoder `ilp`. Trees have one root if
those of the model do, and arcs are pruned. Integral: integral solutions, or certificates; for integer programs,
those that ended within their time limit. Refuted: sentences with a certified tree for which another method
found a better one by the same scores, so that the certificate is wrong. Milliseconds of programs are CPU time
for building and solving them; those of our searches are decoding time, the fastest of several passes. Random:
problems of ten words with normally distributed scores on the steps of automata, and on grandparents for G+S;
only the first few are given to the integer program. The paper does not say how its scores were drawn, nor how
its programs describe the end of a chain, which Martins et al. do not have. Here it is written in the same way
as first children.
""")

PEERS = _flow("""
wnparse with its default decoder compared with other parsers on the same files. “WN, ≤ k blocks” is the
percentage of trees that are well-nested with block degree at most k; if the constraint of the treebank is
wider, the trees of wnparse need not satisfy this. Rows marked “recorded” were measured earlier on a machine of
the same class. Speed includes reading and writing but not loading the model, for all parsers. The speed of
wnparse is the best of several passes; that of all others is from one pass.
""")

LENGTHS = _flow("""
All test sentences, with the scores of their parsers, in bins by length. The time is that of the decoder alone,
on one thread; the fastest of several passes counts for each sentence.
""")

TRAINING = _flow("""
User time of `wnparse train --only parser` for one epoch without a development set, on the first eighth,
quarter, half and all of the training data. It includes start-up, reading and training the first pass.
""")

JOBS = _flow("""
Words per second of wall-clock time, from file to file, with the labelled parser. Jobs are threads. Other
programs on the machine make them slower: “load before” is the load average in the minute before the run.
""")
