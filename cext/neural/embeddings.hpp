// The first layer of a network: for each word the sums of the embeddings of its inputs, one input behind the
// other.
//
// Embeddings are rows of 8-bit integers, each in units of a scale of its own.  One table says which row belongs to
// a key; the rows of an input follow those of the one before, and its first row is for words of which no key is
// known.  All of it may come from a file of a stranger: a row of another input counts as unknown.
#pragma once

#include <cstddef>
#include <cstdint>

#include "neural/word_keys.hpp"
#include "tagger/lookup_table.hpp"

namespace wnparse {

struct Embeddings {
    LookupTable rows;                           // by key, over all inputs
    const int8_t* values = nullptr;             // of all rows
    const float* scales = nullptr;              // [rows]
    int32_t first_row[input_count + 1] = {};    // of each input; at least one row, or none and no dimension
    int64_t first_value[input_count + 1] = {};  // of its rows
    int32_t dimensions[input_count] = {};

    int32_t width() const {
        int32_t sum = 0;
        for (const int32_t dimension : dimensions) sum += dimension;
        return sum;
    }

    // sums[n + 1][width]
    void look_up(const WordKeys& words, float* sums) const {
        const auto cells = static_cast<int32_t>(words.begin.size()) - 1;
        for (int32_t cell = 0; cell < cells; ++cell) {
            const int32_t input = cell % input_count, dimension = dimensions[input];
            if (dimension == 0) continue;
            for (int32_t d = 0; d < dimension; ++d) sums[d] = 0.0f;
            bool known = false;
            for (int32_t k = words.begin[cell]; k < words.begin[cell + 1]; ++k) {
                const int32_t row = rows[words.keys[k]];
                if (row <= first_row[input] || row >= first_row[input + 1]) continue;
                add(input, row, sums);
                known = true;
            }
            if (!known) add(input, first_row[input], sums);
            sums += dimension;
        }
    }

private:
    void add(int32_t input, int32_t row, float* sums) const {
        const int32_t dimension = dimensions[input];
        const int8_t* from =
            values + first_value[input] + static_cast<int64_t>(row - first_row[input]) * dimension;
        const float scale = scales[row];
        for (int32_t d = 0; d < dimension; ++d) sums[d] += scale * static_cast<float>(from[d]);
    }
};

}  // namespace wnparse
