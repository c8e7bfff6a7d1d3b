// SPDX-License-Identifier: BSD-2-Clause-Patent
// Headers from outside that most files read. Builds with -Dprecompiled=true compile them once; no file includes this.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tl/expected.hpp>

#ifdef ISOVMAF_TEST // it costs other files a quarter of a second each
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#endif
#ifdef __clang__ // g++ reads all of a precompiled header, clang++ what a file uses
#include <nlohmann/json.hpp>
#endif
