// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Data in and out, in two halves where HLO has them.

// CHECK: HloModule module, entry_computation_layout={(f32[4]{0})->(f32[2]{0}, s32[3]{0}, f32[4]{0}, f32[8]{0})}
// CHECK: %region_0 (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[4]{0} parameter(0)
// CHECK-NEXT: ROOT [[ALL_GATHER:%[-a-z0-9_.]+]] = f32[8]{0} all-gather([[P]]), replica_groups={{[{][{]}}0,1}}, dimensions={0}
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[4]{0} parameter(0)
// CHECK-NEXT: [[AFTER_ALL:%[-a-z0-9_.]+]] = token[] after-all()
// CHECK-NEXT: [[INFEED:%[-a-z0-9_.]+]] = ((f32[2]{0}, s32[3]{0}), token[]) infeed([[AFTER_ALL]]), infeed_config="from there"
// CHECK-NEXT: [[ELEMENT:%[-a-z0-9_.]+]] = (f32[2]{0}, s32[3]{0}) get-tuple-element([[INFEED]]), index=0
// CHECK-NEXT: [[ELEMENT2:%[-a-z0-9_.]+]] = f32[2]{0} get-tuple-element([[ELEMENT]]), index=0
// CHECK-NEXT: [[ELEMENT3:%[-a-z0-9_.]+]] = s32[3]{0} get-tuple-element([[ELEMENT]]), index=1
// CHECK-NEXT: [[ELEMENT4:%[-a-z0-9_.]+]] = token[] get-tuple-element([[INFEED]]), index=1
// CHECK-NEXT: [[OUTFEED:%[-a-z0-9_.]+]] = token[] outfeed([[P2]], [[ELEMENT4]]), outfeed_shape=f32[4]{0}, outfeed_config="to there"
// CHECK-NEXT: [[SEND:%[-a-z0-9_.]+]] = (f32[4]{0}, u32[], token[]) send([[P2]], [[OUTFEED]]), channel_id=1, is_host_transfer=true
// CHECK-NEXT: [[SEND_DONE:%[-a-z0-9_.]+]] = token[] send-done([[SEND]]), channel_id=1, is_host_transfer=true
// CHECK-NEXT: [[RECV:%[-a-z0-9_.]+]] = (f32[4]{0}, u32[], token[]) recv([[SEND_DONE]]), channel_id=2, is_host_transfer=true
// CHECK-NEXT: [[RECV_DONE:%[-a-z0-9_.]+]] = (f32[4]{0}, token[]) recv-done([[RECV]]), channel_id=2, is_host_transfer=true
// CHECK-NEXT: [[ELEMENT5:%[-a-z0-9_.]+]] = f32[4]{0} get-tuple-element([[RECV_DONE]]), index=0
// CHECK-NEXT: [[ELEMENT6:%[-a-z0-9_.]+]] = token[] get-tuple-element([[RECV_DONE]]), index=1
// CHECK-NEXT: [[AFTER_ALL2:%[-a-z0-9_.]+]] = token[] after-all([[OUTFEED]], [[ELEMENT6]])
// CHECK-NEXT: [[ASYNC_START:%[-a-z0-9_.]+]] = ((f32[4]{0}), f32[8]{0}) async-start([[P2]]), calls=%region_0
// CHECK-NEXT: [[ASYNC_DONE:%[-a-z0-9_.]+]] = f32[8]{0} async-done([[ASYNC_START]])
// CHECK: ROOT {{.*}} tuple([[ELEMENT2]], [[ELEMENT3]], [[ELEMENT5]], [[ASYNC_DONE]])

func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<3xi32>, tensor<4xf32>, tensor<8xf32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %0:3 = "stablehlo.infeed"(%t) <{infeed_config = "from there"}> : (!stablehlo.token) -> (tensor<2xf32>, tensor<3xi32>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%x, %0#2) <{outfeed_config = "to there"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%x, %1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %4 = stablehlo.after_all %1, %3#1 : !stablehlo.token
  %5 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %g : tensor<8xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>>
  %6 = "stablehlo.async_done"(%5) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %0#0, %0#1, %3#0, %6 : tensor<2xf32>, tensor<3xi32>, tensor<4xf32>, tensor<8xf32>
}
