// RUN: spmd-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// What manual and named computations must not be.

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @too_few_in_shardings(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op has 0 shardings for 1 operands}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return %arg1 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @too_many_out_shardings(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op has 1 shardings for 0 results}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @sharding_of_operand(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op operand 0: unknown axis "c"; the mesh has "a", "b"}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"c"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @unknown_manual_axis(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op manual_axes: unknown axis "c"; the mesh has "a", "b"}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[] manual_axes={"c"} (%arg1: tensor<8x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @manual_axis_twice(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op manual axis "a" is given twice}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a", "a"} (%arg1: tensor<4x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

func.func @manual_axes_without_mesh() {
  // expected-error @below {{'sdy.manual_computation' op has manual axes, but neither operands nor results to name their mesh}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    sdy.return
  } : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @other = <["a"=4, "b"=2]>
func.func @two_meshes(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op operand 1 has another mesh; all shardings of a manual computation share one}}
  sdy.manual_computation(%arg0, %arg0) in_shardings=[<@mesh, [{}, {}]>, <@other, [{}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<8x16xf32>, %arg2: tensor<8x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>, tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @free_axis_before_manual(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op operand 0: dim 1 has free axis "b" before manual axis "a"}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {"b", "a"}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<8x8xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @manual_axes_divide(%arg0: tensor<7x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op operand 0: dim 0 of size 7 is not divisible by the 2 shards along manual axes}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return
  } : (tensor<7x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @argument_type(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op argument 0 has type 'tensor<8x16xf32>'; operand 0 makes it 'tensor<4x16xf32>'}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", "b"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<8x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @number_of_arguments(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op has 0 arguments for 1 operands}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} () {
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @returned_type(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op returned value 0 has type 'tensor<4x16xf32>'; result 0 makes it 'tensor<8x16xf32>'}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return %arg1 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @number_of_returned_values(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op has 0 returned values for 1 results}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    sdy.return
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @nested_on_same_axis(%arg0: tensor<8x16xf32>) {
  // expected-note @below {{made manual by this 'sdy.manual_computation'}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    // expected-error @below {{'sdy.manual_computation' op axis "a" is manual already}}
    sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[] manual_axes={"a"} (%arg2: tensor<4x16xf32>) {
      sdy.return
    } : (tensor<4x16xf32>) -> ()
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @sharded_over_manual_axis(%arg0: tensor<8x16xf32>) {
  // expected-note @below {{made manual by this 'sdy.manual_computation'}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    // expected-error @below {{'sdy.sharding_constraint' op sharding: axis "a" is manual here}}
    %0 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"a"}]> : tensor<4x16xf32>
    sdy.return
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @body_without_return(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.manual_computation' op body does not end in 'sdy.return'}}
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[] manual_axes={"a"} (%arg1: tensor<4x16xf32>) {
    "t.end"() : () -> ()
  } : (tensor<8x16xf32>) -> ()
  return
}

// -----

func.func @return_elsewhere() {
  // expected-error @below {{'sdy.return' op expects parent op to be one of 'sdy.manual_computation, sdy.named_computation'}}
  sdy.return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @named_sharding(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.named_computation' op result 0: sharding has 0 dims, the tensor has 1}}
  %0 = sdy.named_computation<"f">(%arg0) out_shardings=[<@mesh, []>] (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @named_argument_type(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.named_computation' op argument 0 has type 'tensor<4xf32>'; operand 0 makes it 'tensor<8xf32>'}}
  sdy.named_computation<"f">(%arg0) (%arg1: tensor<4xf32>) {
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @named_returned_type(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.named_computation' op returned value 0 has type 'tensor<8xf32>'; result 0 makes it 'tensor<4xf32>'}}
  %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
    sdy.return %arg1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @empty_body() {
  // expected-error @below {{'sdy.manual_computation' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  } : () -> ()
  return
}
