// Non-negative numbers of double precision without its limits of range: mantissa * 2^exponent.
//
// Sums of products of exp(score) leave the range of double where scores differ by hundreds.  Logarithms would keep
// them, at the price of an exp and a log for each addition and of digits: log x carries the error of its
// magnitude.  Here both operations are a few integer instructions, and every result is rounded as a double is.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace wnparse {

struct Scaled {
    // Far below any exponent that arises, with room to add and subtract others.
    static constexpr int64_t kZero = -(int64_t{1} << 62);

    double mantissa = 0.0;  // 0, or in [1, 2)
    int64_t exponent = kZero;

    Scaled() = default;
    explicit Scaled(double value) : Scaled(value, 0) {}
    // value * 2^shift; value is 0 or a normal number
    Scaled(double value, int64_t shift) {
        if (value > 0.0) {
            uint64_t bits;
            std::memcpy(&bits, &value, sizeof bits);
            exponent = shift + static_cast<int64_t>(bits >> 52) - 1023;
            bits = (bits & ((uint64_t{1} << 52) - 1)) | (uint64_t{1023} << 52);
            std::memcpy(&mantissa, &bits, sizeof bits);
        }
    }

    bool operator==(double value) const { return mantissa == value; }  // only ever compared with 0

    Scaled operator*(const Scaled& other) const {
        return Scaled(mantissa * other.mantissa, exponent + other.exponent);
    }
    Scaled operator/(const Scaled& other) const {
        return Scaled(mantissa / other.mantissa, exponent - other.exponent);
    }
    Scaled operator+(const Scaled& other) const {
        const Scaled& large = exponent >= other.exponent ? *this : other;
        const Scaled& small = exponent >= other.exponent ? other : *this;
        const int64_t distance = large.exponent - small.exponent;
        if (distance > 64) return large;
        return Scaled(large.mantissa + small.mantissa * power_of_two(-distance), large.exponent);
    }
    Scaled& operator+=(const Scaled& other) { return *this = *this + other; }

    // As a double; 0 where it is too small for one.
    double value() const {
        if (exponent < -1000) return 0.0;
        return std::ldexp(mantissa, exponent > 2000 ? 2000 : static_cast<int>(exponent));
    }
    double logarithm() const { return std::log(mantissa) + static_cast<double>(exponent) * 0.6931471805599453; }

private:
    static double power_of_two(int64_t power) {
        const uint64_t bits = static_cast<uint64_t>(power + 1023) << 52;
        double value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
};

// Scores below this, relative to the best of their row, count as this: such arcs are masks, and where a tree must
// use them they are all alike.  The largest sum of exponents stays within int64 for any matrix that fits into
// memory.
constexpr double kLowestScore = -1e14;

// exp(score) = 2^k exp(score - k ln 2), k the nearest integer to score / ln 2; ln 2 in two parts, so that the
// difference is exact to the last bits of the score.
inline Scaled scaled_exp(double score) {
    constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    const double held = score < kLowestScore ? kLowestScore : score;
    const double k = std::nearbyint(held * 1.4426950408889634);
    return Scaled(std::exp((held - k * ln2_high) - k * ln2_low), static_cast<int64_t>(k));
}

}  // namespace wnparse
