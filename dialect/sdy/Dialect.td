// The dialect record of `sdy`.
#ifndef SPMD_DIALECT_SDY_DIALECT_TD
#define SPMD_DIALECT_SDY_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let summary = "Shardings of tensors over meshes of devices, in Shardy's notation";
  let description = [{
    Says how tensors lie on a mesh of devices. Read and printed as openxla/shardy does; the algebra
    behind it is `ir/sharding`.

    Discardable attributes, checked wherever they occur:
    - `sdy.sharding` on a function argument or result: `#sdy.sharding`;
    - `sdy.sharding` on an op: `#sdy.sharding_per_value`, one for each result;
    - `sdy.sharding_rule` on an op: `#sdy.op_sharding_rule`, written by the user;
    - `sdy.sharding_origins`, `sdy.sharding_origin_name` and `sdy.propagation_edges`, and at ops with
      regions `sdy.block_arg_..` and `sdy.result_sharding_origins` and `.._propagation_edges`: where
      a sharding came from, for people who debug propagation.
  }];
  let cppNamespace = "::spmd::sdy";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // SPMD_DIALECT_SDY_DIALECT_TD
