#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

//===- Printing ------------------------------------------------------------===//

std::string AxisSpec::str() const {
  if (size == 0)
    return quoted(name);
  return absl::StrCat(quoted(name), ":(", preSize, ")", size);
}

std::string str(absl::Span<const AxisSpec> axes) {
  return absl::StrJoin(axes, ", ",
                       [](std::string *out, const AxisSpec &axis) { *out += axis.str(); });
}

std::string DimSpec::str() const {
  std::string text = absl::StrCat("{", spmd::str(axes),
                                  !open          ? ""
                                  : axes.empty() ? "?"
                                                 : ", ?",
                                  "}");
  if (priority)
    absl::StrAppend(&text, "p", *priority);
  return text;
}

std::string ShardingSpec::str() const {
  std::string text = absl::StrCat(
      "[",
      absl::StrJoin(dims, ", ", [](std::string *out, const DimSpec &dim) { *out += dim.str(); }),
      "]");
  if (!replicated.empty())
    absl::StrAppend(&text, ", replicated={", spmd::str(replicated), "}");
  if (!unreduced.empty()) {
    const char *word = kind == ReductionKind::sum ? "" : nameOf(kind);
    absl::StrAppend(&text, ", unreduced=", word, "{", spmd::str(unreduced), "}");
  }
  return text;
}

//===- Names <-> numbers ---------------------------------------------------===//

static std::string namesOf(const Mesh &mesh) {
  return absl::StrJoin(mesh.axes(), ", ", [](std::string *out, const MeshAxis &axis) {
    absl::StrAppend(out, "\"", axis.name, "\"");
  });
}

absl::StatusOr<AxisRef> resolve(const Mesh &mesh, const AxisSpec &spec) {
  std::optional<int> axis = mesh.axisNamed(spec.name);
  if (!axis)
    return absl::InvalidArgumentError(
        mesh.axes().empty()
            ? absl::StrCat("unknown axis \"", spec.name, "\"; the mesh has no axes")
            : absl::StrCat("unknown axis \"", spec.name, "\"; the mesh has ", namesOf(mesh)));
  AxisRef whole = wholeAxis(mesh, *axis);
  if (spec.size == 0)
    return whole;
  if (spec.preSize < 1 || spec.size < 1 || spec.preSize > whole.size || spec.size > whole.size ||
      whole.size % (spec.preSize * spec.size) != 0)
    return absl::InvalidArgumentError(
        absl::StrCat(spec.str(), " is no part of axis \"", spec.name, "\" of size ", whole.size));
  if (spec.size == whole.size)
    return absl::InvalidArgumentError(
        absl::StrCat(spec.str(), " is the whole axis; write \"", spec.name, "\""));
  return AxisRef{*axis, static_cast<int32_t>(spec.preSize), static_cast<int32_t>(spec.size)};
}

absl::StatusOr<AxisList> resolve(const Mesh &mesh, absl::Span<const AxisSpec> specs) {
  AxisList list;
  for (const AxisSpec &spec : specs) {
    absl::StatusOr<AxisRef> ref = resolve(mesh, spec);
    if (!ref.ok())
      return ref.status();
    list.push_back(*ref);
  }
  return list;
}

absl::StatusOr<Sharding> resolve(const Mesh &mesh, const ShardingSpec &spec) {
  Sharding sharding;
  for (const DimSpec &dim : spec.dims) {
    absl::StatusOr<AxisList> axes = resolve(mesh, dim.axes);
    if (!axes.ok())
      return axes.status();
    sharding.dims.push_back({*std::move(axes), dim.open, dim.priority});
  }
  absl::StatusOr<AxisList> replicated = resolve(mesh, spec.replicated);
  if (!replicated.ok())
    return replicated.status();
  absl::StatusOr<AxisList> unreduced = resolve(mesh, spec.unreduced);
  if (!unreduced.ok())
    return unreduced.status();
  sharding.replicated = *std::move(replicated);
  sharding.unreduced = *std::move(unreduced);
  sharding.kind = spec.kind;
  return sharding;
}

AxisSpec toSpec(const Mesh &mesh, const AxisRef &axis) {
  if (isWhole(mesh, axis))
    return {mesh.axes()[axis.axis].name};
  return {mesh.axes()[axis.axis].name, axis.preSize, axis.size};
}

std::vector<AxisSpec> toSpecs(const Mesh &mesh, absl::Span<const AxisRef> axes) {
  std::vector<AxisSpec> specs;
  for (const AxisRef &axis : axes)
    specs.push_back(toSpec(mesh, axis));
  return specs;
}

ShardingSpec toSpec(const Mesh &mesh, const Sharding &sharding) {
  ShardingSpec spec;
  for (const DimSharding &dim : sharding.dims)
    spec.dims.push_back({toSpecs(mesh, dim.axes), dim.open, dim.priority});
  spec.replicated = toSpecs(mesh, sharding.replicated);
  spec.unreduced = toSpecs(mesh, sharding.unreduced);
  spec.kind = sharding.kind;
  return spec;
}

} // namespace spmd
