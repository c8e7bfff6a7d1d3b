// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/video_request.hpp"

#include <fmt/format.h>

namespace isovmaf {

std::string settled_text(const SettledOption &option) {
    return option.name.empty() ? option.reason : fmt::format("{}: --{} {}", option.reason, option.name, option.value);
}

Result<std::vector<std::string>> apply_policy(const std::vector<Finding> &findings, ColourPolicy policy, bool strict,
                                              const LogSink &log) {
    for (const Finding &finding : findings)
        if (settled_kind(finding.kind, policy, strict) == FindingKind::error)
            return fail(ErrorCode::mismatch, finding.sentence);
    std::vector<std::string> notes;
    for (const Finding &finding : findings) {
        if (finding.kind == FindingKind::range_doubt && policy != ColourPolicy::accept)
            continue; // the pictures decide: see range_doubt
        if (settled_kind(finding.kind, policy, strict) == FindingKind::note)
            notes.push_back(finding.sentence);
        else
            warn(log, finding.sentence);
    }
    return notes;
}

std::optional<RangeDoubt> range_doubt(const std::vector<Finding> &findings, ColourPolicy policy,
                                      const SourceInfo &reference) {
    if (policy == ColourPolicy::accept)
        return std::nullopt;
    for (const Finding &finding : findings)
        if (finding.kind == FindingKind::range_doubt)
            return RangeDoubt{reference.colour.range == "full", finding.sentence, policy == ColourPolicy::refuse};
    return std::nullopt;
}

} // namespace isovmaf
