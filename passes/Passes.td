// The passes; those that only check are in VerifyPasses.td, those that rewrite calls and slices in
// SlicesPasses.td, what all of them share and what pipelines are made with in PipelinePasses.td. Their options are declared here; what these say of themselves is in OptionTexts.td.

#ifndef SPMD_PASSES
#define SPMD_PASSES

include "mlir/Pass/PassBase.td"
include "spmd/passes/OptionTexts.td"
include "spmd/passes/PipelinePasses.td"
include "spmd/passes/SlicesPasses.td"
include "spmd/passes/VerifyPasses.td"

class OnMissingOption<string default, string more = ""> : Option<"onMissing", "on-missing", "::spmd::OnMissing",
  default, onMissingText, "::spmd::onMissingValues()" # more>;

class OnNoRuleOption<string default> : Option<"onNoRule", "on-no-rule", "::spmd::OnNoRule", default, onNoRuleText,
  "::spmd::onNoRuleValues()">;

class ConflictsOption<string default> : Option<"conflicts", "conflicts", "::spmd::Conflicts", default, conflictsText,
  "::spmd::conflictsValues()">;

class HintsOption<string default> : Option<"hints", "hints", "::spmd::Hints", default, hintsText,
  "::spmd::hintsValues()">;

class GroupsOption<string default> : Option<"groups", "groups", "::spmd::GroupForm", default, groupsText,
  "::spmd::groupValues()">;

def FlattenTuplesPass : SpmdPass<"spmd-flatten-tuples"> {
  let summary = "Make the parts of tuples values of their own";
  let description = [{
    *Ensures* that functions, calls, loops, branches and barriers take and give the parts of tuples, in order,
    tuples in tuples included: each can lie as it likes. What the notation of GSPMD says of a tuple goes to its
    parts; a donation names its result by its new number. Tuples stay where something else asks for them:
    operands of custom calls, asynchronous work, and functions that something else than a call names. Linear.

    ```mlir
    // test/passes/import/tuples.mlir
    func.func @main(%t: tuple<tensor<8xf32>, tensor<i32>>) -> tensor<8xf32> {
      %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<8xf32>, tensor<i32>>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%t: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
      return %t : tensor<8xf32>
    }
    ```
  }];
}

def ImportShardingsPass : SpmdPass<"spmd-import-shardings"> {
  let summary = "Read shardings in GSPMD's notation";
  let description = [{
    *Ensures* that no `mhlo.sharding`, no call of @Sharding, @SPMDFullToShardShape or @SPMDShardToFullShape
    and no `xla.sdy.*` is left: they are shardings, constraints and manual computations on one mesh, the module's own
    or one with the fewest axes for all that is said, or several where no one has axes for all. Shardings of ordinary
    ops, which earlier passes left there, become hints, `spmd.sharding_hint`, where the mesh has axes for them. Else they
    are dropped, and so are `xla_shape` and `result_layout`, which are of whole tensors. Linear.

    *Diagnostics*: texts that are no sharding or do not fit; shardings that it takes more than 8 meshes for; a call of
    @Sharding that says nothing (a warning); manual regions that cannot be told from their surroundings.

    ```mlir
    // test/passes/import/shardings.mlir
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : ..
    // becomes
    %0 = sdy.sharding_constraint %x <@mesh, [{"axis_0"}, {} ]> : tensor<8x6xf32>
    ```
  }];
}

