// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "report/report.hpp"

/// The larger writers, and what all writers share. Keys, order and layout are those of libvmaf's logs (scores.md §6),
/// so that programs that read those logs can read these reports. What isovmaf adds stands where such programs skip it.
namespace isovmaf {

[[nodiscard]] std::string write_json(const Report &report, Precision precision);
[[nodiscard]] std::string write_xml(const Report &report, Precision precision);

/// What marks an incomplete report in formats without fields for it.
inline constexpr std::string_view incomplete_mark = "incomplete: the run was interrupted";

/// A member of PooledScore and its name in reports.
struct PooledStatistic {
    std::string_view name;
    double PooledScore::*value;
};

/// All statistics; those of libvmaf's logs come first.
inline constexpr std::array<PooledStatistic, 12> pooled_statistics{{
    {"min", &PooledScore::min},
    {"max", &PooledScore::max},
    {"mean", &PooledScore::mean},
    {"harmonic_mean", &PooledScore::harmonic_mean},
    {"percentile_1", &PooledScore::percentile_1},
    {"percentile_5", &PooledScore::percentile_5},
    {"percentile_10", &PooledScore::percentile_10},
    {"percentile_25", &PooledScore::percentile_25},
    {"percentile_50", &PooledScore::percentile_50},
    {"percentile_75", &PooledScore::percentile_75},
    {"percentile_95", &PooledScore::percentile_95},
    {"percentile_99", &PooledScore::percentile_99},
}};

/// The statistics that a report of this layout has.
[[nodiscard]] inline std::span<const PooledStatistic> statistics_of(ReportLayout layout) {
    constexpr std::size_t libvmaf_statistics = 4;
    return {pooled_statistics.data(), layout == ReportLayout::libvmaf ? libvmaf_statistics : pooled_statistics.size()};
}

} // namespace isovmaf
