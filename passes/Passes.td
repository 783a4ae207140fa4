// The passes. Their options are declared here; what these say of themselves is in OptionTexts.td.

#ifndef SPMD_PASSES
#define SPMD_PASSES

include "mlir/Pass/PassBase.td"
include "spmd/passes/OptionTexts.td"

class OnMissingOption<string default, string more = ""> : Option<"onMissing", "on-missing", "::spmd::OnMissing",
  default, onMissingText, "::spmd::onMissingValues()" # more>;

class OnNoRuleOption<string default> : Option<"onNoRule", "on-no-rule", "::spmd::OnNoRule", default, onNoRuleText,
  "::spmd::onNoRuleValues()">;

class GroupsOption<string default> : Option<"groups", "groups", "::spmd::GroupForm", default, groupsText,
  "::spmd::groupValues()">;

def ImportShardingsPass : Pass<"spmd-import-shardings", "::mlir::ModuleOp"> {
  let summary = "Read shardings in GSPMD's notation";
  let description = [{
    *Ensures* that no `mhlo.sharding`, no call of @Sharding, @SPMDFullToShardShape or @SPMDShardToFullShape
    and no `xla.sdy.*` is left: they are shardings, constraints and manual computations on one mesh, the
    module's own or one with the fewest axes for all that is said. A module without such notation is untouched.

    Shardings of ordinary ops, which earlier passes left there, are dropped. Linear.

    *Diagnostics*: texts that are no sharding or do not fit; shardings that no one mesh has axes for; a call of
    @Sharding that says nothing (a warning); manual regions that cannot be told from their surroundings.

    ```mlir
    // test/passes/import/shardings.mlir
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : ..
    // becomes
    %0 = sdy.sharding_constraint %x <@mesh, [{"axis_0"}, {} ]> : tensor<8x6xf32>
    ```
  }];
  let dependentDialects = ["::spmd::sdy::SdyDialect"];
}