def RefineShapesPass : SpmdPass<"spmd-refine-shapes"> {
  let summary = "Make dynamic shapes static, from those of the arguments";
  let description = [{
    *Requires* a function @main whose arguments have static shapes, or `sizes` for their dynamic dims.

    *Ensures* that @main and what it calls have static shapes, and other public functions of static
    arguments with what they call, and that ops whose sizes are operands are their static forms; those of
    static result whose operands are not known stay, and are checked when they run. A function is cloned for
    each distinct set of shapes, and of integers that are known, it is called with. Assertions on sizes are
    checked and gone, and so is arithmetic on sizes that nobody needs any more. A module without dynamic
    shapes is untouched.

    One walk from @main through calls, then from such other functions; see passes/refine/RefineShapes.h.
    Linear in the ops of all clones.

    *Diagnostics*: each value whose sizes are not known before the program runs, with what they follow
    from; sizes that do not fit; assertions that do not hold; recursion.

    ```mlir
    // test/passes/refine/refine.mlir, with sizes=3
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    // becomes
    %0 = stablehlo.iota dim = 0 : tensor<3xf32>
    ```
  }];
  let options = [ListOption<"sizes", "sizes", "int64_t", sizesText>];
}

def ApplyPlanPass : SpmdPass<"spmd-apply-plan"> {
  let summary = "Put what a plan file says on the program";
  let description = [{
    *Requires* shardings in `sdy`'s notation, if any.

    *Ensures* that the program says what the plan says, as if it were written there: the mesh, shardings of
    arguments and results, constraints on what ops compute, rules of custom calls. Shardings that the program
    has in these places give way, with a remark.

    Entries are matched by name, number, op and location; what several say of one value is joined, lower
    priority numbers first. Styles of parameters follow each parameter by the sharding rules of the ops to its
    first product (passes/plan/ParameterUses.h). Linear in the program for each entry that speaks of ops.

    *Diagnostics*: `plan` is not given; at the lines of the plan, all at once: texts that are no plan, patterns
    that match nothing, unknown axes, shardings that do not fit, entries that contradict. docs/plans.md has the
    language.

    ```mlir
    // test/passes/plan/styles.test: entry { argument: "up" colwise { axis: "tp" } }
    func.func @main(%x: tensor<8x6xf32>, %up: tensor<6x4xf32>) ..
    // becomes
    func.func @main(%x: tensor<8x6xf32>, %up: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"} ]>}) ..
    ```
  }];
  let options = [Option<"plan", "plan", "std::string", "", planText>,
                 Option<"notePlaces", "note-places", "bool", "false",
                        "Mark what the plan speaks of by where it does, as --spmd-explain needs it">];
}

def ExportShardingsPass : SpmdPass<"spmd-export-shardings"> {
  let summary = "Write shardings in GSPMD's notation";
  let description = [{
    *Ensures* that no op or attribute of `sdy` is left. Arguments, results and ops say in `mhlo.sharding` how
    they lie; constraints, groups and reshards are calls of @Sharding, manual computations their bodies between
    calls of @SPMDFullToShardShape and @SPMDShardToFullShape, or with `form=shardy` calls between Shardy's.
    What `spmd-import-shardings` makes of this says the same; written again, it is the same text.

    v1 and v2 have open dims for constraints only, and no names: such wishes are dropped. Linear.

    *Diagnostics*: propagation barriers, which are left out (a warning); values that are partial by another
    reduction than a sum, in v1 and v2.

    ```mlir
    // test/passes/export/shardings.mlir
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {?} ]> : tensor<8x6xf32>
    // becomes
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : ..
    ```
  }];
  let options = [Option<"form", "form", "::spmd::ShardingForm", "::spmd::ShardingForm::v2", shardingFormText,
                        "::spmd::shardingFormValues()">];
}

