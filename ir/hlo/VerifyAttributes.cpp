// The dims that attributes name.

#include "spmd/ir/hlo/VerifyParts.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd::hlo {

namespace {
/// Collects the first finding of an instruction.
class AttributeChecker {
public:
  AttributeChecker(const HloInstructionProto &instruction,
                   const std::vector<const ShapeProto *> &operands)
      : instruction(instruction), operands(operands), opcode(instruction.opcode()) {}

  Finding check() {
    checkDimensions();
    checkDot();
    checkGather();
    checkScatter();
    checkConvolution();
    checkWindows();
    return finding;
  }

private:
  int rankOf(size_t operand) const {
    return operand < operands.size() ? operands[operand]->dimensions_size() : 0;
  }

  /// Each of `dims` is one of `rank`, and none is named twice.
  template <typename List> void inRank(const List &dims, int rank, const char *what) {
    std::vector<bool> seen(rank);
    for (int64_t dim : dims) {
      if (dim < 0 || dim >= rank)
        return report(absl::StrCat("names dim ", dim, " of ", rank, " as one of its ", what));
      if (seen[dim])
        return report(absl::StrCat("names dim ", dim, " twice as one of its ", what));
      seen[dim] = true;
    }
  }

  void sameCount(int64_t given, int64_t expected, const char *what) {
    if (given != expected)
      report(absl::StrCat("has ", given, " ", what, " for ", expected));
  }

  void report(std::string text) {
    if (!finding)
      finding = std::move(text);
  }

  void checkDimensions() {
    int rank = std::max(instruction.shape().dimensions_size(), rankOf(0));
    inRank(instruction.dimensions(), rank, "dimensions");
    if (opcode == "broadcast")
      sameCount(instruction.dimensions_size(), rankOf(0), "dimensions");
    if (opcode == "transpose")
      sameCount(instruction.dimensions_size(), rankOf(0), "dimensions");
    if (opcode == "iota" && instruction.dimensions_size() != 1)
      report("has no iota_dimension");
    if (opcode == "get-tuple-element" && !operands.empty()) {
      int64_t index = instruction.tuple_index();
      if (index < 0 || index >= operands[0]->tuple_shapes_size())
        report(absl::StrCat("takes element ", index, " of a tuple of ",
                            operands[0]->tuple_shapes_size()));
    }
  }

  void checkDot() {
    if (opcode != "dot" && opcode != "ragged-dot")
      return;
    const RaggedDotDimensionNumbers &ragged = instruction.ragged_dot_dimension_numbers();
    const DotDimensionNumbers &dims =
        opcode == "dot" ? instruction.dot_dimension_numbers() : ragged.dot_dimension_numbers();
    inRank(dims.lhs_contracting_dimensions(), rankOf(0), "lhs_contracting_dims");
    inRank(dims.rhs_contracting_dimensions(), rankOf(1), "rhs_contracting_dims");
    inRank(dims.lhs_batch_dimensions(), rankOf(0), "lhs_batch_dims");
    inRank(dims.rhs_batch_dimensions(), rankOf(1), "rhs_batch_dims");
    inRank(ragged.lhs_ragged_dimensions(), rankOf(0), "lhs_ragged_dims");
    inRank(ragged.rhs_group_dimensions(), rankOf(1), "rhs_group_dims");
    sameCount(dims.rhs_contracting_dimensions_size(), dims.lhs_contracting_dimensions_size(),
              "rhs_contracting_dims");
    sameCount(dims.rhs_batch_dimensions_size(), dims.lhs_batch_dimensions_size(), "rhs_batch_dims");
  }

  void checkGather() {
    if (opcode != "gather")
      return;
    const GatherDimensionNumbers &dims = instruction.gather_dimension_numbers();
    inRank(dims.offset_dims(), instruction.shape().dimensions_size(), "offset_dims");
    inRank(dims.collapsed_slice_dims(), rankOf(0), "collapsed_slice_dims");
    inRank(dims.start_index_map(), rankOf(0), "start_index_map");
    inRank(dims.operand_batching_dims(), rankOf(0), "operand_batching_dims");
    inRank(dims.start_indices_batching_dims(), rankOf(1), "start_indices_batching_dims");
    // One more than there are: each index is a scalar.
    int64_t vectorDim[] = {dims.index_vector_dim()};
    inRank(vectorDim, rankOf(1) + 1, "index_vector_dim");
    sameCount(instruction.gather_slice_sizes_size(), rankOf(0), "slice_sizes");
  }

