// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=5, "y"=3]>/' %s | spmd-run -

// Sorts along split dims: long ones, where the rows of each shard are dealt out and back, and short
// ones, which are gathered.
sdy.mesh @mesh = MESH

// No element can be told from its equals.
func.func private @alike(%x: tensor<1000xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %y: tensor<720xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<1000xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<720xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %less = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<1000xi16>) -> tensor<1000xi16>
  %1 = "stablehlo.sort"(%y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<720xf32>) -> tensor<720xf32>
  return %0, %1 : tensor<1000xi16>, tensor<720xf32>
}

// Few keys, so that most rows are equal, and other operands that tell them apart.
func.func private @ties(%keys: tensor<3x901xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %values: tensor<3x901xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                        %marks: tensor<3x901xi1>)
    -> (tensor<3x901xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<3x901xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<3x901xi1>) {
  %0:3 = "stablehlo.sort"(%keys, %values, %marks) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<complex<f32>>, %d: tensor<complex<f32>>, %e: tensor<i1>, %f: tensor<i1>):
    %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>) -> (tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>)
  return %0#0, %0#1, %0#2 : tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>
}

// A comparator that knows two keys, one of them by its remainder; all rows of a column together.
func.func private @remainders(%x: tensor<640x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {}]>}, %y: tensor<640x2x3xbf16>)
    -> (tensor<640x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {}]>}, tensor<640x2x3xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {}]>}) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<bf16>, %d: tensor<bf16>):
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %ra = stablehlo.remainder %a, %seven : tensor<i32>
    %rb = stablehlo.remainder %b, %seven : tensor<i32>
    %less = stablehlo.compare LT, %ra, %rb, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %ra, %rb, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %greater = stablehlo.compare GT, %c, %d, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %second = stablehlo.and %same, %greater : tensor<i1>
    %before = stablehlo.or %less, %second : tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<640x2x3xi32>, tensor<640x2x3xbf16>) -> (tensor<640x2x3xi32>, tensor<640x2x3xbf16>)
  return %0#0, %0#1 : tensor<640x2x3xi32>, tensor<640x2x3xbf16>
}

func.func private @short(%x: tensor<7xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<7xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %less = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<7xui8>) -> tensor<7xui8>
  return %0 : tensor<7xui8>
}

func.func public @main(
    %a: tensor<1000xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %b: tensor<720xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %c: tensor<3x901xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %d: tensor<3x901xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %e: tensor<3x901xi1>,
    %f: tensor<640x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {}]>}, %g: tensor<640x2x3xbf16>, %h: tensor<7xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<1000xi16>, tensor<720xf32>, tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>, tensor<640x2x3xi32>, tensor<640x2x3xbf16>, tensor<7xui8>) {
  %three = stablehlo.constant dense<3> : tensor<3x901xi8>
  %few = stablehlo.and %c, %three : tensor<3x901xi8>
  %0:2 = call @alike(%a, %b) : (tensor<1000xi16>, tensor<720xf32>) -> (tensor<1000xi16>, tensor<720xf32>)
  %1:3 = call @ties(%few, %d, %e) : (tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>) -> (tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>)
  %2:2 = call @remainders(%f, %g) : (tensor<640x2x3xi32>, tensor<640x2x3xbf16>) -> (tensor<640x2x3xi32>, tensor<640x2x3xbf16>)
  %3 = call @short(%h) : (tensor<7xui8>) -> tensor<7xui8>
  return %0#0, %0#1, %1#0, %1#1, %1#2, %2#0, %2#1, %3 : tensor<1000xi16>, tensor<720xf32>, tensor<3x901xi8>, tensor<3x901xcomplex<f32>>, tensor<3x901xi1>, tensor<640x2x3xi32>, tensor<640x2x3xbf16>, tensor<7xui8>
}