def FunctionalizePass : SpmdPass<"spmd-functionalize"> {
  let summary = "Turn buffers, views and updates in place into values";
  let description = [{
    *Requires* buffers that stay in sight: made by `spmd.alloc` or a function's argument, used by loads, stores,
    views and calls in their own block, in branches and in bodies of loops (loads also in other regions inside it).

    *Ensures* that no view is left. With `functionalize`, no buffer either: a load is what was stored last,
    buffer arguments are tensors, callees return what they leave in them. Without, buffers are accessed whole.
    In both modes what branches and loops write is passed through them as values, and the written buffer
    arguments of a function that nobody calls have a result each, behind the declared ones and in the order of
    the arguments, with the sharding of the argument, which is donated to it (`tf.aliasing_output`). Pins of
    views and loads become sharding constraints, those of buffers hold for all that is stored. What an unpinned
    buffer holds in turn becomes a sharding group. Programs without buffers are untouched.

    One walk forward for accesses, one backward for stores that nobody sees. Linear in the ops, and in the
    views between each access and its buffer.

    *Diagnostics*: every buffer that leaves sight: returned, given to an op or external function, stored to in a
    region that is no branch and no body of a loop, given twice to a callee that writes it; stores through views
    that show an element twice; pins that contradict each other; arguments that share memory and are both
    written. Follows the functionalization of PyTorch.

    ```mlir
    // test/passes/functionalize/views.mlir
    %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<2x3xf32>>) -> !spmd.buffer<tensor<3x2xf32>>
    spmd.store %t, %v : !spmd.buffer<tensor<3x2xf32>>
    // becomes: what %b holds is
    %0 = stablehlo.transpose %t, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = [Option<"functionalize", "functionalize", "bool", "true", functionalizeText>];
}

def ForwardContentsPass : SpmdPass<"spmd-forward-contents"> {
  let summary = "Load what was stored last, where shardings are known";
  let description = [{
    *Requires* buffers as `spmd-functionalize` leaves them without `functionalize`, and shardings on all values.

    *Ensures* that a load is what was stored last. Only the buffer arguments of functions that nobody calls are
    left, each read once at the start and, if the function writes it, written once at the end; callees take and
    return tensors. What a pinned buffer holds is constrained to its pin. The stages behind it so see the program that
    they see with `functionalize`: they move and hold the same. Programs without buffers are untouched.

    One walk. Linear in the ops.

    *Diagnostics*: none.

    ```mlir
    // test/passes/functionalize/forward-contents.mlir
    %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
    spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
    %1 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
    %2 = stablehlo.add %0, %1 : tensor<4xf32>
    // becomes
    %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
    %1 = stablehlo.add %0, %t : tensor<4xf32>
    spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
    ```
  }];
}

def UpdateInPlacePass : SpmdPass<"spmd-update-in-place"> {
  let summary = "Compute updates of slices where their elements lie";
  let description = [{
    *Requires* shardings on all values, as propagation leaves them.

    *Ensures* that what is stored to a constant slice along a split dim, and is computed element by element from
    the same slice of that tensor, or of others that lie alike, is computed on the whole tensors and selected by
    a mask: nothing has to move. What else it is computed from, as y in `x[1:4] += y`, is padded to the whole (a
    single row is repeated), unless a device holds so much of the tensor that to move the slice counts less. So is
    what is stored without being read, where it lies otherwise than the tensor, if a device holds no more than the
    slice. The two parts of a tensor that are joined the other way round along such a dim are one `spmd.rotate`. All
    else is untouched.

    Looks at each update and at up to 64 ops before it.

    ```mlir
    // test/passes/functionalize/update-in-place.mlir: %x is split along dim 0
    %0 = stablehlo.slice %x [1:3] : (tensor<8xf32>) -> tensor<2xf32>
    %1 = stablehlo.negate %0 : tensor<2xf32>
    %2 = stablehlo.dynamic_update_slice %x, %1, %one : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
    // becomes
    %1 = stablehlo.negate %x : tensor<8xf32>
    %2 = stablehlo.select %rows_1_and_2, %1, %x : tensor<8xi1>, tensor<8xf32>
    ```
  }];
}

def MoveWeightsPass : SpmdPass<"spmd-move-weights"> {
  let summary = "Move weights where products of them would move";
  let description = [{
    *Requires* shardings on all values, as propagation leaves them.

    *Ensures* that a product whose split dim is cut, or written as several dims, so that shards do not fit, is made of a
    weight that is cut or written so, if that is at most half as large on a device. Between the two may be what works
    element by element, broadcasts, transposes and reshapes of other dims. Likewise, a product that reads what is joined
    along a split dim is the sum of products of the pieces, or joined of them. All else is untouched.

    Linear in the ops; at most 32 between a product and what is cut or joined.

    *Diagnostics*: none.

    ```mlir
    // test/passes/weights/slices.mlir: %w is split along dim 1
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
    %1 = stablehlo.slice %0 [0:64, 0:8] : (tensor<64x24xf32>) -> tensor<64x8xf32>
    // becomes
    %0 = stablehlo.slice %w [0:4, 0:8] : (tensor<4x24xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
    ```
  }];
}

def LegalizeChloPass : SpmdPass<"spmd-legalize-chlo"> {
  let summary = "Write composed functions as plain StableHLO";
  let description = [{
    *Ensures* that no op of `chlo` and no composite is left. What abbreviates (broadcasting ops, composites,
    constants, scans) is written out, as are normalizations that find their own statistics and custom calls
    that stand for functions of `chlo` or search for the largest elements (`ApproxTopK`: none is missed); functions become formulas, `top_k` a sort, `ragged_dot` a product of
    masked rows. Components of indices that count the rows of the indices become batch dims;
    slices that start now and are done later, plain ones. With `keep-functions` the functions stay: they have sharding rules, so the pipeline partitions
    them whole and expands them at its end (docs/rationale/legalization.md); and so do composites of static shape with a
    `sdy.sharding_rule`, for `--spmd-expand-composites`. With `keep-hlo`, those that
    compilers of HLO have opcodes for, composites among them. Discardable attributes go to the
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
                        "Expand only what abbreviates other ops">,
                 Option<"keepHlo", "keep-hlo", "bool", "false", "Leave what compilers of HLO have opcodes for">];
}

def ExpandCompositesPass : SpmdPass<"spmd-expand-composites"> {
  let summary = "Make calls of composites that a rule splits";
  let description = [{
    *Requires* what `--spmd-propagate` leaves.

    *Ensures* that no composite of static shape with a `sdy.sharding_rule` is left. Each becomes the call of a
    copy of its decomposition, which takes and gives what one split of the rule says: each factor as the first
    result has it that is split along it, else as the first operand. Composites that lie alike share a copy. What is
    inside has shardings too, found from these borders alone; nothing else changes. The call keeps the rule, as
    `spmd.composite_rule`, so that both passes change nothing when they run again.

    `--spmd-propagate` of the copies, level by level of what they are made of; linear in the copies.

    *Diagnostics*: a composite that is made of itself; those of `--spmd-propagate` for what is inside, each once for
    all copies.

    ```mlir
    // test/passes/propagate/expand-composites.mlir
    %0 = stablehlo.composite "my.op" %a {decomposition = @op, sdy.sharding = .., sdy.sharding_rule = ..} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // becomes
    %0 = call @op_0(%a) {sdy.sharding = .., spmd.composite_rule = ..} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::warn", [{,
    ::llvm::cl::values(clEnumValN(::spmd::OnMissing::warn, "warn", "report each, leave it as it is"))}]>,
                 OnNoRuleOption<"::spmd::OnNoRule::replicate">,
                 ConflictsOption<"::spmd::Conflicts::classes">, HintsOption<"::spmd::Hints::use">,
                 Option<"verbose", "verbose", "bool", "false", verboseText>];
}

