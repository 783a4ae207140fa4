// The passes that check what others left, or what a user wrote, and change nothing: a part of Passes.td.

#ifndef SPMD_VERIFY_PASSES
#define SPMD_VERIFY_PASSES

def VerifyPropagatedPass : SpmdPass<"spmd-verify-propagated"> {
  let summary = "Check that every value has a sharding, and that devices decide alike in manual computations";
  let description = [{
    Reads only. Reports every value of rank 1 or more without a sharding, then fails.

    In manual computations, and in the functions called there, a warning names each branch and loop that is
    decided by what may differ along the axes of a collective in it: arguments differ along the manual axes
    that cut them, what is made of them does so too, a collective over whole axes makes it the same along these.
    Linear, but for the groups, which are looked at device by device, where a branch or a loop is around a
    collective.

    ```mlir
    // test/passes/verify/guards-invalid.mlir
    %1 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %p = stablehlo.compare GT, %1, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.if"(%p) ({
    ```
  }];
}

def VerifyReshardedPass : SpmdPass<"spmd-verify-resharded"> {
  let summary = "Check that each op's operands and results fit one split of its rule";
  let description = [{ Reads only. Reports every op that does not, and every constraint left, then fails. }];
}

def VerifyPartitionedPass : SpmdPass<"spmd-verify-partitioned"> {
  let summary = "Check that a program is that of one device";
  let description = [{
    Reads only. Reports every sharding op left, every argument and result whose type is not its part of the
    global type, every collective whose groups do not hold each device once, every collective in a branch that
    `partition_id` lets only some devices of a group take, then fails.
  }];
}

def VerifyMemoryPass : SpmdPass<"spmd-verify-memory"> {
  let summary = "Check that one device holds no more bytes than it may";
  let description = [{
    Reads only. *Requires* a partitioned program.

    Compiles the program for the runtime, whose plan says what is alive at once, and fails if that is more than
    `memory-limit`. Linear.

    *Diagnostics*: the op at which the most is alive, the bytes, and the largest tensors alive then; for an
    argument, the line that splits it further.
  }];
  let options = [
    Option<"limit", "memory-limit", "uint64_t", "0", memoryLimitText>
  ];
}

def CheckRulesPass : SpmdPass<"spmd-check-rules"> {
  let summary = "Run each rule that a user wrote, and reject what is false";
  let description = [{
    Reads only. *Requires* static shapes.

    An op that has a `sdy.sharding_rule`, or whose target has a registered rule, runs alone in the
    interpreter: whole, and split in every way that its rule allows over each of `meshes`, on random numbers
    and with poison in padding. With `all` so do ops that the compiler itself has rules of. A rule of the user
    is tried on small tensors of its form; where the op cannot be on shards as it is, since its sizes are
    attributes, nothing that a device does not hold may change its part of the results, and of shares of a sum
    what a device alone holds must count for itself.

    What a custom call computes is said by a kernel of the interpreter, or by a function of dynamic shape
    that the op names as `spmd.reference`. A call on buffers is tried as what it is on the values in them.

    With `used` it is what the pipeline does first: only what a program is partitioned by is checked, briefly. Of an
    op that the compiler has a rule of, which the user's can only restrict, that is what the user's claims
    beyond it; a composite is partitioned as what it is made of. A custom call whose rule cannot
    be checked is told of in a remark, once for each target.

    Linear in distinct ops; each runs at most (factors + axes)^axes times for a mesh and strategy, and as
    often for each kind of partial operand.

    *Diagnostics*: each rule that is false, with the split, the device, the element and both values; rules
    that cannot be checked (a warning); with `remarks` each that holds.

    ```mlir
    // test/passes/verify/check-rules-invalid.mlir
    %0 = stablehlo.custom_call @reverse(%x) {spmd.reference = @reverse,
        sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=6}, custom>} : (tensor<6xf32>) -> tensor<6xf32>
    ```
  }];
  let options = [
    Option<"all", "all", "bool", "false", "Check all ops that have a rule, not only those of users">,
    Option<"used", "used", "bool", "false", "Check briefly what a program is partitioned by; report what is false, and which custom calls are unchecked">,
    Option<"remarks", "remarks", "bool", "false", "Say of each rule that holds on how many placements it does">,
    ListOption<"meshes", "meshes", "std::string", "Sizes of the axes of the meshes to split over, by default 2,3,2x2">
  ];
}

#endif // SPMD_VERIFY_PASSES
