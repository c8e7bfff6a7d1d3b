// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/video_request.hpp"

namespace isovmaf {

namespace {

bool is_refused(const Finding &finding, ColourPolicy policy, bool strict) {
    if (policy != ColourPolicy::refuse)
        return false;
    return finding.kind == FindingKind::error || (strict && finding.kind == FindingKind::warning);
}

} // namespace

Result<std::vector<std::string>> apply_policy(const std::vector<Finding> &findings, ColourPolicy policy, bool strict,
                                              const LogSink &log) {
    for (const Finding &finding : findings)
        if (is_refused(finding, policy, strict))
            return fail(ErrorCode::mismatch, finding.sentence);
    std::vector<std::string> notes;
    for (const Finding &finding : findings) {
        if (finding.kind == FindingKind::range_doubt && policy != ColourPolicy::accept)
            continue; // the pictures decide: see range_doubt
        if (finding.kind == FindingKind::note || policy == ColourPolicy::accept)
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
