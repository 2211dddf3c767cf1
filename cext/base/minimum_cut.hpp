// Minimum cuts of a network, by shortest augmenting paths: Edmonds & Karp (1972), Theoretical improvements in
// algorithmic efficiency for network flow problems. O(V E^2); it stops where the flow reaches a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace wnparse {

class Network {
public:
    // Edge e runs from tails[e] to heads[e]; its reverse, without capacity, is added.
    void build(int32_t nodes, int32_t edges, const int32_t* tails, const int32_t* heads,
               const double* capacities) {
        begin_.assign(static_cast<size_t>(nodes) + 1, 0);
        to_.resize(2 * static_cast<size_t>(edges));
        back_.resize(to_.size());
        capacity_.resize(to_.size());
        for (int32_t e = 0; e < edges; ++e) {
            ++begin_[tails[e] + 1];
            ++begin_[heads[e] + 1];
        }
        for (int32_t v = 0; v < nodes; ++v) begin_[v + 1] += begin_[v];
        std::vector<int32_t> place(begin_.begin(), begin_.end() - 1);
        for (int32_t e = 0; e < edges; ++e) {
            const int32_t there = place[tails[e]]++, back = place[heads[e]]++;
            to_[there] = heads[e];
            to_[back] = tails[e];
            back_[there] = back;
            back_[back] = there;
            capacity_[there] = capacities[e];
            capacity_[back] = 0.0;
        }
    }

    // Send flow from the sources to the sinks; false if it reaches the limit. Otherwise reached(v) tells on which
    // side of the cut a node is.
    bool cut(const std::vector<int32_t>& sources, const std::vector<int32_t>& sinks, double limit) {
        left_ = capacity_;
        is_sink_.assign(nodes(), 0);
        for (const int32_t v : sinks) is_sink_[v] = 1;
        for (double flow = 0.0; flow < limit;) {
            const int32_t sink = find_path(sources);
            if (sink < 0) return true;
            flow += augment(sink);
        }
        return false;
    }

    bool reached(int32_t v) const { return way_[v] != unseen; }
    int32_t nodes() const { return static_cast<int32_t>(begin_.size()) - 1; }

private:
    static constexpr double least = 1e-9;  // room that counts
    static constexpr int32_t unseen = -2, start = -1;

    // The sink at the end of a shortest path with room; -1 if there is none.
    int32_t find_path(const std::vector<int32_t>& sources) {
        way_.assign(nodes(), unseen);
        queue_.clear();
        for (const int32_t v : sources) {
            way_[v] = start;
            queue_.push_back(v);
            if (is_sink_[v]) return v;
        }
        for (size_t next = 0; next < queue_.size(); ++next) {
            const int32_t v = queue_[next];
            for (int32_t e = begin_[v]; e < begin_[v + 1]; ++e) {
                const int32_t w = to_[e];
                if (left_[e] <= least || way_[w] != unseen) continue;
                way_[w] = e;
                if (is_sink_[w]) return w;
                queue_.push_back(w);
            }
        }
        return -1;
    }

    double augment(int32_t sink) {
        double step = std::numeric_limits<double>::infinity();
        for (int32_t v = sink; way_[v] >= 0; v = to_[back_[way_[v]]]) step = std::min(step, left_[way_[v]]);
        if (step == std::numeric_limits<double>::infinity()) return step;
        for (int32_t v = sink; way_[v] >= 0; v = to_[back_[way_[v]]]) {
            left_[way_[v]] -= step;
            left_[back_[way_[v]]] += step;
        }
        return step;
    }

    std::vector<int32_t> begin_;    // [nodes + 1], the edges of each node
    std::vector<int32_t> to_;       // [2 edges], where each runs to
    std::vector<int32_t> back_;     // [2 edges], its reverse
    std::vector<double> capacity_;  // [2 edges]
    std::vector<double> left_;      // [2 edges], what the flow leaves of it
    std::vector<uint8_t> is_sink_;  // [nodes]
    std::vector<int32_t> way_;      // [nodes], the edge that a search reached it by
    std::vector<int32_t> queue_;
};

}  // namespace wnparse
