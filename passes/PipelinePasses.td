// The class of all passes, and the passes that pipelines are made with: a part of Passes.td.

#ifndef SPMD_PIPELINE_PASSES
#define SPMD_PIPELINE_PASSES

// A pass over a module. It depends on every dialect that a program may have: the interface `Partitionable` decides
// what an op becomes, not the pass, and a program need not hold an op of the dialect already. MLIR refuses to load a
// dialect while passes run, and ops of a dialect that is not loaded crash.
class SpmdPass<string flag, string operation = "::mlir::ModuleOp"> : Pass<flag, operation> {
  let dependentDialects = ["::mlir::func::FuncDialect", "::spmd::chlo::ChloDialect", "::spmd::sdy::SdyDialect",
                           "::spmd::SpmdDialect", "::spmd::stablehlo::StablehloDialect"];
}

def UnlessPartitionedPass : SpmdPass<"spmd-unless-partitioned"> {
  let summary = "Run a pipeline on programs that are not partitioned yet";
  let description = [{
    *Ensures* that `pipeline` has run, unless arguments or results have `spmd.global_type` or the module
    `spmd.partitioned`: local types are not to be split once more. Such a program is untouched. `--spmd-pipeline` is
    this pass around the stages up to partition, and then optimize.

    *Diagnostics*: a program that is partitioned already, where `pipeline` has `spmd-apply-plan`; those of the passes in
    `pipeline`. A pipeline that does not parse is an error of the command line.

    ```mlir
    // test/passes/pipeline/unless-partitioned.mlir, with pipeline=spmd-import-shardings
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    // becomes
    %0 = sdy.sharding_constraint %x <@mesh, [{"axis_0"} ]> : tensor<8xf32>
    ```
  }];
  let options = [Option<"pipeline", "pipeline", "std::string", "", "Passes to run, in MLIR's notation: a,b{option=value}">];
  let constructor = "::spmd::createUnlessPartitionedPass()";
}

def VerifyPass : SpmdPass<"spmd-verify", ""> {
  let summary = "Verify every op, as MLIR's drivers do behind each pass";
  let description = [{
    Reads only. `spmd-opt` and `spmd-run` end their pipelines with it: to verify behind each pass takes as long as the
    passes themselves.

    *Diagnostics*: those of the verifiers of ops.
  }];
}

def CheckKnownPass : SpmdPass<"spmd-check-known", ""> {
  let summary = "Refuse ops and types of dialects that are not known";
  let description = [{
    Reads only. `spmd-opt` begins its pipelines with it: programs are parsed such that attributes of any dialect stay.

    *Ensures* that every op is of a known dialect, and so is the type of every value. Attributes may be of others.
    Linear.

    *Diagnostics*: ops that are not known, each name once; types that are not known.
  }];
}

#endif // SPMD_PIPELINE_PASSES
