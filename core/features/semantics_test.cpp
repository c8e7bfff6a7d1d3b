// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/semantics.hpp"

#include <gmock/gmock.h>

namespace isovmaf::semantics_test {
namespace {

TEST(Semantics, TheDefaultComesFirst) {
    EXPECT_EQ(ScoringOptions{}.semantics, Semantics::libvmaf_3_2);
    EXPECT_EQ(all_semantics().front(), Semantics::libvmaf_3_2);
}

TEST(Semantics, EachIsFoundByTheNameThatFilesStore) {
    EXPECT_EQ(find_semantics("libvmaf-3.2"), Semantics::libvmaf_3_2);
    EXPECT_EQ(find_semantics("libvmaf-3.0"), Semantics::libvmaf_3_0);
    EXPECT_EQ(Semantics::libvmaf_3_0.name(), "libvmaf-3.0");
    EXPECT_NE(Semantics::libvmaf_3_2, Semantics::libvmaf_3_0);
    for (const Semantics &semantics : all_semantics())
        EXPECT_EQ(find_semantics(semantics.name()), semantics);
}

TEST(Semantics, OtherNamesAreUnknown) {
    for (const char *const name : {"", "libvmaf-3", "libvmaf-3.1", "libvmaf 3.2", "LIBVMAF-3.2"})
        EXPECT_EQ(find_semantics(name), std::nullopt) << name;
}

/// Reports, the help and sentences take every text from here.
TEST(Semantics, EveryRowHasItsTexts) {
    for (const Semantics &semantics : all_semantics()) {
        const SemanticsRow &row = semantics.row();
        for (const std::string_view text : {row.release, row.title, row.meaning})
            EXPECT_FALSE(text.empty()) << row.name;
    }
}

} // namespace
} // namespace isovmaf::semantics_test
