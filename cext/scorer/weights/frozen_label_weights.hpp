// The weights of labels of a finished model: a sparse matrix with a row for each feature and a column for each
// label. It is a read-only hash table from features to rows, mapped as it is in the model file.
//
// Eight slots make a bucket.  The tags of its features, 16 bits of each key, lie side by side and are compared at
// once; most look-ups end there, with one line of memory.  The place of a feature is one label with its weight, or
// where its row begins: the number of its labels, then these, 4 bytes each, a label and its weight as 16-bit
// integers, in units of the model's scale; or `whole`, then the weight of every label, 2 bytes each.  A full
// bucket keeps the rows with the largest weights.
//
// The table may come from a file of a stranger, and is too large to be checked entry by entry.  Nothing that it
// holds leads out of bounds: a bucket is the first bits of a key; a row begins at most at `last_row_`, behind
// which there is room for the longest; a list of labels is cut at that length; and a label is masked to fewer than
// twice as many as there are.  Whoever keeps sums leaves `slack` more of them behind the last label, so that a
// label that is too large changes the wrong sum and nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/row_kernels.hpp"
#include "base/table_checks.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace wnparse {

class FrozenLabelWeights {
public:
    static constexpr bool constant = true;
    static constexpr int32_t bucket_slots = 8;
    static constexpr uint32_t whole = 0xffffu;  // the length of a row that has every label
    static constexpr int32_t multiple = 8;      // of labels in such a row
    static constexpr int32_t most_labels = 0x7fff;

    // A table without features.
    FrozenLabelWeights() = default;
    // tags[size] and places[size] of 2^bits buckets, entries[entry_count]: see `fits`.  `labels` is a multiple of
    // 8.
    FrozenLabelWeights(const uint16_t* tags, const uint32_t* places, int64_t size, const uint32_t* entries,
                       int64_t entry_count, int32_t labels)
        : tags_(tags),
          places_(places),
          entries_(entries),
          last_row_(static_cast<uint32_t>(entry_count - longest_row(labels))),
          shift_(64 - table_bits(size, bucket_slots)),
          labels_(labels) {
        while (static_cast<int32_t>(mask_) < labels - 1) mask_ = 2 * mask_ + 1;
    }
    // Whether arrays can be such a table: 8 * 2^bits tags, bits >= 1, as many places, and entries behind the last
    // of which at most 2^31 - 1 there is room for one row of all labels.
    static bool fits(int64_t size, int64_t place_count, int64_t entry_count, int32_t labels) {
        return table_bits(size, bucket_slots) > 0 && place_count == size && labels > 0 &&
               labels <= most_labels + 1 && entry_count >= longest_row(labels) && entry_count <= 0x7fffffff;
    }
    // Entries of the longest row: its length, and two labels in each of the others.  What has a quarter of all
    // labels is written as a whole row, so that no list is longer.
    static constexpr int64_t longest_row(int32_t labels) { return 1 + labels / 2; }

    // Sums that there must be behind those of the labels.
    int32_t slack() const { return static_cast<int32_t>(mask_) + 1 - labels_; }

    // The weight of a feature with one label, 0 if there is none.
    int32_t operator()(uint64_t key, int32_t label) const {
        const uint32_t bucket = static_cast<uint32_t>(key >> shift_) * bucket_slots;
        const uint32_t slot = find(bucket, static_cast<uint16_t>(key));
        if (slot == bucket_slots || label >= labels_) return 0;
        const uint32_t place = places_[bucket + slot];
        const auto is_label = [&](uint32_t number) { return static_cast<int32_t>(number & mask_) == label; };
        if (place & 1u) return is_label(place >> 1) ? static_cast<int32_t>(place) >> 16 : 0;
        const uint32_t* row = entries_ + std::min(place >> 1, last_row_);
        const uint32_t size = *row++;
        if (size == whole) {
            int16_t weight;
            std::memcpy(&weight, reinterpret_cast<const char*>(row) + label * sizeof weight, sizeof weight);
            return weight;
        }
        int32_t sum = 0;
        for (uint32_t k = 0; k < std::min(size, static_cast<uint32_t>(labels_) / 2); ++k)
            if (is_label(row[k])) sum += static_cast<int32_t>(row[k]) >> 16;
        return sum;
    }

    // Adds up the rows of many features.  Keys are kept until there are many; then the slots of all are found,
    // then the rows of those that the model has, and then these are added: no branch waits for memory, and what
    // each step has to fetch is asked for a step before, side by side.
    class Adder {
    public:
        explicit Adder(const FrozenLabelWeights& table) : table_(table) {}
        Adder(const Adder&) = delete;
        Adder& operator=(const Adder&) = delete;
        int32_t slack() const { return table_.slack(); }

        // Add the weights of a feature to the sums of all labels, at the next `finish` at the latest.
        void add(uint64_t key, int32_t* sums) {
            const uint32_t bucket = static_cast<uint32_t>(key >> table_.shift_) * bucket_slots;
            WNPARSE_PREFETCH(table_.tags_ + bucket);
            keys_[count_] = static_cast<uint16_t>(key);
            found_[count_] = {bucket, sums};
            if (++count_ == capacity) finish();
        }

        void finish() {
#if WNPARSE_AVX2
            static const bool wide = has_avx2();
            if (wide) return finish_wide();
#endif
            add_all();
        }

    private:
        struct Target {
            uint32_t at;  // a bucket, a slot, a place, or the beginning of a row
            int32_t* sums;
        };
        static constexpr int32_t capacity = 128;

