"""The decoders of the core and their settings, which are checked once and used for many sentences."""
from common cimport int32_t, uint64_t
from decoder_types cimport Decoder, Seeds, chaos_built, decoder_count, decoder_external, decoder_table


def _decoders():
    cdef int32_t i
    return [
        (decoder_table[i].name.decode(), <int> decoder_table[i].decoder, decoder_table[i].structural,
         decoder_table[i].searches, decoder_table[i].ranks)
        for i in range(decoder_count)
    ]


DECODERS = _decoders()  # name, code, structural, searches, ranks: see problem/settings.hpp


CHAOS = chaos_built  # whether the core was built with chaos mode (base/chaos.hpp)

cdef Seeds seeds


def set_chaos(uint64_t seed, bint stops=False):
    """Randomise the internal choices of all searches; 0 ends that. With `stops`, searches may also end early."""
    if seed and not CHAOS:
        raise RuntimeError("the core was built without chaos mode: build it with WNPARSE_CHAOS=1")
    seeds.next.store(seed)
    seeds.stops.store(stops)


cdef class Settings:
    """A decoder with its constraints and options, as numbers; a function where it is written in Python."""

    def __cinit__(self, int decoder, int block_degree, bint well_nested, bint single_root, *, int max_iterations,
                  int max_nodes, double time_limit, bint paper_cuts, bint paper_fixing, bint camerini,
                  bint local_search, function=None):
        if function is None and not 0 <= decoder < decoder_count:
            raise ValueError(f"there is no decoder with the code {decoder}")
        self.kernel.decoder = <Decoder> decoder if function is None else decoder_external
        self.function = function
        self.kernel.constraints.block_degree = block_degree
        self.kernel.constraints.well_nested = well_nested
        self.kernel.constraints.single_root = single_root
        self.kernel.options.max_iterations = max_iterations
        self.kernel.options.max_nodes = max_nodes
        self.kernel.options.time_limit = time_limit
        self.kernel.options.paper_cuts = paper_cuts
        self.kernel.options.paper_fixing = paper_fixing
        self.kernel.options.camerini = camerini
        self.kernel.options.local_search = local_search
        self.kernel.options.seeds = &seeds
        self.searches = function is not None or self.kernel.searches()
