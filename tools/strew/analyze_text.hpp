// What `strew analyze` prints: rows of a table, and JSON.
#pragma once

#include <string>
#include <vector>

#include "analyze_set.hpp"

namespace strew_tool {

/// One line of the table: a name and a cell per set, the reference last when there is one.
struct TableRow {
  std::string name;
  std::vector<std::string> cells;
};
[[nodiscard]] std::vector<TableRow> summary_rows(const std::vector<SetAnalysis>& sets,
                                                 const Reference* reference);
[[nodiscard]] std::string analysis_table(const std::vector<SetAnalysis>& sets, const Reference* reference);
/// The first set's keys at the top; "second" and "reference" are objects when they are there.
[[nodiscard]] std::string analysis_json(const std::vector<SetAnalysis>& sets, const Reference* reference);

}  // namespace strew_tool