        WNPARSE_INLINE void add_all() {
            int32_t hits = 0, singles = 0, lists = 0;
            for (int32_t k = 0; k < count_; ++k) {
                const Target target = found_[k];
                const uint32_t slot = table_.find(target.at, keys_[k]);
                const bool hit = slot < bucket_slots;
                found_[hits] = {target.at + slot, target.sums};
                WNPARSE_PREFETCH(table_.places_ + (hit ? target.at + slot : 0));
                hits += hit;
            }
            for (int32_t k = 0; k < hits; ++k) {
                const uint32_t place = table_.places_[found_[k].at];
                single_[singles] = {place, found_[k].sums};
                list_[lists] = {std::min(place >> 1, table_.last_row_), found_[k].sums};
                singles += place & 1u;
                lists += ~place & 1u;
            }
            for (int32_t k = 0; k < lists; ++k) {
                WNPARSE_PREFETCH(table_.entries_ + list_[k].at);
                WNPARSE_PREFETCH(table_.entries_ + list_[k].at + 12);  // most rows reach into the next line
            }
            for (int32_t k = 0; k < singles; ++k)
                single_[k].sums[single_[k].at >> 1 & table_.mask_] += static_cast<int32_t>(single_[k].at) >> 16;
            for (int32_t k = 0; k < lists; ++k) table_.add_row(table_.entries_ + list_[k].at, list_[k].sums);
            count_ = 0;
        }
#if WNPARSE_AVX2
        // The same, compiled for wider vectors.
        WNPARSE_TARGET_AVX2 void finish_wide() { add_all(); }
#endif

        const FrozenLabelWeights& table_;
        int32_t count_ = 0;
        std::array<uint16_t, capacity> keys_;
        std::array<Target, capacity + 1> found_, single_, list_;
    };

    static uint32_t place_of(uint32_t begin) { return begin << 1; }
    static uint32_t place_of(int32_t label, int32_t weight) {
        return static_cast<uint32_t>(weight) << 16 | static_cast<uint32_t>(label) << 1 | 1u;
    }
    static uint32_t entry(int32_t label, int32_t weight) {
        return static_cast<uint32_t>(weight) << 16 | static_cast<uint32_t>(label);
    }

    // The slot that a row takes in a table that is being built, and from a weaker one in a full bucket; -1 if it
    // finds none. `sizes` are the largest weights of the rows that have slots, 0 for a free one.
    static int64_t choose(uint16_t* tags, int32_t* sizes, int32_t bits, uint64_t key, int32_t size) {
        const int64_t bucket = static_cast<int64_t>(key >> (64 - bits)) * bucket_slots;
        int64_t slot = bucket;
        for (int64_t i = bucket; i < bucket + bucket_slots; ++i) {
            if (sizes[i] != 0 && tags[i] == static_cast<uint16_t>(key)) {
                slot = i;  // two features with one tag: only one can be told
                break;
            }
            if (sizes[i] < sizes[slot]) slot = i;
        }
        if (size <= sizes[slot]) return -1;
        sizes[slot] = size;
        tags[slot] = static_cast<uint16_t>(key);
        return slot;
    }

private:
    // Where in its bucket the tag stands, bucket_slots if nowhere.  A free slot has tag 0 and place 0, where an
    // empty row is.
    uint32_t find(uint32_t bucket, uint16_t tag) const {
#if defined(__SSE2__)
        const __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags_ + bucket));
        const int equal = _mm_movemask_epi8(_mm_cmpeq_epi16(tags, _mm_set1_epi16(static_cast<int16_t>(tag))));
        return static_cast<uint32_t>(__builtin_ctz(static_cast<uint32_t>(equal) | 0x10000u)) >> 1;
#else
        uint32_t found = bucket_slots;
        for (uint32_t i = bucket_slots; i-- > 0;) found = tags_[bucket + i] == tag ? i : found;
        return found;
#endif
    }

    WNPARSE_INLINE void add_row(const uint32_t* row, int32_t* sums) const {
        const uint32_t size = *row++;
        if (size == whole) {
            const char* weights = reinterpret_cast<const char*>(row);
            for (int32_t label = 0; label < labels_; label += multiple)
                add_eight(weights + label * sizeof(int16_t), sums + label);
        } else {
            const uint32_t count = std::min(size, static_cast<uint32_t>(labels_) / 2);
            for (uint32_t k = 0; k < count; ++k) sums[row[k] & mask_] += static_cast<int32_t>(row[k]) >> 16;
        }
    }

#if defined(__GNUC__)
    WNPARSE_INLINE static void add_eight(const char* weights, int32_t* sums) {
        typedef int16_t Narrow __attribute__((vector_size(16)));
        typedef int32_t Wide __attribute__((vector_size(32)));
        Narrow added;
        Wide sum;
        std::memcpy(&added, weights, sizeof added);
        std::memcpy(&sum, sums, sizeof sum);
        sum += __builtin_convertvector(added, Wide);
        std::memcpy(sums, &sum, sizeof sum);
    }
#else
    static void add_eight(const char* weights, int32_t* sums) {
        int16_t added[multiple];
        std::memcpy(added, weights, sizeof added);
        for (int32_t k = 0; k < multiple; ++k) sums[k] += added[k];
    }
#endif

    static constexpr uint16_t no_tags_[2 * bucket_slots] = {};
    static constexpr uint32_t no_places_[2 * bucket_slots] = {}, no_entries_[1 + multiple / 2] = {};
    const uint16_t* tags_ = no_tags_;      // [buckets][bucket_slots]
    const uint32_t* places_ = no_places_;  // the same
    const uint32_t* entries_ = no_entries_;
    uint32_t last_row_ = 0;         // the last entry that a row may begin at
    uint32_t mask_ = multiple - 1;  // of labels: one less than the power of two that is not below their number
    int32_t shift_ = 63;
    int32_t labels_ = multiple;
};

}  // namespace wnparse
