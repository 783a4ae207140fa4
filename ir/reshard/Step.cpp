#include "spmd/ir/reshard/Step.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

const char *nameOf(StepKind kind) {
  switch (kind) {
  case StepKind::reshape:
    return "reshape";
  case StepKind::transpose:
    return "transpose";
  case StepKind::pad:
    return "pad";
  case StepKind::trim:
    return "trim";
  case StepKind::dynamicSlice:
    return "dynamic_slice";
  case StepKind::dynamicUpdate:
    return "dynamic_update";
  case StepKind::allGather:
    return "all_gather";
  case StepKind::allToAll:
    return "all_to_all";
  case StepKind::reduceScatter:
    return "reduce_scatter";
  case StepKind::allReduce:
    return "all_reduce";
  case StepKind::permute:
    return "permute";
  case StepKind::mask:
    return "mask";
  }
  return "";
}

int64_t numElements(absl::Span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

bool Step::isCollective() const {
  switch (kind) {
  case StepKind::allGather:
  case StepKind::allToAll:
  case StepKind::reduceScatter:
  case StepKind::allReduce:
  case StepKind::permute:
    return true;
  default:
    return false;
  }
}

int64_t Step::wireElements() const {
  int64_t in = numElements(inputShape), out = numElements(outputShape), group = sizeOf(axes);
  auto othersOf = [&](int64_t elements) { return elements - elements / group; };
  switch (kind) {
  case StepKind::allGather:
    return othersOf(out);
  case StepKind::allToAll:
  case StepKind::reduceScatter:
    return othersOf(in);
  case StepKind::allReduce:
    return othersOf(2 * in);
  case StepKind::permute:
    return in;
  default:
    return 0;
  }
}

static std::string text(const Fill &fill) {
  return fill.identityOf ? absl::StrCat("identity of ", nameOf(*fill.identityOf)) : "nothing";
}

std::string Step::str(const Mesh &from, const Mesh &to) const {
  auto shape = [](absl::Span<const int64_t> sizes) {
    return sizes.empty() ? "scalar" : absl::StrJoin(sizes, "x");
  };
  std::string over =
      absl::StrCat(side == MeshSide::to ? " over to{" : " over {",
                   spmd::str(toSpecs(side == MeshSide::from ? from : to, axes)), "}");
  std::string line = nameOf(kind);
  switch (kind) {
  case StepKind::reshape:
  case StepKind::pad:
  case StepKind::trim:
    break;
  case StepKind::transpose:
    absl::StrAppend(&line, " (", absl::StrJoin(permutation, ", "), ")");
    break;
  case StepKind::dynamicSlice:
    absl::StrAppend(&line, " dim ", dim, " at ", offset.str(from, to));
    break;
  case StepKind::dynamicUpdate:
    absl::StrAppend(&line, " dim ", dim, " at ", offset.str(from, to), " of ",
                    into == noRegister ? text(fill) : absl::StrCat("%", into));
    break;
  case StepKind::allGather:
    absl::StrAppend(&line, " dim ", dim, over);
    break;
  case StepKind::allToAll:
    absl::StrAppend(&line, " dim ", dim, " to ", concatDim, over);
    break;
  case StepKind::reduceScatter:
    absl::StrAppend(&line, " ", nameOf(reduction), " dim ", dim, over);
    break;
  case StepKind::allReduce:
    absl::StrAppend(&line, " ", nameOf(reduction), over);
    break;
  case StepKind::permute:
    absl::StrAppend(&line, " ", exchange->str(from, to));
    break;
  case StepKind::mask:
    absl::StrAppend(&line, over, " at ", offset.str(from, to), " else ", text(fill));
    break;
  }
  return absl::StrCat(line, " ", shape(inputShape), " -> ", shape(outputShape));
}

} // namespace spmd
