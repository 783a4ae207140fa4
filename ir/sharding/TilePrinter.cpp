// Prints GSPMD's shardings.

#include "spmd/ir/sharding/TileSharding.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace spmd {

namespace {

using Kind = TileSharding::Kind;

const char *nameOfSubgroup(Subgroup kind) {
  switch (kind) {
  case Subgroup::replicated:
    return "replicated";
  case Subgroup::manual:
    return "manual";
  case Subgroup::unreduced:
    return "unreduced";
  }
  return "";
}

bool isUnreduced(const TileSharding &sharding) {
  return absl::c_linear_search(sharding.subgroups, Subgroup::unreduced);
}

/// A grid has no word for how its shares combine: XLA writes it as metadata.
std::string reductionText(const TileSharding &sharding) {
  if (sharding.reduction == ReductionKind::sum)
    return "";
  return absl::StrCat(" metadata={op_type=\"",
                      absl::string_view(reductionMetadata.data(), reductionMetadata.size()),
                      "\" op_name=\"", absl::AsciiStrToUpper(nameOf(sharding.reduction)), "\"}");
}

std::string tiledText(const TileSharding &sharding) {
  std::string text = absl::StrCat("devices=[", absl::StrJoin(sharding.tiles, ","), "]");
  if (!sharding.devices.empty()) {
    absl::StrAppend(&text, absl::StrJoin(sharding.devices, ","));
  } else {
    absl::StrAppend(&text, "<=[", absl::StrJoin(sharding.reshape, ","), "]");
    if (sharding.reshape.size() > 1)
      absl::StrAppend(&text, "T(", absl::StrJoin(sharding.permutation, ","), ")");
  }
  if (sharding.subgroups == std::vector<Subgroup>{Subgroup::replicated})
    return text + " last_tile_dim_replicate";
  if (sharding.subgroups.empty())
    return text;
  auto name = [](std::string *out, Subgroup kind) { out->append(nameOfSubgroup(kind)); };
  return absl::StrCat(text, " last_tile_dims={", absl::StrJoin(sharding.subgroups, ", ", name),
                      "}");
}

std::string axisText(const AxisSpec &axis) {
  std::string text = absl::StrCat("'", axis.name, "'");
  if (axis.size > 0)
    absl::StrAppend(&text, ":(", axis.preSize, ")", axis.size);
  return text;
}

std::string axesText(absl::Span<const AxisSpec> axes) {
  return absl::StrJoin(axes, ",",
                       [](std::string *out, const AxisSpec &axis) { out->append(axisText(axis)); });
}

std::string namedText(const TileSharding &sharding) {
  std::string text =
      absl::StrCat("mesh[",
                   absl::StrJoin(sharding.mesh.axes(), ",",
                                 [](std::string *out, const MeshAxis &axis) {
                                   absl::StrAppend(out, "'", axis.name, "'=", axis.size);
                                 }),
                   "]");
  if (!sharding.mesh.isIota())
    absl::StrAppend(&text, ", device_ids=(", absl::StrJoin(sharding.mesh.deviceIds(), ","), ")");
  if (sharding.isForAnyRank && !sharding.manualAxes.empty())
    return text + " manual";
  if (sharding.isForAnyRank && !sharding.spec.unreduced.empty())
    return absl::StrCat(text, " unreduced", sharding.spec.kind == ReductionKind::sum ? "" : "=",
                        sharding.spec.kind == ReductionKind::sum ? "" : nameOf(sharding.spec.kind));
  if (sharding.isForAnyRank)
    return text + " replicated";
  auto dim = [](std::string *out, const DimSpec &spec) {
    const char *open = !spec.open ? "" : spec.axes.empty() ? "?" : ",?";
    absl::StrAppend(out, "{", axesText(spec.axes), open, "}");
  };
  absl::StrAppend(&text, " [", absl::StrJoin(sharding.spec.dims, ",", dim), "]");
  if (!sharding.spec.replicated.empty())
    absl::StrAppend(&text, ", replicated={", axesText(sharding.spec.replicated), "}");
  if (!sharding.spec.unreduced.empty())
    absl::StrAppend(&text, ", unreduced=",
                    sharding.spec.kind == ReductionKind::sum ? "" : nameOf(sharding.spec.kind), "{",
                    axesText(sharding.spec.unreduced), "}");
  if (!sharding.manualAxes.empty())
    absl::StrAppend(&text, ", manual={", axesText(sharding.manualAxes), "}");
  return text;
}

std::string bodyText(const TileSharding &sharding) {
  switch (sharding.kind) {
  case Kind::replicated:
    return "replicated";
  case Kind::maximal:
    return absl::StrCat("maximal device=", sharding.device);
  case Kind::manual:
    return "manual";
  case Kind::unknown:
    return "unknown";
  case Kind::unreduced:
    return "unreduced" + reductionText(sharding);
  case Kind::tiled:
    return tiledText(sharding) + (isUnreduced(sharding) ? reductionText(sharding) : "");
  case Kind::named:
    return namedText(sharding);
  case Kind::tuple:
    return absl::StrJoin(sharding.elements, ", ", [](std::string *out, const TileSharding &each) {
      out->append(each.str());
    });
  }
  return "";
}

} // namespace

std::string TileSharding::str() const {
  std::string text = "{" + bodyText(*this);
  if (group)
    absl::StrAppend(&text, " shard_as ", *group);
  return text + "}";
}

} // namespace spmd
