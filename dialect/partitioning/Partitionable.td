// The op interface by which the compiler learns how an op splits.

#ifndef SPMD_DIALECT_PARTITIONING_PARTITIONABLE
#define SPMD_DIALECT_PARTITIONING_PARTITIONABLE

include "mlir/IR/OpBase.td"

def Partitionable : OpInterface<"Partitionable"> {
  let description = [{
    Everything that propagation, resharding and partitioning ask about an op. Implemented by external
    models, one file per op family in this folder, so that this is the one place that knows how an op
    splits, and no engine names an op.
  }];
  let cppNamespace = "::spmd";
  let methods = [InterfaceMethod<[{
      Returns the ways to run the op on shards, in terms of its global types. At least one. Depends on
      nothing but the op's name, types, inherent attributes and regions.
    }],
                                 "::spmd::Strategies", "getStrategies", (ins)>,
                 InterfaceMethod<[{
      Returns whether the results cost nothing wherever they are needed: constants, iotas. The compiler
      makes such an op anew for each sharding in which it is wanted. Depends on nothing but the op's
      name.
    }],
                                 "bool", "isFree", (ins), "", [{ return false; }]>,
                 InterfaceMethod<[{
      Returns whether the op only says how its operand should lie, as its result: constraints, reshards,
      and groups, which have no result.
      The compiler moves the data and drops the op.
    }],
                                 "bool", "isPlacement", (ins), "", [{ return false; }]>,
                 InterfaceMethod<[{
      Returns the group in which the op puts its operand, if it does: all values of one group of a
      function lie alike.
    }],
                                 "::std::optional<uint64_t>", "getGroup", (ins), "",
                                 [{ return ::std::nullopt; }]>,
                 InterfaceMethod<[{
      Turns the op, whose operands are local by now, into what one device runs. The default gives the
      results their local types, which is right where nothing else depends on the global shape.
    }],
                                 "::mlir::LogicalResult", "localize",
                                 (ins "::spmd::Localizer &":$localizer), "", [{
      ::spmd::setResultTypes(localizer);
      return ::mlir::success();
    }]>];
}

#endif // SPMD_DIALECT_PARTITIONING_PARTITIONABLE
