// Ctrl-C during a search that holds no interpreter lock.
//
// Python's own handler of SIGINT only notes the signal for the interpreter loop, which does not run meanwhile.
// While a guard lives, SIGINT also raises a flag that the kernels poll. The caller ends the guard, lets Python run
// its handlers, and goes on searching if none of them raised. Only Python's main thread handles signals, so there
// is at most one guard at a time, and a signal that is ignored or has its default action is left alone.
#pragma once

#include <csignal>

namespace wnparse {

namespace interrupt_detail {

#if defined(_WIN32)
using Action = void (*)(int);
#else
using Action = struct sigaction;
#endif

inline volatile int raised = 0;  // polled by kernels
inline Action previous;          // Python's handler

#if defined(_WIN32)
inline void on_interrupt(int signal) {
    raised = 1;
    previous(signal);
}
#else
inline void on_interrupt(int signal, siginfo_t* info, void* context) {
    raised = 1;
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(signal, info, context);
    else
        previous.sa_handler(signal);
}
#endif

}  // namespace interrupt_detail

class InterruptGuard {
public:
    explicit InterruptGuard(bool main_thread) {
        if (main_thread) install();
    }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard() {
        if (installed_) restore();
    }

    // What a kernel polls; null where no signal can arrive.
    const volatile int* flag() const { return installed_ ? &interrupt_detail::raised : nullptr; }
    bool interrupted() const { return installed_ && interrupt_detail::raised != 0; }

private:
#if defined(_WIN32)
    void install() {
        interrupt_detail::raised = 0;
        interrupt_detail::previous = std::signal(SIGINT, SIG_DFL);
        installed_ = interrupt_detail::previous != SIG_DFL && interrupt_detail::previous != SIG_IGN &&
                     interrupt_detail::previous != SIG_ERR;
        std::signal(SIGINT, installed_ ? interrupt_detail::on_interrupt : interrupt_detail::previous);
    }
    void restore() { std::signal(SIGINT, interrupt_detail::previous); }
#else
    void install() {
        using namespace interrupt_detail;
        raised = 0;
        if (sigaction(SIGINT, nullptr, &previous) != 0) return;
        if (!(previous.sa_flags & SA_SIGINFO) &&
            (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN))
            return;
        Action action = previous;
        action.sa_sigaction = on_interrupt;
        action.sa_flags |= SA_SIGINFO;
        installed_ = sigaction(SIGINT, &action, nullptr) == 0;
    }
    void restore() { sigaction(SIGINT, &interrupt_detail::previous, nullptr); }
#endif

    bool installed_ = false;
};

}  // namespace wnparse
