#include "spmd/passes/why/Columns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

namespace spmd {

std::string withCommas(int64_t number) {
  std::string digits = std::to_string(number);
  int64_t first = number < 0 ? 1 : 0;
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(at, ",");
  return digits;
}

void printColumns(llvm::ArrayRef<std::vector<std::string>> rows, llvm::ArrayRef<Column> columns,
                  unsigned indent, llvm::raw_ostream &os) {
  std::vector<unsigned> widths;
  for (auto [index, column] : llvm::enumerate(columns)) {
    size_t width = column.leastWidth;
    for (const std::vector<std::string> &row : rows)
      width = std::max(width, row[index].size());
    widths.push_back(static_cast<unsigned>(width));
  }
  for (const auto &[number, row] : llvm::enumerate(rows)) {
    if (number > 0)
      os.indent(indent);
    for (const auto &[index, column] : llvm::enumerate(columns)) {
      os << (index == 0 ? "" : "  ");
      if (column.isLeft)
        os << llvm::left_justify(row[index], widths[index]);
      else
        os << llvm::right_justify(row[index], widths[index]);
    }
    if (row.size() > columns.size())
      os << row.back();
    os << "\n";
  }
}

} // namespace spmd
