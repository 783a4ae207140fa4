// The passes that write out or drop calls, and find what slices read where it comes from: a part of Passes.td.

#ifndef SPMD_SLICES_PASSES
#define SPMD_SLICES_PASSES

def InlineFunctionsPass : SpmdPass<"spmd-inline-functions"> {
  let summary = "Write short functions out where they are called";
  let description = [{
    *Ensures* that calls of private functions without `rng` and memory are replaced by what these do, where neither
    gives arguments or results shardings. The function has at most 32 ops, constraints aside, or is
    called once. Functions without calls are removed. A frontend's roll, pad or clip can then be joined with the ops
    around the call. Linear in the ops, before and after.

    *Diagnostics*: none.

    ```mlir
    // test/passes/slices/inline-functions.mlir
    func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def ComposeSlicesPass : SpmdPass<"spmd-compose-slices"> {
  let summary = "Read rows that are padded, joined or cut, and then cut again, where they come from";
  let description = [{
    *Ensures* that no pad and no concatenation is left that only slices read, as far as these can be read from what
    it is made of: a shift, written as `pad` or `concatenate` and `slice`, becomes a pad with a negative edge, or joins
    slices. A slice of a slice that nobody else reads is one slice; a slice of all is its operand, of nothing a
    constant; a reshape that takes back others is gone, also where these swap or turn round dims of one row; so is a
    transpose of a transpose, and operands of concatenations without rows. Pieces padded with zeros to stand one behind
    the other, and added up, are joined. Where less moves so, dims that are swapped and then merged stay apart, as do those
    behind one that a pin cuts unevenly, or in front of one that a pin cuts; a normalization of which these are the
    features is written out. Ops with discardable attributes stay; those of a slice go to what replaces it.

    The padded rows would be split otherwise than what they come from and go to, so that all move, twice; a shift alone
    moves as many rows as it is wide. Of a merged dim only the major part can be split, which a swap has made another
    one than was split; an uneven one is cut at other rows. One walk from the end, or two where dims are apart: linear.

    *Diagnostics*: none.

    ```mlir
    // test/passes/slices/compose-slices.mlir
    %0 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
    %1 = stablehlo.slice %0 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
    // becomes
    %1 = stablehlo.pad %a, %zero, low = [1], high = [-1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    ```
  }];
}

def ResolveCallbacksPass : SpmdPass<"spmd-resolve-callbacks"> {
  let summary = "Drop or refuse calls into the process that traced the program";
  let description = [{
    *Requires* references on calls, where a plan gives them one (`spmd-apply-plan`).

    *Ensures* with `callbacks=drop` that no Python callback, no transfer to the host, and no call of JAX's
    `custom_partitioning` is left but those with a `spmd.reference`. Callbacks whose results nobody uses, tokens
    aside, only print: they are erased, with what is computed for them alone. `keep` leaves callbacks, for a runtime
    that has the process; it refuses `custom_partitioning` all the same, which no runtime can call. `ignore` changes
    and says nothing. What JAX says of the one device that runs a callback is gone where a reference runs in its place.
    Linear.

    *Diagnostics*: a remark for each call that is dropped or kept; an error for each that computes what the program
    uses, with the function to write; with `callbacks=error`, an error for all.

    ```mlir
    // test/passes/import/resolve-callbacks.mlir, with callbacks=drop
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    stablehlo.custom_call @xla_ffi_python_cpu_callback(%0) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return %x : tensor<4xf32>
    // becomes
    return %x : tensor<4xf32>
    ```
  }];
  let options = [Option<"callbacks", "callbacks", "::spmd::Callbacks", "::spmd::Callbacks::keep", callbacksText,
                        "::spmd::callbacksValues()">];
}

#endif // SPMD_SLICES_PASSES
