#include "tests/conformance/tables.h"

namespace holdfast::conformance {

std::vector<const Row*> all_rows() {
  std::vector<const Row*> rows;
  for (const auto part :
       {expiry_rows(), replication_rows(), wait_rows(), replica_rows(), persistence_rows(),
        scripting_rows(), library_rows(), connection_rows(), client_rows()}) {
    for (const Row& row : part) rows.push_back(&row);
  }
  return rows;
}

}  // namespace holdfast::conformance
