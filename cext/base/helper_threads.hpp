// Threads that wait between batches. Starting one takes as long as decoding fifty short sentences, and a new one
// has to get its memory first; a waiting one is there within microseconds, with the workspace of its last batch.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace wnparse {

inline int64_t this_process() {
#ifdef _WIN32
    return _getpid();
#else
    return getpid();
#endif
}

class HelperThreads {
public:
    HelperThreads() : process_(this_process()) {}
    HelperThreads(const HelperThreads&) = delete;
    HelperThreads& operator=(const HelperThreads&) = delete;

    ~HelperThreads() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            leaving_ = true;
        }
        start_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    // A fork copies this, but not its threads.
    bool alive() const { return process_ == this_process(); }

    // Call work() on this thread and on up to `helpers` others. It must return once nothing is left to do: helpers
    // that have not begun by then are not waited for.
    // `idle` is called now and then while others are waited for.
    void run(int64_t helpers, const std::function<void()>& work, const std::function<void()>& idle) {
        grow(helpers);
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            work_ = &work;
            open_ = helpers;
        }
        start_.notify_all();
        work();
        std::unique_lock<std::mutex> lock(mutex_);
        open_ = 0;
        while (!done_.wait_for(lock, std::chrono::milliseconds(20), [&] { return running_ == 0; })) {
            lock.unlock();  // it may take long: others report meanwhile
            idle();
            lock.lock();
        }
    }

private:
    void grow(int64_t helpers) {
        try {
            while (int64_t(threads_.size()) < helpers) threads_.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            // The system grants no more threads: those that run do the work.
        }
    }

    void serve() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            start_.wait(lock, [&] { return leaving_ || open_ > 0; });
            if (leaving_) return;
            --open_;
            ++running_;
            const std::function<void()>& work = *work_;
            lock.unlock();
            work();
            lock.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

    const int64_t process_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable start_, done_;
    const std::function<void()>* work_ = nullptr;
    int64_t open_ = 0;     // helpers still wanted
    int64_t running_ = 0;  // helpers at work
    bool leaving_ = false;
};

// The threads of the last batch. They are taken out while a batch runs, so callers at the same time have their
// own; nobody joins them when the process ends, and a forked child leaves its parent's alone.
inline std::atomic<HelperThreads*> idle_helpers{nullptr};

inline void run_with_helpers(int64_t helpers, const std::function<void()>& work,
                             const std::function<void()>& idle) {
    HelperThreads* idle_threads = idle_helpers.exchange(nullptr);
    std::unique_ptr<HelperThreads> threads(idle_threads != nullptr && idle_threads->alive() ? idle_threads
                                                                                            : new HelperThreads());
    threads->run(helpers, work, idle);
    threads.reset(idle_helpers.exchange(threads.release()));
}

}  // namespace wnparse
