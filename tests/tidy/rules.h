// The mechanical house rules. Each takes one file and tells what breaks it, one line a finding.
#pragma once

#include <string>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace holdfast::tidy {

using Findings = std::vector<std::string>;

// No line over 100 columns, no file over 500 lines (tests: 700).
Findings too_long(const SourceFile& file);
// No function body over 70 lines.
Findings long_functions(const SourceFile& file);
// co_await stands alone in its statement, which has no brace and no bracket: g++ 12 miscompiles the
// other shapes (GCC PR 106188, PR 99576).
Findings bad_awaits(const SourceFile& file);
// Real time, randomness, threads and environment only in the rooms that may touch the real world.
Findings real_world_tokens(const SourceFile& file);
// Includes follow the arrows of the house: no room includes one above it.
Findings wrong_arrows(const SourceFile& file);

}  // namespace holdfast::tidy
