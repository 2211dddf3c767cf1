// Chaos mode, for tests: the internal choices of a search, drawn at random within their legal range.
//
// A search is exact because of its bounds. How often it iterates, how long its steps are, when it looks for trees
// and fixes arcs to zero, and where it branches decide how long it takes, and nothing else. Chaos mode draws these
// choices, so that a result that depends on one of them is found.
//
// Only builds with WNPARSE_CHAOS or WNPARSE_DEBUG have it. In all others the functions below return the usual
// choice.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(WNPARSE_DEBUG) && !defined(WNPARSE_CHAOS)
#define WNPARSE_CHAOS 1
#endif

namespace wnparse {
namespace chaos {

// The seeds of the next decodings, shared by all threads.
struct Seeds {
    std::atomic<uint64_t> next{0};   // 0: chaos mode is off
    std::atomic<bool> stops{false};  // whether searches may also end early, as if the time were up
};

#if WNPARSE_CHAOS

struct Generator {
    uint64_t state = 0;  // 0: off
    bool stops = false;
    bool stopped = false;  // a search that was stopped stays so

    // SplitMix64 (Steele, Lea and Flood 2014).
    uint64_t draw() {
        state += 0x9E3779B97F4A7C15u;
        uint64_t mixed = state;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }
};

inline Generator& generator() {
    static thread_local Generator own;
    return own;
}

constexpr bool built = true;
inline bool on() { return generator().state != 0; }

// Draws with the next seed for as long as it lives; not at all without one.  A scope within another one, of a
// search that calls searches, changes nothing.
class Scope {
public:
    explicit Scope(Seeds* seeds) : outermost_(!on()) {
        if (!outermost_ || seeds == nullptr || seeds->next == 0) return;
        generator().state = seeds->next.fetch_add(2) | 1;
        generator().stops = seeds->stops;
    }
    ~Scope() {
        if (outermost_) generator() = Generator();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    bool outermost_;
};

// The usual answer, or a coin.
inline bool flip(bool usual) { return on() ? generator().draw() % 2 == 0 : usual; }

// The usual answer, or the other one once in `every` times.
inline bool seldom(bool usual, uint64_t every) { return on() && generator().draw() % every == 0 ? !usual : usual; }

// The usual count, or one from `least` to it.
inline int32_t count(int32_t least, int32_t usual) {
    if (!on() || usual <= least) return usual;
    return least + static_cast<int32_t>(generator().draw() % (static_cast<uint64_t>(usual - least) + 1));
}

// The usual place, or any of so many.
inline int32_t place(int32_t usual, int32_t places) {
    return on() && places > 0 ? static_cast<int32_t>(generator().draw() % static_cast<uint64_t>(places)) : usual;
}

// The usual length, or up to four times as much; 0 now and then.
inline double stretch(double usual) {
    if (!on()) return usual;
    const uint64_t drawn = generator().draw();
    return drawn % 8 == 0 ? 0.0 : usual * static_cast<double>(drawn >> 11) * 0x1p-51;
}

// A bound from above, or a higher one: up to one unit.
inline double raise(double bound, double unit) {
    return on() && generator().draw() % 4 == 0
               ? bound + unit * static_cast<double>(generator().draw() >> 11) * 0x1p-53
               : bound;
}

// Whether to end as if the time were up.
inline bool stops() {
    Generator& own = generator();
    if (own.stops && !own.stopped) own.stopped = own.draw() % 64 == 0;
    return own.stopped;
}

#else

constexpr bool built = false;
constexpr bool on() { return false; }
struct Scope {
    explicit Scope(Seeds*) {}
};
constexpr bool flip(bool usual) { return usual; }
constexpr bool seldom(bool usual, uint64_t) { return usual; }
constexpr int32_t count(int32_t, int32_t usual) { return usual; }
constexpr int32_t place(int32_t usual, int32_t) { return usual; }
constexpr double stretch(double usual) { return usual; }
constexpr double raise(double bound, double) { return bound; }
constexpr bool stops() { return false; }

#endif

}  // namespace chaos
}  // namespace wnparse
