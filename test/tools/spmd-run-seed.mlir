// What runs without --in compute on: values of both signs, spread over what small types hold.
// RUN: spmd-run %s --seed=1
// RUN: spmd-run %s --seed=2
func.func public @main(%a0: tensor<20000xi1>, %a1: tensor<20000xi8>, %a2: tensor<20000xui8>, %a3: tensor<20000xi4>, %a4: tensor<20000xui4>, %a5: tensor<20000xi2>, %a6: tensor<20000xi16>, %a7: tensor<20000xi32>, %a8: tensor<20000xi64>, %a9: tensor<20000xui32>, %a10: tensor<20000xf64>, %a11: tensor<20000xf32>, %a12: tensor<20000xbf16>, %a13: tensor<20000xf16>, %a14: tensor<20000xf8E4M3FN>, %a15: tensor<20000xf8E5M2>, %a16: tensor<20000xf8E8M0FNU>, %a17: tensor<20000xf6E2M3FN>, %a18: tensor<20000xf6E3M2FN>, %a19: tensor<20000xf4E2M1FN>) {
  %highest = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %b0 = stablehlo.convert %a0 : (tensor<20000xi1>) -> tensor<20000xf32>
  %low0 = stablehlo.reduce(%b0 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high0 = stablehlo.reduce(%b0 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b1 = stablehlo.convert %a1 : (tensor<20000xi8>) -> tensor<20000xf32>
  %low1 = stablehlo.reduce(%b1 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high1 = stablehlo.reduce(%b1 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b2 = stablehlo.convert %a2 : (tensor<20000xui8>) -> tensor<20000xf32>
  %low2 = stablehlo.reduce(%b2 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high2 = stablehlo.reduce(%b2 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b3 = stablehlo.convert %a3 : (tensor<20000xi4>) -> tensor<20000xf32>
  %low3 = stablehlo.reduce(%b3 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high3 = stablehlo.reduce(%b3 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b4 = stablehlo.convert %a4 : (tensor<20000xui4>) -> tensor<20000xf32>
  %low4 = stablehlo.reduce(%b4 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high4 = stablehlo.reduce(%b4 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b5 = stablehlo.convert %a5 : (tensor<20000xi2>) -> tensor<20000xf32>
  %low5 = stablehlo.reduce(%b5 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high5 = stablehlo.reduce(%b5 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b6 = stablehlo.convert %a6 : (tensor<20000xi16>) -> tensor<20000xf32>
  %low6 = stablehlo.reduce(%b6 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high6 = stablehlo.reduce(%b6 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b7 = stablehlo.convert %a7 : (tensor<20000xi32>) -> tensor<20000xf32>
  %low7 = stablehlo.reduce(%b7 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high7 = stablehlo.reduce(%b7 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b8 = stablehlo.convert %a8 : (tensor<20000xi64>) -> tensor<20000xf32>
  %low8 = stablehlo.reduce(%b8 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high8 = stablehlo.reduce(%b8 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b9 = stablehlo.convert %a9 : (tensor<20000xui32>) -> tensor<20000xf32>
  %low9 = stablehlo.reduce(%b9 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high9 = stablehlo.reduce(%b9 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b10 = stablehlo.convert %a10 : (tensor<20000xf64>) -> tensor<20000xf32>
  %low10 = stablehlo.reduce(%b10 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high10 = stablehlo.reduce(%b10 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %low11 = stablehlo.reduce(%a11 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high11 = stablehlo.reduce(%a11 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b12 = stablehlo.convert %a12 : (tensor<20000xbf16>) -> tensor<20000xf32>
  %low12 = stablehlo.reduce(%b12 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high12 = stablehlo.reduce(%b12 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b13 = stablehlo.convert %a13 : (tensor<20000xf16>) -> tensor<20000xf32>
  %low13 = stablehlo.reduce(%b13 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high13 = stablehlo.reduce(%b13 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b14 = stablehlo.convert %a14 : (tensor<20000xf8E4M3FN>) -> tensor<20000xf32>
  %low14 = stablehlo.reduce(%b14 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high14 = stablehlo.reduce(%b14 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b15 = stablehlo.convert %a15 : (tensor<20000xf8E5M2>) -> tensor<20000xf32>
  %low15 = stablehlo.reduce(%b15 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high15 = stablehlo.reduce(%b15 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b16 = stablehlo.convert %a16 : (tensor<20000xf8E8M0FNU>) -> tensor<20000xf32>
  %low16 = stablehlo.reduce(%b16 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high16 = stablehlo.reduce(%b16 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b17 = stablehlo.convert %a17 : (tensor<20000xf6E2M3FN>) -> tensor<20000xf32>
  %low17 = stablehlo.reduce(%b17 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high17 = stablehlo.reduce(%b17 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b18 = stablehlo.convert %a18 : (tensor<20000xf6E3M2FN>) -> tensor<20000xf32>
  %low18 = stablehlo.reduce(%b18 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high18 = stablehlo.reduce(%b18 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %b19 = stablehlo.convert %a19 : (tensor<20000xf4E2M1FN>) -> tensor<20000xf32>
  %low19 = stablehlo.reduce(%b19 init: %highest) applies stablehlo.minimum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %high19 = stablehlo.reduce(%b19 init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<20000xf32>, tensor<f32>) -> tensor<f32>
  %low_0 = stablehlo.reshape %low0 : (tensor<f32>) -> tensor<1xf32>
  %low_1 = stablehlo.reshape %low1 : (tensor<f32>) -> tensor<1xf32>
  %low_2 = stablehlo.reshape %low2 : (tensor<f32>) -> tensor<1xf32>
  %low_3 = stablehlo.reshape %low3 : (tensor<f32>) -> tensor<1xf32>
  %low_4 = stablehlo.reshape %low4 : (tensor<f32>) -> tensor<1xf32>
  %low_5 = stablehlo.reshape %low5 : (tensor<f32>) -> tensor<1xf32>
  %low_6 = stablehlo.reshape %low6 : (tensor<f32>) -> tensor<1xf32>
  %low_7 = stablehlo.reshape %low7 : (tensor<f32>) -> tensor<1xf32>
  %low_8 = stablehlo.reshape %low8 : (tensor<f32>) -> tensor<1xf32>
  %low_9 = stablehlo.reshape %low9 : (tensor<f32>) -> tensor<1xf32>
  %low_10 = stablehlo.reshape %low10 : (tensor<f32>) -> tensor<1xf32>
  %low_11 = stablehlo.reshape %low11 : (tensor<f32>) -> tensor<1xf32>
  %low_12 = stablehlo.reshape %low12 : (tensor<f32>) -> tensor<1xf32>
  %low_13 = stablehlo.reshape %low13 : (tensor<f32>) -> tensor<1xf32>
  %low_14 = stablehlo.reshape %low14 : (tensor<f32>) -> tensor<1xf32>
  %low_15 = stablehlo.reshape %low15 : (tensor<f32>) -> tensor<1xf32>
  %low_16 = stablehlo.reshape %low16 : (tensor<f32>) -> tensor<1xf32>
  %low_17 = stablehlo.reshape %low17 : (tensor<f32>) -> tensor<1xf32>
  %low_18 = stablehlo.reshape %low18 : (tensor<f32>) -> tensor<1xf32>
  %low_19 = stablehlo.reshape %low19 : (tensor<f32>) -> tensor<1xf32>
  %low = stablehlo.concatenate %low_0, %low_1, %low_2, %low_3, %low_4, %low_5, %low_6, %low_7, %low_8, %low_9, %low_10, %low_11, %low_12, %low_13, %low_14, %low_15, %low_16, %low_17, %low_18, %low_19, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<20xf32>
  %low_wanted = stablehlo.constant dense<[0.0, -128.0, 0.0, -8.0, 0.0, -2.0, -128.0, -128.0, -128.0, 0.0, -1.0, -1.0, -1.0, -1.0, -2.0, -2.0, 0.015625, -7.5, -28.0, -6.0]> : tensor<20xf32>
  stablehlo.custom_call @check.expect_eq(%low, %low_wanted) {has_side_effect = true} : (tensor<20xf32>, tensor<20xf32>) -> ()
  %high_0 = stablehlo.reshape %high0 : (tensor<f32>) -> tensor<1xf32>
  %high_1 = stablehlo.reshape %high1 : (tensor<f32>) -> tensor<1xf32>
  %high_2 = stablehlo.reshape %high2 : (tensor<f32>) -> tensor<1xf32>
  %high_3 = stablehlo.reshape %high3 : (tensor<f32>) -> tensor<1xf32>
  %high_4 = stablehlo.reshape %high4 : (tensor<f32>) -> tensor<1xf32>
  %high_5 = stablehlo.reshape %high5 : (tensor<f32>) -> tensor<1xf32>
  %high_6 = stablehlo.reshape %high6 : (tensor<f32>) -> tensor<1xf32>
  %high_7 = stablehlo.reshape %high7 : (tensor<f32>) -> tensor<1xf32>
  %high_8 = stablehlo.reshape %high8 : (tensor<f32>) -> tensor<1xf32>
  %high_9 = stablehlo.reshape %high9 : (tensor<f32>) -> tensor<1xf32>
  %high_10 = stablehlo.reshape %high10 : (tensor<f32>) -> tensor<1xf32>
  %high_11 = stablehlo.reshape %high11 : (tensor<f32>) -> tensor<1xf32>
  %high_12 = stablehlo.reshape %high12 : (tensor<f32>) -> tensor<1xf32>
  %high_13 = stablehlo.reshape %high13 : (tensor<f32>) -> tensor<1xf32>
  %high_14 = stablehlo.reshape %high14 : (tensor<f32>) -> tensor<1xf32>
  %high_15 = stablehlo.reshape %high15 : (tensor<f32>) -> tensor<1xf32>
  %high_16 = stablehlo.reshape %high16 : (tensor<f32>) -> tensor<1xf32>
  %high_17 = stablehlo.reshape %high17 : (tensor<f32>) -> tensor<1xf32>
  %high_18 = stablehlo.reshape %high18 : (tensor<f32>) -> tensor<1xf32>
  %high_19 = stablehlo.reshape %high19 : (tensor<f32>) -> tensor<1xf32>
  %high = stablehlo.concatenate %high_0, %high_1, %high_2, %high_3, %high_4, %high_5, %high_6, %high_7, %high_8, %high_9, %high_10, %high_11, %high_12, %high_13, %high_14, %high_15, %high_16, %high_17, %high_18, %high_19, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<20xf32>
  %high_wanted = stablehlo.constant dense<[1.0, 127.0, 255.0, 7.0, 15.0, 1.0, 127.0, 127.0, 127.0, 255.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 7.5, 28.0, 6.0]> : tensor<20xf32>
  stablehlo.custom_call @check.expect_eq(%high, %high_wanted) {has_side_effect = true} : (tensor<20xf32>, tensor<20xf32>) -> ()
  return
}
