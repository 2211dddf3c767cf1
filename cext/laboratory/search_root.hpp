// The state of a search for experiments at its root: any length of sentence by three widths of bit sets.
#pragma once

#include <cstdint>
#include <memory>

#include "decoders/search/root.hpp"

namespace wnparse {

// Call use(state) with a new state, wide enough for a sentence of so many words.
template <class Use>
void with_search_state(int32_t words, Use&& use) {
    if (words < 64)
        use(*std::make_unique<SearchState<1>>());
    else if (words < 1024)
        use(*std::make_unique<SearchState<16>>());
    else
        use(*std::make_unique<SearchState<1024>>());
}

}  // namespace wnparse