  void checkScatter() {
    if (opcode != "scatter" || operands.size() % 2 == 0) {
      if (opcode == "scatter")
        report(absl::StrCat("has ", operands.size(),
                            " operands, not inputs, indices and as many updates"));
      return;
    }
    size_t indices = operands.size() / 2;
    const ScatterDimensionNumbers &dims = instruction.scatter_dimension_numbers();
    inRank(dims.update_window_dims(), rankOf(indices + 1), "update_window_dims");
    inRank(dims.inserted_window_dims(), rankOf(0), "inserted_window_dims");
    inRank(dims.scatter_dims_to_operand_dims(), rankOf(0), "scatter_dims_to_operand_dims");
    inRank(dims.input_batching_dims(), rankOf(0), "input_batching_dims");
    inRank(dims.scatter_indices_batching_dims(), rankOf(indices), "scatter_indices_batching_dims");
    int64_t vectorDim[] = {dims.index_vector_dim()};
    inRank(vectorDim, rankOf(indices) + 1, "index_vector_dim");
  }

  template <typename Spatial>
  void checkLabels(int64_t first, int64_t second, const Spatial &spatial, int rank,
                   const char *what) {
    std::vector<int64_t> dims(spatial.begin(), spatial.end());
    dims.insert(dims.end(), {first, second});
    sameCount(static_cast<int64_t>(dims.size()), rank, what);
    inRank(dims, rank, what);
  }

  void checkConvolution() {
    if (opcode != "convolution")
      return;
    const ConvolutionDimensionNumbers &dims = instruction.convolution_dimension_numbers();
    checkLabels(dims.input_batch_dimension(), dims.input_feature_dimension(),
                dims.input_spatial_dimensions(), rankOf(0), "dims of the input in dim_labels");
    checkLabels(dims.kernel_input_feature_dimension(), dims.kernel_output_feature_dimension(),
                dims.kernel_spatial_dimensions(), rankOf(1), "dims of the kernel in dim_labels");
    checkLabels(dims.output_batch_dimension(), dims.output_feature_dimension(),
                dims.output_spatial_dimensions(), instruction.shape().dimensions_size(),
                "dims of the result in dim_labels");
    sameCount(instruction.window().dimensions_size(), dims.input_spatial_dimensions_size(),
              "dims of the window");
    if (instruction.feature_group_count() < 0 || instruction.batch_group_count() < 0)
      report("has a negative number of groups");
  }

  void checkWindows() {
    if (opcode == "reduce-window" || opcode == "select-and-scatter")
      sameCount(instruction.window().dimensions_size(), rankOf(0), "dims of the window");
    for (const WindowDimension &dim : instruction.window().dimensions())
      if (dim.size() < 0 || dim.stride() < 1 || dim.window_dilation() < 1 ||
          dim.base_dilation() < 1)
        report("has a window of negative size, or a stride or dilation below 1");
    if (opcode == "pad") {
      sameCount(instruction.padding_config().dimensions_size(), rankOf(0), "dims of padding");
      for (const auto &dim : instruction.padding_config().dimensions())
        if (dim.interior_padding() < 0)
          report("has negative padding between elements");
    }
    if (opcode == "slice") {
      sameCount(instruction.slice_dimensions_size(), rankOf(0), "dims of the slice");
      for (int i = 0; i < instruction.slice_dimensions_size() && !finding; ++i) {
        const auto &slice = instruction.slice_dimensions(i);
        if (slice.start() < 0 || slice.limit() < slice.start() ||
            slice.limit() > operands[0]->dimensions(i) || slice.stride() < 1)
          report(absl::StrCat("slices [", slice.start(), ":", slice.limit(), ":", slice.stride(),
                              "] from dim ", i, " of size ", operands[0]->dimensions(i)));
      }
    }
    if (opcode == "dynamic-slice")
      sameCount(instruction.dynamic_slice_sizes_size(), rankOf(0), "dynamic_slice_sizes");
  }

  const HloInstructionProto &instruction;
  const std::vector<const ShapeProto *> &operands;
  const std::string &opcode;
  Finding finding;
};
} // namespace

Finding checkAttributes(const HloInstructionProto &instruction,
                        const std::vector<const ShapeProto *> &operands) {
  return AttributeChecker(instruction, operands).check();
}

} // namespace spmd::hlo
