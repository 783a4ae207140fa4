#include "spmd/ir/sharding/Picture.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <map>

namespace spmd {

namespace {

/// Beyond this nobody looks.
constexpr int64_t mostCells = 4096;

/// One dim that is split: how many shards of how many rows it has.
struct SplitDim {
  int64_t dim, size, shards, rows;

  /// The rows of shard `k`: "0..7", or "none" of one that is all padding.
  std::string range(int64_t k) const {
    int64_t begin = k * rows, end = std::min(size, begin + rows);
    if (begin >= end)
      return "none";
    return end - begin == 1 ? absl::StrCat(begin) : absl::StrCat(begin, "..", end - 1);
  }
};

/// "0-3, 8": ids in ascending order, of three and more in a row only the ends.
std::string listOf(std::vector<int64_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<std::string> parts;
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1)
      ++end;
    if (end - i > 2)
      parts.push_back(absl::StrCat(ids[i], "-", ids[end - 1]));
    else
      for (size_t j = i; j < end; ++j)
        parts.push_back(absl::StrCat(ids[j]));
    i = end;
  }
  return absl::StrJoin(parts, ", ");
}

/// Lines of words in columns, each as wide as its widest word.
std::string aligned(const std::vector<std::vector<std::string>> &lines) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &line : lines)
    for (size_t c = 0; c < line.size(); ++c) {
      widths.resize(std::max(widths.size(), c + 1));
      widths[c] = std::max(widths[c], line[c].size());
    }
  std::string text;
  for (const std::vector<std::string> &line : lines) {
    std::string row;
    for (size_t c = 0; c < line.size(); ++c)
      absl::StrAppend(&row, c == 0 ? "" : "  ", line[c],
                      std::string(widths[c] - line[c].size(), ' '));
    row.erase(row.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, row, "\n");
  }
  return text;
}

class Painter {
public:
  Painter(const Mesh &mesh, const Sharding &sharding, absl::Span<const int64_t> shape)
      : mesh(mesh), sharding(sharding) {
    for (size_t d = 0; d < shape.size(); ++d)
      if (int64_t shards = sizeOf(sharding.dims[d].axes); shards > 1)
        split.push_back(
            {static_cast<int64_t>(d), shape[d], shards, (shape[d] + shards - 1) / shards});
    for (const SplitDim &dim : split)
      numCells *= dim.shards;
  }

  std::string paint() {
    if (numCells > mostCells)
      return absl::StrCat(numCells, " parts, too many for a picture\n");
    for (int64_t p = 0; p < mesh.numDevices(); ++p)
      devicesOf[cellAt(p)].push_back(mesh.deviceAt(p));
    std::string text;
    if (split.empty())
      text = absl::StrCat("whole: ", cell({}), "\n");
    else
      paintFrom({}, text);
    return absl::StrCat(text, addends());
  }

private:
  using Cell = std::vector<int64_t>; ///< Which shard of each split dim.

  Cell cellAt(int64_t position) const {
    Cell cell;
    for (const SplitDim &dim : split)
      cell.push_back(coordinateOf(mesh, position, sharding.dims[dim.dim].axes));
    return cell;
  }

  std::string cell(const Cell &cell) { return listOf(devicesOf[cell]); }

  static std::string nameOf(const SplitDim &dim) { return absl::StrCat("dim ", dim.dim, ":"); }

  /// Paints what lies at `outer`, shards of the first split dims.
  void paintFrom(const Cell &outer, std::string &text) {
    size_t left = split.size() - outer.size();
    if (left <= 2) {
      paintGrid(outer, text);
      return;
    }
    const SplitDim &dim = split[outer.size()];
    for (int64_t k = 0; k < dim.shards; ++k) {
      Cell next = outer;
      next.push_back(k);
      if (left == 3)
        absl::StrAppend(&text, headline(next), "\n");
      paintFrom(next, text);
    }
  }

  std::string headline(const Cell &outer) const {
    std::vector<std::string> parts;
    for (size_t i = 0; i < outer.size(); ++i)
      parts.push_back(absl::StrCat(nameOf(split[i]), " ", split[i].range(outer[i])));
    return absl::StrJoin(parts, ", ");
  }

  void paintGrid(const Cell &outer, std::string &text) {
    const SplitDim &rows = split[outer.size()];
    bool hasColumns = outer.size() + 2 == split.size();
    std::vector<std::vector<std::string>> lines;
    if (hasColumns) {
      const SplitDim &columns = split[outer.size() + 1];
      lines.push_back({"", nameOf(columns)});
      for (int64_t k = 0; k < columns.shards; ++k)
        lines.back().push_back(columns.range(k));
    }
    for (int64_t row = 0; row < rows.shards; ++row) {
      lines.push_back({row == 0 ? nameOf(rows) : "", rows.range(row)});
      Cell at = outer;
      at.push_back(row);
      for (int64_t k = 0; k < (hasColumns ? split.back().shards : 1); ++k) {
        Cell inner = at;
        if (hasColumns)
          inner.push_back(k);
        lines.back().push_back(cell(inner));
      }
    }
    absl::StrAppend(&text, aligned(lines));
  }

  std::string addends() const {
    int64_t count = sizeOf(sharding.unreduced);
    return count > 1 ? absl::StrCat("each device holds one of ", count, " addends\n") : "";
  }

  const Mesh &mesh;
  const Sharding &sharding;
  std::vector<SplitDim> split;
  int64_t numCells = 1;
  std::map<Cell, std::vector<int64_t>> devicesOf;
};

} // namespace

std::string pictureOf(const Mesh &mesh, const Sharding &sharding, absl::Span<const int64_t> shape) {
  return Painter(mesh, sharding, shape).paint();
}

} // namespace spmd
