#include "spmd/dialect/spmd/Causes.h"

#include "spmd/dialect/spmd/Dialect.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace spmd {

constexpr llvm::StringLiteral whyKey = "spmd.why";
constexpr llvm::StringLiteral fromKey = "spmd.from";
constexpr llvm::StringLiteral toKey = "spmd.to";

mlir::DictionaryAttr reasonAttr(mlir::MLIRContext *context, const llvm::Twine &text) {
  return mlir::DictionaryAttr::get(context,
                                   {mlir::NamedAttribute(mlir::StringAttr::get(context, whyKey),
                                                         mlir::StringAttr::get(context, text))});
}

/// Whether a location with these data is that of a move.
static bool isReason(mlir::Attribute data) {
  auto dictionary = llvm::dyn_cast_if_present<mlir::DictionaryAttr>(data);
  return dictionary && dictionary.getAs<mlir::StringAttr>(whyKey);
}

mlir::DictionaryAttr reasonOf(mlir::Location location) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  return fused && isReason(fused.getMetadata())
             ? llvm::cast<mlir::DictionaryAttr>(fused.getMetadata())
             : nullptr;
}

/// The place of an op, also of one that is itself a move; `isUser` for what it moves for, else of
/// what it moves.
static mlir::Location plainPlace(mlir::Location location, bool isUser) {
  while (reasonOf(location)) {
    llvm::ArrayRef<mlir::Location> parts = llvm::cast<mlir::FusedLoc>(location).getLocations();
    if (parts.empty())
      return mlir::UnknownLoc::get(location.getContext());
    location = isUser ? parts.front() : parts.back();
  }
  return location;
}

mlir::Location placeOfMove(mlir::Location user, mlir::Location value, mlir::DictionaryAttr reason) {
  return mlir::FusedLoc::get(user.getContext(),
                             {plainPlace(user, /*isUser=*/true), plainPlace(value, false)}, reason);
}

mlir::Location placeInside(mlir::Location location, mlir::OperationName op) {
  if (reasonOf(location))
    return location;
  return mlir::FusedLoc::get(
      location.getContext(), {location},
      reasonAttr(location.getContext(), "inside '" + op.getStringRef() + "'"));
}

mlir::DictionaryAttr withLayouts(mlir::DictionaryAttr reason, sdy::ShardingAttr from,
                                 sdy::ShardingAttr to, mlir::RankedTensorType type) {
  mlir::NamedAttrList all(reason);
  all.set(fromKey, from);
  all.set(toKey, to);
  all.set(globalTypeAttrName, mlir::TypeAttr::get(type));
  return all.getDictionary(reason.getContext());
}

mlir::Location withReason(mlir::Location location, mlir::DictionaryAttr reason) {
  llvm::SmallVector<mlir::Location, 2> parts = {location};
  if (reasonOf(location))
    parts.assign(llvm::cast<mlir::FusedLoc>(location).getLocations().begin(),
                 llvm::cast<mlir::FusedLoc>(location).getLocations().end());
  return mlir::FusedLoc::get(location.getContext(), parts, reason);
}

static void collect(mlir::Location location, std::vector<Cause> &causes) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  if (!fused)
    return;
  mlir::DictionaryAttr reason = reasonOf(location);
  if (!reason) {
    for (mlir::Location part : fused.getLocations())
      collect(part, causes);
    return;
  }
  Cause cause{reason.getAs<mlir::StringAttr>(whyKey).str(), plainPlace(location, /*isUser=*/true),
              plainPlace(location, false)};
  cause.from = reason.getAs<sdy::ShardingAttr>(fromKey);
  cause.to = reason.getAs<sdy::ShardingAttr>(toKey);
  if (auto type = reason.getAs<mlir::TypeAttr>(globalTypeAttrName))
    cause.type = llvm::dyn_cast<mlir::RankedTensorType>(type.getValue());
  causes.push_back(std::move(cause));
}

std::vector<Cause> causesOf(mlir::Location location) {
  std::vector<Cause> causes;
  collect(location, causes);
  return causes;
}

} // namespace spmd
