// The op interfaces of `sdy`.
#ifndef SPMD_DIALECT_SDY_INTERFACES_TD
#define SPMD_DIALECT_SDY_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Sdy_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::spmd::sdy";
  let description = [{
    An op that takes one tensor to another sharding in one step. Implemented by the collectives of
    this dialect, so that passes can treat them alike.
  }];
  let methods = [
    InterfaceMethod<"Returns the tensor to reshard.", "::mlir::TypedValue<::mlir::RankedTensorType>",
                    "getTensor">,
    InterfaceMethod<"Returns the sharding of the result.", "::spmd::sdy::ShardingAttr",
                    "getOutSharding">
  ];
}

#endif // SPMD_DIALECT_SDY_INTERFACES_TD
