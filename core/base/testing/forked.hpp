// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/testing/thread_sanitizer.hpp"

namespace isovmaf::testing {

/// Whether a forked process may start threads. ThreadSanitizer ends it then, where the other process had threads.
inline constexpr bool forked_may_start_threads = !under_thread_sanitizer;

/// What `function`, which returns a text, returns in a forked process; a note when that process did not end by itself
/// in time.
template <class Function>
std::string in_forked_process(const Function &function) {
    constexpr unsigned most_seconds = 20;
    int ends[2];
    if (pipe(ends) != 0)
        return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        alarm(most_seconds);
        const std::string text = function();
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char block[4096];
    for (ssize_t count; (count = read(ends[0], block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return text + "[the forked process was killed]";
    return text;
}

} // namespace isovmaf::testing
