// Tables of text for people.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace spmd {

/// Returns "1,234,567": bytes are compared digit by digit.
std::string withCommas(int64_t number);

struct Column {
  unsigned leastWidth = 0; ///< Without the blanks between columns.
  bool isLeft = false;     ///< Aligned left, else right.
};

/// Prints a line for each of `rows`, whose cells stand in `columns`: each as wide as its widest
/// cell, two blanks apart. A row may have one cell more, which is printed as it is. `indent` blanks
/// stand before all rows but the first.
void printColumns(llvm::ArrayRef<std::vector<std::string>> rows, llvm::ArrayRef<Column> columns,
                  unsigned indent, llvm::raw_ostream &os);

} // namespace spmd
