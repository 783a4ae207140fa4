// RUN: spmd-opt %s --spmd-propagate --spmd-verify-propagated --verify-diagnostics --split-input-file -o %t.mlir

// Each device along "x" decides by its own row.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%u: tensor<2xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    // expected-note @below {{'stablehlo.if' decides by 'stablehlo.compare' op result 0}}
    %p = stablehlo.compare GT, %1, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.if"(%p) ({
      // expected-warning @below {{'stablehlo.all_reduce' op joins devices along "x", along which what decides which branch around it is taken may differ; those that get here would wait for ever for those that do not: decide by a value that is the same along "x", such as an all_reduce of it}}
      %3 = "stablehlo.all_reduce"(%u) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %4 = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %3 : tensor<2xf32>
    }, {
      stablehlo.return %u : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nothing to say: the groups lie along "y", along which what decides is the same.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%u: tensor<2xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %p = stablehlo.compare GT, %1, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.if"(%p) ({
      %3 = "stablehlo.all_reduce"(%u) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %4 = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %3 : tensor<2xf32>
    }, {
      stablehlo.return %u : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A loop until what is left is small: by all rows together in the first, by its own in the second.
// What passes through the barrier together is kept apart.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<2xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %1:2 = stablehlo.while(%v = %u, %left = %one) : tensor<2xf32>, tensor<f32>
    cond {
      %p = stablehlo.compare GT, %left, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %3 = func.call @total(%2) : (tensor<f32>) -> tensor<f32>
      %4:2 = stablehlo.optimization_barrier %v, %3 : tensor<2xf32>, tensor<f32>
      stablehlo.return %4#0, %4#1 : tensor<2xf32>, tensor<f32>
    }
    %5:2 = stablehlo.while(%v = %u, %left = %one) : tensor<2xf32>, tensor<f32>
    cond {
      // expected-note @below {{'stablehlo.while' decides by 'stablehlo.compare' op result 0}}
      %p = stablehlo.compare GT, %left, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %6 = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      // expected-warning @below {{'stablehlo.collective_permute' op joins devices along "x", along which what decides how often a loop around it turns may differ}}
      %7 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<f32>
      stablehlo.return %v, %7 : tensor<2xf32>, tensor<f32>
    }
    sdy.return %1#0, %5#0 : tensor<2xf32>, tensor<2xf32>
  } : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @total(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// One function called with what differs and with what does not: the branch is told from the call
// that differs, and what the other call returns is the same everywhere.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xi32>, %b: tensor<i32>) -> tensor<4xi32> {
  %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<2xi32>, %n: tensor<i32>) {
    %1 = stablehlo.slice %u [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
    %3 = func.call @halved(%2) : (tensor<i32>) -> tensor<i32>
    %4 = func.call @halved(%n) : (tensor<i32>) -> tensor<i32>
    %5 = func.call @chosen(%u, %4) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    // expected-note @below {{'stablehlo.case' decides by 'func.call' op result 0}}
    %6 = func.call @halved(%3) : (tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.case"(%6) ({
      stablehlo.return %5 : tensor<2xi32>
    }, {
      %8 = func.call @swapped(%5) : (tensor<2xi32>) -> tensor<2xi32>
      stablehlo.return %8 : tensor<2xi32>
    }) : (tensor<i32>) -> tensor<2xi32>
    sdy.return %7 : tensor<2xi32>
  } : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @halved(%a: tensor<i32>) -> tensor<i32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.divide %a, %two : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @chosen(%a: tensor<2xi32>, %n: tensor<i32>) -> tensor<2xi32> {
  %0 = "stablehlo.case"(%n) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %1 = func.call @swapped(%a) : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %1 : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func private @swapped(%a: tensor<2xi32>) -> tensor<2xi32> {
  // expected-warning @below {{'stablehlo.collective_permute' op joins devices along "x", along which what decides which branch around it is taken may differ}}
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// The place along "y", and data that all have: both of a pair along "x" take the branch, or none;
// of a pair along "y" only one does.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
func.func @main(%a: tensor<4xf32>, %q: tensor<i1>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a, %q) in_shardings=[<@mesh, [{"x"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%u: tensor<2xf32>, %given: tensor<i1>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %two = stablehlo.constant dense<2> : tensor<ui32>
    %zero = stablehlo.constant dense<0> : tensor<ui32>
    %y = stablehlo.divide %id, %two : tensor<ui32>
    %isFirst = stablehlo.compare EQ, %y, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    // expected-note @below {{'stablehlo.if' decides by 'stablehlo.and' op result 0}}
    %p = stablehlo.and %isFirst, %given : tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      // expected-warning @below {{'stablehlo.collective_permute' op joins devices along "y", along which what decides which branch}}
      %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %3 : tensor<2xf32>
    }, {
      stablehlo.return %u : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>, tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Devices that the mesh does not have, which are reported when the program is for one device: they join nothing here.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>, %q: tensor<2xi1>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a, %q) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<2xf32>, %own: tensor<1xi1>) {
    %p = stablehlo.reshape %own : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 7]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }, {
      stablehlo.return %u : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>, tensor<2xi1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Meshes of up to 65536 devices are looked at, device by device; larger ones are not.
sdy.mesh @mesh = <["x"=65536]>
func.func @main(%a: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
    %more = stablehlo.compare GT, %u, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    // expected-note @below {{'stablehlo.if' decides by 'stablehlo.reshape' op result 0}}
    %p = stablehlo.reshape %more : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      // expected-warning @below {{'stablehlo.collective_permute' op joins devices along "x", along which what decides which branch around it is taken may differ}}
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %u : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<65536xf32>) -> tensor<65536xf32>
  return %0 : tensor<65536xf32>
}

// -----

// This is one device too large.
sdy.mesh @mesh = <["x"=65537]>
func.func @main(%a: tensor<65537xf32>) -> tensor<65537xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
    %more = stablehlo.compare GT, %u, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %p = stablehlo.reshape %more : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %u : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<65537xf32>) -> tensor<65537xf32>
  return %0 : tensor<65537xf32>
}