def PropagatePass : SpmdPass<"spmd-propagate"> {
  let summary = "Give every value a sharding, starting from those that have one";
  let description = [{
    *Requires* a program whose shardings, where it has any, fit their values.

    *Ensures* `sdy.sharding` on every value that an annotation reached, in regions too; inferred ones are marked
    `spmd.inferred`. Nothing else changes, but tuples become their parts (as in `spmd-flatten-tuples`), a function called with different shardings, or where axes are
    manual, is cloned for each distinct use, and what reducers say of shardings is dropped.

    A worklist over a flat graph, to a fixpoint, cheap ops first; see passes/propagate/Engine.h. Then, with
    `conflicts=classes`, connected tensors that one axis could split in several ways are decided together, by
    what the whole program costs; see ir/classes/Decide.h. Linear in the uses of values. With `hints=use`,
    what `spmd.sharding_hint` says is taken last; no hint is left.
    `on-no-rule=infer-from-users` first does it all on a copy, up to 16 times: a custom call without a rule gets one by
    which its results lie split as they do there (dialect/partitioning/AssumedRule.h).

    *Diagnostics*: values that nothing reached, by `on-missing`: the ten largest, by line of the source, and a line
    that counts the rest, or with `verbose` each; recursive calls; shardings that do not fit. The order of rounds is that of Shardy's propagation; with `conflicts=shardy` so is all else, see
    docs/shardy.md.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::warn", [{,
    ::llvm::cl::values(clEnumValN(::spmd::OnMissing::warn, "warn", "report each, leave it as it is"))}]>,
                 OnNoRuleOption<"::spmd::OnNoRule::replicate">,
                 ConflictsOption<"::spmd::Conflicts::classes">, HintsOption<"::spmd::Hints::use">,
                 Option<"verbose", "verbose", "bool", "false", verboseText>,
                 Option<"origins", "debug-sharding-origins", "bool", "false",
                        "Write where the axes of each value come from, in Shardy's debug notation">,
                 Option<"edges", "debug-propagation-edge-sharding", "bool", "false",
                        "Write which axes each op moved from which value to which, in Shardy's debug notation">];
}

