// The table's parts, by FIDELITY's sections.
#pragma once

#include <span>

#include "tests/conformance/row.h"

namespace holdfast::conformance {

std::span<const Row> expiry_rows();
std::span<const Row> replication_rows();
std::span<const Row> wait_rows();
std::span<const Row> replica_rows();
std::span<const Row> persistence_rows();
std::span<const Row> scripting_rows();
std::span<const Row> library_rows();
std::span<const Row> connection_rows();
std::span<const Row> client_rows();

}  // namespace holdfast::conformance
