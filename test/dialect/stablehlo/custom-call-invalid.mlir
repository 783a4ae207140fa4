// RUN: spmd-opt %s --verify-diagnostics --split-input-file

func.func @backend_config_text(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op backend_config is a string, api_version is 4}}
  %0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = "a"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @backend_config_dictionary(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op backend_config is a dictionary, api_version is 1}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = {a = 1 : i64}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @api_version(%x: tensor<2x3xf32>) {
  // expected-error@below {{custom op 'stablehlo.custom_call' 'stablehlo.custom_call' op attribute 'api_version' failed to satisfy constraint: custom call API version}}
  %0 = stablehlo.custom_call @f(%x) {api_version = 9 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layouts_of_operands_only(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op only one of operand_layouts and result_layouts is given}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layouts_count(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op operand_layouts has 0 entries, there are 1 operands}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layout_rank(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op operand_layouts has 1 dims for operand 0 of rank 2}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[1]> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layout_dims(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op operand_layouts entry 0 has 1 twice}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[1, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @alias_operand(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op output_operand_aliases names operand 1, there are 1}}
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @alias_part(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.custom_call' op output_operand_aliases names a part of operand 0 or of the results that does not exist}}
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
