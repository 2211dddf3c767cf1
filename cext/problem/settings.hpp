// What a decoder can be told: which one, the trees that are valid, and how far to go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/chaos.hpp"
#include "base/stop.hpp"

namespace wnparse {

struct Constraints {
    int32_t block_degree;  // largest number of blocks of a yield; 0: unbounded
    bool well_nested;      // no two disjoint yields interleave
    bool single_root;      // exactly one word is attached to node 0

    bool projective() const { return block_degree == 1; }
    bool structural() const { return block_degree > 0 || well_nested; }
};

struct Problem;
struct Options;
struct Result;

// A decoder that lives outside of the core: it writes heads, and answers.
struct External {
    Result (*run)(void* context, const Problem& problem, const Options& options, int32_t* heads) = nullptr;
    void* context = nullptr;
};

struct Options {
    int32_t max_iterations;  // subgradient iterations of one relaxation
    int32_t max_nodes;       // search nodes; see `limited`
    double time_limit;       // seconds; 0: none
    bool paper_cuts;         // cuts (4), (5) of the paper instead of the stronger ones
    bool paper_fixing;       // problem reduction 6.2, 6.3 of the paper instead of reduced costs
    bool camerini;           // Camerini's direction instead of the plain subgradient
    bool local_search;       // one-arc moves from every valid or repaired tree
    Stop stop{};             // ends early with an honest bound
    // For subspaces of a ranking (kbest_search.hpp); a single tree is found without them.
    double cutoff = -std::numeric_limits<double>::infinity();    // trees that score no more are not looked for
    const int32_t* known = nullptr;                              // [n + 1] a valid tree to begin with
    int32_t first_turns = 1;                                     // of the search for a first valid tree
    int32_t broken_nodes = std::numeric_limits<int32_t>::max();  // search nodes while no tree keeps all hard rules
    External external{};                                         // the decoder, if it is none of the core
    chaos::Seeds* seeds = nullptr;                               // of chaos mode

    bool stopped() const { return stop.stopped(); }

    // With what is left of the time after so many seconds; at the very end there is time for what needs none.
    Options after(double seconds) const {
        Options result = *this;
        if (time_limit > 0.0) result.time_limit = std::max(time_limit - seconds, 1e-6);
        return result;
    }

    // For a sentence: a node costs with the square of its words, and a turn of the search for a first valid tree
    // as much as some nodes.  The limit counts nodes of sentences of up to 31 words; longer ones have as many as
    // take the same time, and nodes with parts of order 2 count as ten, of order 3 as a hundred.  The deadline
    // counts from now on.
    Options limited(int32_t words, int32_t order) const {
        constexpr int64_t usual_square = 1000, turn_nodes = 300;
        const int64_t cost = order == 1 || chaos::on() ? 1 : order == 2 ? 10 : 100;
        Options result = *this;
        const int64_t square = std::max<int64_t>(1, int64_t{words} * words);
        const int64_t usual = max_nodes * usual_square / square;
        const int64_t most = std::numeric_limits<int32_t>::max();
        const int64_t nodes = std::min<int64_t>(max_nodes, usual) / cost;
        result.max_nodes = static_cast<int32_t>(std::max<int64_t>(1, nodes));
        result.first_turns = static_cast<int32_t>(std::max<int64_t>(1, std::min(most, usual / turn_nodes)));
        result.stop = stop.within(time_limit);
        return result;
    }
};

enum class Decoder : int32_t { msa, eisner, msa_eisner, lr, bnb, external };

// The decoders of the core by name, and what each can do: the one table, from which Python makes its own. What
// is external has a name in Python alone.
struct DecoderEntry {
    Decoder decoder;
    const char* name;
    bool structural;  // its trees can be held to a block degree and to well-nestedness
    bool searches;    // it iterates, and so has limits and variants
    bool ranks;       // it finds the k best trees
};

constexpr DecoderEntry decoder_table[] = {
    {Decoder::msa, "msa", false, false, true},
    {Decoder::eisner, "eisner", true, false, true},
    {Decoder::msa_eisner, "msa-eisner", true, false, false},
    {Decoder::lr, "lr", true, true, false},
    {Decoder::bnb, "bnb", true, true, true},
};
constexpr int32_t decoder_count = sizeof(decoder_table) / sizeof(decoder_table[0]);

struct Settings {
    Decoder decoder;
    Constraints constraints;
    Options options;

    // Whether a search may be needed: a relaxation of nothing is the arborescence, and trees of block degree 1 are
    // Eisner's.
    bool searches() const {
        for (const DecoderEntry& entry : decoder_table)
            if (entry.decoder == decoder && !entry.searches) return false;
        return constraints.structural() && !constraints.projective();
    }
};

}  // namespace wnparse