// -----

// So are meshes of up to 64 axes.
sdy.mesh @mesh = <["x"=2, "y0"=1, "y1"=1, "y2"=1, "y3"=1, "y4"=1, "y5"=1, "y6"=1, "y7"=1, "y8"=1, "y9"=1, "y10"=1, "y11"=1, "y12"=1, "y13"=1, "y14"=1, "y15"=1, "y16"=1, "y17"=1, "y18"=1, "y19"=1, "y20"=1, "y21"=1, "y22"=1, "y23"=1, "y24"=1, "y25"=1, "y26"=1, "y27"=1, "y28"=1, "y29"=1, "y30"=1, "y31"=1, "y32"=1, "y33"=1, "y34"=1, "y35"=1, "y36"=1, "y37"=1, "y38"=1, "y39"=1, "y40"=1, "y41"=1, "y42"=1, "y43"=1, "y44"=1, "y45"=1, "y46"=1, "y47"=1, "y48"=1, "y49"=1, "y50"=1, "y51"=1, "y52"=1, "y53"=1, "y54"=1, "y55"=1, "y56"=1, "y57"=1, "y58"=1, "y59"=1, "y60"=1, "y61"=1, "y62"=1]>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
    %more = stablehlo.compare GT, %u, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    // expected-note @below {{'stablehlo.if' decides by 'stablehlo.reshape' op result 0}}
    %p = stablehlo.reshape %more : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      // expected-warning @below {{'stablehlo.collective_permute' op joins devices along "x", along which what decides which branch around it is taken may differ}}
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %u : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// This has one axis too many.
sdy.mesh @mesh = <["x"=2, "y0"=1, "y1"=1, "y2"=1, "y3"=1, "y4"=1, "y5"=1, "y6"=1, "y7"=1, "y8"=1, "y9"=1, "y10"=1, "y11"=1, "y12"=1, "y13"=1, "y14"=1, "y15"=1, "y16"=1, "y17"=1, "y18"=1, "y19"=1, "y20"=1, "y21"=1, "y22"=1, "y23"=1, "y24"=1, "y25"=1, "y26"=1, "y27"=1, "y28"=1, "y29"=1, "y30"=1, "y31"=1, "y32"=1, "y33"=1, "y34"=1, "y35"=1, "y36"=1, "y37"=1, "y38"=1, "y39"=1, "y40"=1, "y41"=1, "y42"=1, "y43"=1, "y44"=1, "y45"=1, "y46"=1, "y47"=1, "y48"=1, "y49"=1, "y50"=1, "y51"=1, "y52"=1, "y53"=1, "y54"=1, "y55"=1, "y56"=1, "y57"=1, "y58"=1, "y59"=1, "y60"=1, "y61"=1, "y62"=1, "y63"=1]>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%u: tensor<1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<1xf32>
    %more = stablehlo.compare GT, %u, %zero : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %p = stablehlo.reshape %more : (tensor<1xi1>) -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({
      %2 = "stablehlo.collective_permute"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
      stablehlo.return %2 : tensor<1xf32>
    }, {
      stablehlo.return %u : tensor<1xf32>
    }) : (tensor<i1>) -> tensor<1xf32>
    sdy.return %1 : tensor<1xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
