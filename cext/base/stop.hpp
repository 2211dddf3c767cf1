// What ends long work before its end: signals that Python has noted, another thread's word, and a deadline.
//
// Python's handlers of signals only note them for the interpreter loop, which does not run while the core works.
// So the thread that signals go to asks from time to time (`poll`) whether a handler wants the work to end; the
// other threads see the flag that it raises.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "base/chaos.hpp"

namespace wnparse {

// Shared by all threads of a call.
class Watch {
public:
    using Clock = std::chrono::steady_clock;
    using Poll = bool (*)(void*);  // true: the work is to end

    Watch() = default;
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // From now on this thread polls.
    void poll_by(Poll poll, void* context) {
        poll_ = poll;
        context_ = context;
        owner_ = std::this_thread::get_id();
    }

    void raise() { raised_.store(true, std::memory_order_relaxed); }
    bool raised() const { return raised_.load(std::memory_order_relaxed); }

    // Whether the work is to end; polls if it is time to.
    bool look(Clock::time_point now) {
        if (poll_ != nullptr && !raised() && std::this_thread::get_id() == owner_) {
            if (next_ == Clock::time_point()) next_ = now + interval;
            if (now >= next_) {
                if (poll_(context_)) raise();
                next_ = Clock::now() + interval;
            }
        }
        return raised();
    }

private:
    static constexpr std::chrono::milliseconds interval{20};

    std::atomic<bool> raised_{false};
    Poll poll_ = nullptr;
    void* context_ = nullptr;
    std::thread::id owner_;
    Clock::time_point next_{};  // when to poll again; the owner's alone
};

// What a kernel asks in every loop that can be long.
class Stop {
public:
    using Clock = Watch::Clock;

    Stop() = default;
    explicit Stop(Watch* watch) : watch_(watch) {}

    // The same with a deadline from now on; no seconds are none.
    Stop within(double seconds) const {
        Stop stop = *this;
        if (seconds > 0.0) {
            stop.timed_ = true;
            stop.deadline_ =
                Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        }
        return stop;
    }

    // Somebody wants the work to end, and its outcome counts for nothing.
    bool interrupted() const { return watch_ != nullptr && watch_->raised(); }

    // To end at once, with what there is.
    bool stopped() const {
        if (chaos::stops()) return true;
        if (watch_ == nullptr && !timed_) return false;
        const Clock::time_point now = Clock::now();
        if (watch_ != nullptr && watch_->look(now)) return true;
        return timed_ && now >= deadline_;
    }

private:
    Watch* watch_ = nullptr;
    bool timed_ = false;
    Clock::time_point deadline_{};
};

// Asks once in a while: for loops whose turns are shorter than a look at the clock is worth.
class RareStop {
public:
    RareStop(const Stop& stop, int every) : stop_(stop), every_(every), left_(every) {}

    bool stopped() {
        if (--left_ > 0) return false;
        left_ = every_;
        return stop_.stopped();
    }

private:
    const Stop& stop_;
    int every_, left_;
};

}  // namespace wnparse
