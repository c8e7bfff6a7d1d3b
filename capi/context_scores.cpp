// SPDX-License-Identifier: BSD-2-Clause-Patent
// Queries of scores.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/try.hpp"
#include "capi/context.hpp"
#include "engine/score_table.hpp"

using namespace isovmaf;
using namespace isovmaf::capi;

namespace {

/// The statistic that a pooling method asks for.
Result<double PooledScore::*> statistic(VmafPoolingMethod method) {
    switch (method) {
    case VMAF_POOL_METHOD_MIN:
        return &PooledScore::min;
    case VMAF_POOL_METHOD_MAX:
        return &PooledScore::max;
    case VMAF_POOL_METHOD_MEAN:
        return &PooledScore::mean;
    case VMAF_POOL_METHOD_HARMONIC_MEAN:
        return &PooledScore::harmonic_mean;
    default:
        return fail(ErrorCode::invalid_argument,
                    fmt::format("there is no pooling method {}: give one from {} to {}", static_cast<unsigned>(method),
                                static_cast<unsigned>(VMAF_POOL_METHOD_MIN),
                                static_cast<unsigned>(VMAF_POOL_METHOD_HARMONIC_MEAN)));
    }
}

Result<void> check_range(unsigned low, unsigned high) {
    if (low > high)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot pool frames {} to {}: the first is behind the last", low, high));
    return {};
}

} // namespace

std::optional<double> VmafContext::feature_score(std::string_view name, unsigned index) {
    settle();
    const std::optional<std::size_t> column = scores_.find(name);
    return column ? scores_.at(*column, index) : std::nullopt;
}

std::optional<PooledScore> VmafContext::pool_feature(std::string_view name, unsigned low, unsigned high) {
    settle();
    const std::optional<std::size_t> column = scores_.find(name);
    if (!column)
        return std::nullopt;
    std::optional<std::vector<double>> scores = scores_.range(*column, low, high, subsample_);
    return scores ? std::optional(pool_scores(*std::move(scores))) : std::nullopt;
}

Result<double> VmafContext::model_score(const VmafModel &model, unsigned index) {
    settle();
    return TRY(models_.scores(model, {index, index, 1})).front();
}

Result<PooledScore> VmafContext::pool_model(const VmafModel &model, unsigned low, unsigned high) {
    settle();
    return pool_scores(TRY(models_.scores(model, {low, high, subsample_})));
}

Result<VmafModelCollectionScore> VmafContext::collection_score(const VmafModelCollection &collection, unsigned index) {
    settle();
    const std::vector<std::vector<double>> scores = TRY(models_.scores(collection, {index, index, 1}));
    return isovmaf::capi::collection_score(
        std::array{scores[0].front(), scores[1].front(), scores[2].front(), scores[3].front()});
}

Result<std::vector<PooledScore>> VmafContext::pool_collection(const VmafModelCollection &collection, unsigned low,
                                                              unsigned high) {
    settle();
    std::vector<PooledScore> pooled;
    for (std::vector<double> &values : TRY(models_.scores(collection, {low, high, subsample_})))
        pooled.push_back(pool_scores(std::move(values)));
    return pooled;
}

int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score, unsigned index) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) {
        if (feature_name == nullptr || score == nullptr)
            return status_invalid;
        const std::optional<double> found = context.feature_score(feature_name, index);
        if (!found)
            return status_invalid;
        *score = *found;
        return status_ok;
    });
}

int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name, VmafPoolingMethod pool_method, double *score,
                              unsigned index_low, unsigned index_high) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_feature_score_pooled", feature_name, score));
        const auto wanted = TRY(statistic(pool_method));
        TRY(check_range(index_low, index_high));
        const std::optional<PooledScore> pooled = context.pool_feature(feature_name, index_low, index_high);
        if (!pooled)
            return fail(ErrorCode::not_found, fmt::format("cannot pool {} of frames {} to {}: not all are there",
                                                          feature_name, index_low, index_high));
        *score = (*pooled).*wanted;
        return {};
    });
}

int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_score_at_index", model, score));
        *score = TRY(context.model_score(*model, index));
        return {};
    });
}

int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, VmafPoolingMethod pool_method, double *score,
                      unsigned index_low, unsigned index_high) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_score_pooled", model, score));
        const auto wanted = TRY(statistic(pool_method));
        TRY(check_range(index_low, index_high));
        *score = TRY(context.pool_model(*model, index_low, index_high)).*wanted;
        return {};
    });
}

int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_score_at_index_model_collection", model_collection, score));
        *score = TRY(context.collection_score(*model_collection, index));
        return {};
    });
}

int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       VmafPoolingMethod pool_method, VmafModelCollectionScore *score,
                                       unsigned index_low, unsigned index_high) {
    return VmafContext::enter(vmaf, [&](VmafContext &context) -> Result<void> {
        TRY(require_arguments("vmaf_score_pooled_model_collection", model_collection, score));
        const auto wanted = TRY(statistic(pool_method));
        TRY(check_range(index_low, index_high));
        const std::vector<PooledScore> pooled = TRY(context.pool_collection(*model_collection, index_low, index_high));
        *score = isovmaf::capi::collection_score(
            std::array{pooled[0].*wanted, pooled[1].*wanted, pooled[2].*wanted, pooled[3].*wanted});
        return {};
    });
}
