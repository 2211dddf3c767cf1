// Sets of nodes 0..64 W - 1 as bits of W machine words.
//
// W is a compile-time constant: up to 63 words of a sentence a set is one register, and a test of structure a
// few instructions.
#pragma once

#include <cstdint>

namespace wnparse {

inline int32_t lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return static_cast<int32_t>(__builtin_ctzll(word));
#else
    int32_t index = 0;
    while ((word & 1) == 0) {
        word >>= 1;
        ++index;
    }
    return index;
#endif
}

inline int32_t highest_bit(uint64_t word) {
#if defined(__GNUC__)
    return 63 - static_cast<int32_t>(__builtin_clzll(word));
#else
    int32_t index = 0;
    while ((word >>= 1) != 0) ++index;
    return index;
#endif
}

template <int W>
struct BitSet {
    uint64_t word[W];

    void clear() {
        for (int i = 0; i < W; ++i) word[i] = 0;
    }
    static BitSet none() {
        BitSet set;
        set.clear();
        return set;
    }
    static BitSet only(int32_t v) {
        BitSet set = none();
        set.add(v);
        return set;
    }
    // {low, ..., high}; empty if low > high.
    static BitSet range(int32_t low, int32_t high) {
        BitSet set;
        for (int i = 0; i < W; ++i) {
            const int32_t from = low - 64 * i, to = high - 64 * i;
            const uint64_t not_below = from <= 0 ? ~uint64_t{0} : from > 63 ? 0 : ~uint64_t{0} << from;
            const uint64_t not_above = to >= 63 ? ~uint64_t{0} : to < 0 ? 0 : ~uint64_t{0} >> (63 - to);
            set.word[i] = not_below & not_above;
        }
        return set;
    }

    bool has(int32_t v) const { return (word[W == 1 ? 0 : v >> 6] >> (v & 63)) & 1; }
    void add(int32_t v) { word[W == 1 ? 0 : v >> 6] |= uint64_t{1} << (v & 63); }
    void remove(int32_t v) { word[W == 1 ? 0 : v >> 6] &= ~(uint64_t{1} << (v & 63)); }

    bool empty() const {
        uint64_t any = 0;
        for (int i = 0; i < W; ++i) any |= word[i];
        return any == 0;
    }
    bool operator==(const BitSet& other) const {
        uint64_t differs = 0;
        for (int i = 0; i < W; ++i) differs |= word[i] ^ other.word[i];
        return differs == 0;
    }
    bool operator!=(const BitSet& other) const { return !(*this == other); }
    BitSet& operator|=(const BitSet& other) {
        for (int i = 0; i < W; ++i) word[i] |= other.word[i];
        return *this;
    }
    BitSet& operator&=(const BitSet& other) {
        for (int i = 0; i < W; ++i) word[i] &= other.word[i];
        return *this;
    }
    BitSet& operator^=(const BitSet& other) {
        for (int i = 0; i < W; ++i) word[i] ^= other.word[i];
        return *this;
    }
    BitSet operator&(const BitSet& other) const { return BitSet(*this) &= other; }
    BitSet operator|(const BitSet& other) const { return BitSet(*this) |= other; }
    BitSet without(const BitSet& other) const {
        BitSet set;
        for (int i = 0; i < W; ++i) set.word[i] = word[i] & ~other.word[i];
        return set;
    }
    bool meets(const BitSet& other) const {
        uint64_t common = 0;
        for (int i = 0; i < W; ++i) common |= word[i] & other.word[i];
        return common != 0;
    }

    // The first node of every block: those whose predecessor is not in the set.
    BitSet block_starts() const {
        BitSet set;
        uint64_t carry = 0;
        for (int i = 0; i < W; ++i) {
            set.word[i] = word[i] & ~((word[i] << 1) | carry);
            carry = word[i] >> 63;
        }
        return set;
    }
    // Counted by clearing the lowest bit: the numbers asked for are small, and no instruction beyond the
    // oldest machines of the family is needed.
    bool more_than(int32_t count) const {
        if (W == 1 && count == 1) return (word[0] & (word[0] - 1)) != 0;
        for (int i = 0; i < W; ++i) {
            for (uint64_t rest = word[i]; rest != 0; rest &= rest - 1)
                if (count-- == 0) return true;
        }
        return false;
    }
    int32_t size() const {
        int32_t count = 0;
        for (int i = 0; i < W; ++i)
            for (uint64_t rest = word[i]; rest != 0; rest &= rest - 1) ++count;
        return count;
    }
    // Smallest and largest member; the set must not be empty.
    int32_t lowest() const {
        int i = 0;
        while (i < W - 1 && word[i] == 0) ++i;
        return 64 * i + lowest_bit(word[i]);
    }
    int32_t highest() const {
        int i = W - 1;
        while (i > 0 && word[i] == 0) --i;
        return 64 * i + highest_bit(word[i]);
    }
    BitSet hull() const { return range(lowest(), highest()); }

    template <class Visit>
    void each(Visit&& visit) const {
        for (int i = 0; i < W; ++i)
            for (uint64_t rest = word[i]; rest != 0; rest &= rest - 1) visit(64 * i + lowest_bit(rest));
    }
    uint64_t hash() const {
        uint64_t mixed = 0;
        for (int i = 0; i < W; ++i) {
            mixed = (mixed ^ word[i]) * 0x9E3779B97F4A7C15u;
            mixed ^= mixed >> 29;
        }
        return mixed;
    }
};

}  // namespace wnparse