def FunctionalizePass : Pass<"spmd-functionalize", "::mlir::ModuleOp"> {
  let summary = "Turn buffers, views and updates in place into values";
  let description = [{
    *Requires* buffers that stay in sight: made by `spmd.alloc` or a function's argument, used by loads, stores,
    views and calls in their own block (loads also in regions inside it).

    *Ensures* that no view is left. With `functionalize`, no buffer either: a load is what was stored last,
    buffer arguments are tensors, callees return what they leave in them. Without, buffers are accessed whole.
    In both modes the written buffer arguments of a function that nobody calls have a result each, behind the
    declared ones and in the order of the arguments, with the sharding of the argument, which is donated to it
    (`tf.aliasing_output`). Pins of views and loads become sharding constraints, those of buffers hold for all
    that is stored. What an unpinned buffer holds in turn becomes a sharding group. Programs without buffers
    are untouched.

    One walk forward for accesses, one backward for stores that nobody sees. Linear in the ops, and in the
    views between each access and its buffer.

    *Diagnostics*: every buffer that leaves sight: returned, given to an op or external function, stored to in a
    region, given twice to a callee that writes it. Follows the functionalization of PyTorch.

    ```mlir
    // test/passes/functionalize/views.mlir
    %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<2x3xf32>>) -> !spmd.buffer<tensor<3x2xf32>>
    spmd.store %t, %v : !spmd.buffer<tensor<3x2xf32>>
    // becomes: what %b holds is
    %0 = stablehlo.transpose %t, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = [Option<"functionalize", "functionalize", "bool", "true", functionalizeText>];
  let dependentDialects = ["::spmd::sdy::SdyDialect", "::spmd::stablehlo::StablehloDialect"];
}

def LegalizeChloPass : Pass<"spmd-legalize-chlo", "::mlir::ModuleOp"> {
  let summary = "Write composed functions as plain StableHLO";
  let description = [{
    *Ensures* that no op of `chlo` and no composite is left. What abbreviates (broadcasting ops, composites,
    constants, scans) is written out; functions become formulas, `top_k` a sort, `ragged_dot` a product of
    masked rows. With `keep-functions` the latter stay: they have sharding rules, so the pipeline partitions
    them whole and expands them at its end (docs/rationale/legalization.md). Discardable attributes go to the
    op that replaces another.

    One walk for each of the two. Floats narrower than f32 are computed as f32; tables and sources stand
    beside the formulas in passes/legalize.

    *Diagnostics*: each op of dynamic shape, or of an element type without an expansion.

    ```mlir
    // test/passes/legalize/elementary.mlir
    %0 = chlo.atan %x : tensor<3xf32> -> tensor<3xf32>
    // becomes
    %one = stablehlo.constant dense<1.0> : tensor<3xf32>
    %0 = stablehlo.atan2 %x, %one : tensor<3xf32>
    ```
  }];
  let options = [Option<"keepFunctions", "keep-functions", "bool", "false",
                        "Expand only what abbreviates other ops">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::spmd::sdy::SdyDialect", "::spmd::stablehlo::StablehloDialect"];
}

def PropagatePass : Pass<"spmd-propagate", "::mlir::ModuleOp"> {
  let summary = "Give every value a sharding, starting from those that have one";
  let description = [{
    *Requires* a program whose shardings, where it has any, fit their values.

    *Ensures* `sdy.sharding` on every value that an annotation reached, in regions too; inferred ones are marked
    `spmd.inferred`. Nothing else changes, but a function called with different shardings, or where axes are
    manual, is cloned for each distinct use, and what reducers say of shardings is dropped.

    A worklist over a flat graph, to a fixpoint, cheap ops first; see passes/propagate/Engine.h. Linear in
    the uses of values.

    *Diagnostics*: each value that nothing reached, by `on-missing`; recursive calls; shardings that do not
    fit. The order of rounds is that of Shardy's propagation.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::warn", [{,
    ::llvm::cl::values(clEnumValN(::spmd::OnMissing::warn, "warn", "report each, leave it as it is"))}]>];
}

def ReshardPass : Pass<"spmd-reshard", "::mlir::ModuleOp"> {
  let summary = "Make every move of data explicit";
  let description = [{
    *Requires* a sharding on every value.

    *Ensures* that the shardings of each op's operands and results fit one split of its rule: where a value
    lies differently from how it is used stands a `sdy.reshard`. Partial results are `unreduced` until one.
    No sharding constraint remains. What comes into a loop, or out of its
    body or a branch, lies as the carry or result; what decides is whole on every device.

    For each distinct op and surroundings the cheapest split is searched once (passes/reshard/Choose.h).

    *Diagnostics*: each value without a sharding, by `on-missing`; each op without a rule, by `on-no-rule`.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::error">, OnNoRuleOption<"::spmd::OnNoRule::replicate">];
  let dependentDialects = ["::spmd::sdy::SdyDialect"];
}

def PartitionPass : Pass<"spmd-partition", "::mlir::ModuleOp"> {
  let summary = "Turn global shapes into local ones and reshards into collectives";
  let description = [{
    *Requires* what `spmd-reshard` ensures.

    *Ensures* the program of one device in plain StableHLO. Arguments and results of public functions keep
    `sdy.sharding` and gain `spmd.global_type`. Groups of collectives are mesh axes.

    One walk; see passes/partition/Partitioner.h.

    Bodies of loops and branches are split in place; their arguments and results take local types.

    *Diagnostics*: each value without a sharding, by `on-missing`; each op that cannot be split as it should be.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::error", "">];
  let dependentDialects = ["::spmd::stablehlo::StablehloDialect"];
}

def OptimizePass : Pass<"spmd-optimize", "::mlir::ModuleOp"> {
  let summary = "Fewer and smaller collectives";
  let description = [{
    *Requires* a partitioned program.

    *Ensures* the same results up to reassociation. Equal collectives of a block become one; an all-reduce
    whose result is only sliced by position becomes a reduce-scatter; all-reduces over the same groups that do
    not depend on each other become one with several operands. Groups are written as `groups` says.
  }];
  let options = [
    GroupsOption<"::spmd::GroupForm::dense">,
    Option<"bucketBytes", "bucket-bytes", "uint64_t", "::spmd::defaultBucketBytes", bucketBytesText>
  ];
  let dependentDialects = ["::spmd::stablehlo::StablehloDialect"];
}

def VerifyPropagatedPass : Pass<"spmd-verify-propagated", "::mlir::ModuleOp"> {
  let summary = "Check that every value has a sharding";
  let description = [{ Reads only. Reports every value of rank 1 or more without one, then fails. }];
}

def VerifyReshardedPass : Pass<"spmd-verify-resharded", "::mlir::ModuleOp"> {
  let summary = "Check that each op's operands and results fit one split of its rule";
  let description = [{ Reads only. Reports every op that does not, and every constraint left, then fails. }];
}

def VerifyPartitionedPass : Pass<"spmd-verify-partitioned", "::mlir::ModuleOp"> {
  let summary = "Check that a program is that of one device";
  let description = [{
    Reads only. Reports every sharding op left, every argument and result whose type is not its part of the
    global type, every collective whose groups do not hold each device once, every collective in a branch that
    `partition_id` lets only some devices of a group take, then fails.
  }];
}

#endif // SPMD_PASSES
