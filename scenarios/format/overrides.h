// Changes to a document before it is checked: --set, and the broken forms in "kills".
#pragma once

#include <map>
#include <string>

#include "scenarios/format/document.h"
#include "scenarios/format/errors.h"

namespace holdfast::scenario {

// `set`: JSON pointer (RFC 6901) -> JSON text, applied in the order of the pointers' bytes. Missing
// objects on the way are made; "-" or the length appends to an array; `null` takes away what is
// there. What changes stands in the file "set POINTER" from then on.
void apply_overrides(const std::map<std::string, std::string>& set, Value& document,
                     Errors& errors);

}  // namespace holdfast::scenario