def WriteRulesPass : SpmdPass<"spmd-write-rules"> {
  let summary = "Write how each op splits, in Shardy's notation";
  let description = [{
    *Ensures* that each op with operands and a rule has it as `sdy.sharding_rule`: of several strategies the first, its
    factors in the order in which Shardy names them. Rules that a user wrote stay. What Shardy has no word for
    gets the nearest: docs/shardy.md. For reading; no other pass reads these rules of ops that we know.

    ```mlir
    // test/passes/propagate/write-rules.mlir
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}>} : ..
    ```
  }];
}

def ReshardPass : SpmdPass<"spmd-reshard"> {
  let summary = "Make every move of data explicit";
  let description = [{
    *Requires* a sharding on every value.

    *Ensures* that the shardings of each op's operands and results fit one split of its rule: where a value
    lies differently from how it is used stands a `sdy.reshard`. Partial results are `unreduced` until one. No sharding
    constraint remains. What comes into a loop, or out of its body or a branch, lies as its result; what decides is whole.

    One optimizer decides the splits of all ops of a function, and the layouts of all values, by the cost of the whole
    (FunctionPlan.h). In a function with values on several meshes, on a mesh with device ids, or with an op of more options
    than ir/planner/Options.h allows, each op takes the split that is cheapest for what is around it (ir/choose/Choose.h).
    Moves of values that do not change in a loop leave it, within `hoist` bytes (LimitHoisting.h).

    *Diagnostics*: a program that is partitioned already; each value without a sharding, by `on-missing`; each op without a
    rule, by `on-no-rule`.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::error">, OnNoRuleOption<"::spmd::OnNoRule::replicate">,
                 Option<"hoist", "hoist", "uint64_t", "::spmd::defaultBucketBytes", hoistText>];
}

def PartitionPass : SpmdPass<"spmd-partition"> {
  let summary = "Turn global shapes into local ones and reshards into collectives";
  let description = [{
    *Requires* what `spmd-reshard` ensures.

    *Ensures* the program of one device in plain StableHLO. Arguments and results of public functions keep
    `sdy.sharding` and gain `spmd.global_type`. Groups of collectives are mesh axes.

    One walk; see passes/partition/Partitioner.h.

    Bodies of loops and branches are split in place; their arguments and results take local types.

    *Diagnostics*: a program that is partitioned already; each value without a sharding, by `on-missing`; each op that cannot
    be split as it should be.
  }];
  let options = [OnMissingOption<"::spmd::OnMissing::error", "">];
}

def OptimizePass : SpmdPass<"spmd-optimize"> {
  let summary = "Fewer and smaller collectives";
  let description = [{
    *Requires* a partitioned program.

    *Ensures* the same results up to reassociation. In this order:

    - what a loop collects of reduced values, or writes in small rows, is reduced behind it: the bytes of all turns but
      one, or a collective for each (`hoist` bounds what it hands on instead of scattered values);
    - a collective on what does not change in a loop leaves it: the bytes of all turns but one (`hoist`);
    - conversions pass moves where narrower elements travel then: bf16 for f32 is half the bytes;
    - equal collectives of a block become one: the bytes of the later ones (`gathers`);
    - a gather whose own piece is sliced out becomes nothing, or an all-to-all: a g-th of the bytes on a group
      of g; a reduce-scatter that is gathered again an all-reduce, two permutes one: a latency;
    - an all-reduce whose result is only sliced by position becomes a reduce-scatter: half the bytes;
    - an all-reduce of an all-reduce becomes one over the devices of both, a reduce-scatter of one is done before it: fewer
      bytes;
    - permutes that no device sends or receives in both of become one: a latency;
    - with `overlap`, products that wait for data are made in pieces: the time that is hidden;
    - collectives over the same groups that do not depend on each other become one: a latency each
      (`bucket-bytes`). Ops between them are done before or behind, unless that takes more memory;
      small ones that are copied to be one, as permutes are, only where none is far deeper in the program than another:
      what can be sent early, and what is made of it, does not wait;
      with `overlap`, or where gathers are recomputed, they stay in their order;
    - what is gathered, alone or with others, is held for a later gather of it in another order where that takes no more
      memory, or it is small: the bytes of the later one (`gathers`);
    - what is spread over more elements twice, such as the sum of a softmax, is spread once where all that read it
      compute element by element: what a compiler behind this would hold in between.

    Groups are written as `groups` says.

    With `once-only` alone what does not change what moves: loops move and reduce what they can behind or before them, equal
    collectives are one, pieces of one value that travel the same way share what they have in common, and permutes
    that no device takes part in twice are one. What is left is what a plan moves at least.
  }];
  let options = [
    GroupsOption<"::spmd::GroupForm::dense">,
    Option<"bucketBytes", "bucket-bytes", "uint64_t", "::spmd::defaultBucketBytes", bucketBytesText>,
    Option<"gathers", "gathers", "::spmd::Gathers", "::spmd::Gathers::share", gathersText,
           "::spmd::gathersValues()">,
    Option<"hoist", "hoist", "uint64_t", "::spmd::defaultBucketBytes", hoistText>,
    Option<"overlap", "overlap", "bool", "false", overlapText>,
    Option<"onceOnly", "once-only", "bool", "false", onceOnlyText>
  ];
}

def PrunePass : SpmdPass<"spmd-prune"> {
  let summary = "Drop what nobody needs once shardings are known";
  let description = [{
    *Ensures* that no op without effects is left whose results nobody uses, constraints and groups included, and that a
    private function that is only called has no argument that it does not read and no result that no caller reads; one that
    nobody calls any more is gone; so are stores to what is stored to again before anybody looks. Calls keep their locations and the shardings of the results that stay. Loops keep
    what they carry, and custom calls stay.

    A worklist of ops and functions that lost a user. Linear in the ops, and in the calls of each function as often
    as it becomes shorter.

    *Diagnostics*: none. After propagation, so that constraints on values that nobody uses further still count;
    before the moves are planned, so that nothing moves, or is held whole, for nobody.

    ```mlir
    // test/passes/prune/prune.mlir
    %0:2 = call @both(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<6xf32>)
    // becomes, where nobody uses %0#1:
    %0 = call @both(%a) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

#endif // SPMD_PASSES
