module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x?xf32>, %arg1: tensor<?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %4 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %5 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 't'. Using the following polymorphic shapes specifications: args[0].shape = (t, b, d),args[1].shape = (d, d). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), .", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %6 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (t, b, d),args[1].shape = (d, d). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), 'b' = {1} from specification 'b' for dimension args[0].shape[1] (= {1}), .", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %7 = stablehlo.compare GE, %2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %0, %1, %2) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'd'. Using the following polymorphic shapes specifications: args[0].shape = (t, b, d),args[1].shape = (d, d). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), 'b' = {1} from specification 'b' for dimension args[0].shape[1] (= {1}), 'd' = {2} from specification 'd' for dimension args[0].shape[2] (= {2}), .", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %8 = stablehlo.compare EQ, %3, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%8, %3, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'd' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (t, b, d),args[1].shape = (d, d). Obtained dimension variables: 't' = {2} from specification 't' for dimension args[0].shape[0] (= {2}), 'b' = {3} from specification 'b' for dimension args[0].shape[1] (= {3}), 'd' = {1} from specification 'd' for dimension args[0].shape[2] (= {1}), .", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%9, %4, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 'd' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (t, b, d),args[1].shape = (d, d). Obtained dimension variables: 't' = {2} from specification 't' for dimension args[0].shape[0] (= {2}), 'b' = {3} from specification 'b' for dimension args[0].shape[1] (= {3}), 'd' = {1} from specification 'd' for dimension args[0].shape[2] (= {1}), .", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %10:2 = call @_wrapped_jax_export_main(%1, %2, %0, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
    return %10#0, %10#1 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "d"}, %arg2: tensor<i32> {jax.global_constant = "t"}, %arg3: tensor<?x?x?xf32>, %arg4: tensor<?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %4 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %cst, %4, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %6:5 = stablehlo.while(%iterArg = %arg3, %iterArg_1 = %arg4, %iterArg_2 = %c_0, %iterArg_3 = %3, %iterArg_4 = %5) : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<?x?xf32>, tensor<?xf32>
    cond {
      %7 = stablehlo.compare LT, %iterArg_2, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = func.call @dynamic_index_in_dim(%arg0, %arg1, %arg2, %iterArg, %iterArg_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
      %8:2 = func.call @closed_call(%arg0, %arg1, %arg2, %iterArg_1, %iterArg_3, %7) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>)
      %9 = func.call @dynamic_update_index_in_dim(%arg0, %arg1, %arg2, %iterArg_4, %8#1, %iterArg_2) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<?xf32>, tensor<f32>, tensor<i32>) -> tensor<?xf32>
      %10 = stablehlo.add %iterArg_2, %c : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %10, %8#0, %9 : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<i32>, tensor<?x?xf32>, tensor<?xf32>
    }
    return %6#3, %6#4 : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "d"}, %arg2: tensor<i32> {jax.global_constant = "t"}, %arg3: tensor<?x?x?xf32>, %arg4: tensor<i32>) -> tensor<?x?xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c_1, %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.concatenate %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.reshape %arg4 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %c_0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %c_0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %4, %5, %6, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %8, %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %12 = stablehlo.subtract %11, %2 : tensor<3xi32>
    %13 = stablehlo.clamp %3, %7, %12 : tensor<3xi32>
    %14 = stablehlo.add %13, %2 : tensor<3xi32>
    %15 = stablehlo.concatenate %c_1, %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %16 = stablehlo.real_dynamic_slice %arg3, %13, %14, %15 : (tensor<?x?x?xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x?xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %17, %18, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_reshape %16, %19 : (tensor<1x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %20 : tensor<?x?xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "d"}, %arg2: tensor<i32> {jax.global_constant = "t"}, %arg3: tensor<?x?xf32>, %arg4: tensor<?x?xf32>, %arg5: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = stablehlo.add %0, %arg5 : tensor<?x?xf32>
    %2 = stablehlo.tanh %1 : tensor<?x?xf32>
    %3 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
    return %2, %3 : tensor<?x?xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "d"}, %arg2: tensor<i32> {jax.global_constant = "t"}, %arg3: tensor<?xf32>, %arg4: tensor<f32>, %arg5: tensor<i32>) -> tensor<?xf32> {
    %0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg3, %0, %arg5 : (tensor<?xf32>, tensor<1xf32>, tensor<i32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}

