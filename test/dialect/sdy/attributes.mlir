// RUN: spmd-opt %s --split-input-file | spmd-opt --split-input-file | FileCheck %s

// Every spelling of every attribute, as it is printed.

// CHECK-LABEL: module @meshes
// CHECK-SAME: t.a = #sdy.mesh<["x"=2, "y"=4]>
// CHECK-SAME: t.b = #sdy.mesh<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
// An explicit iota says nothing and is dropped.
// CHECK-SAME: t.c = #sdy.mesh<["a"=4]>
// CHECK-SAME: t.d = #sdy.mesh<[], device_ids=[3]>
// CHECK-SAME: t.e = #sdy.mesh<[]>
module @meshes attributes {
  t.a = #sdy.mesh<["x"=2, "y"=4]>,
  t.b = #sdy.mesh<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>,
  t.c = #sdy.mesh<["a"=4], device_ids=[0, 1, 2, 3]>,
  t.d = #sdy.mesh<[], device_ids=[3]>,
  t.e = #sdy.mesh<[]>
} {}

// -----

// CHECK-LABEL: module @shardings
// CHECK-SAME: t.closed = #sdy.sharding<@m, [{"x"}, {"y", "z"}, {}]>
// CHECK-SAME: t.escaped = #sdy.sharding<mesh<["a\22b\\"=2]>, [{"a\22b\\"}]>
// CHECK-SAME: t.inlined = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{"x"}]>
// CHECK-SAME: t.kinds_and = #sdy.sharding<@m, [{}], unreduced=and{"x"}>
// CHECK-SAME: t.kinds_max = #sdy.sharding<@m, [{}], unreduced=max{"x"}>
// CHECK-SAME: t.kinds_min = #sdy.sharding<@m, [{}], unreduced=min{"x"}>
// CHECK-SAME: t.kinds_or = #sdy.sharding<@m, [{}], unreduced=or{"x"}>
// CHECK-SAME: t.kinds_product = #sdy.sharding<@m, [{}], unreduced=product{"x"}>
// CHECK-SAME: t.kinds_sum = #sdy.sharding<@m, [{}], unreduced={"x"}>
// CHECK-SAME: t.kinds_xor = #sdy.sharding<@m, [{}], unreduced=xor{"x"}>
// CHECK-SAME: t.open = #sdy.sharding<@m, [{"x", ?}, {?}]>
// Either order is read; replicated is printed first.
// CHECK-SAME: t.order = #sdy.sharding<@m, [{}], replicated={"x"}, unreduced={"y"}>
// CHECK-SAME: t.priorities = #sdy.sharding<@m, [{"x"}p0, {"y", ?}p12, {?}p1]>
// CHECK-SAME: t.quoted = #sdy.sharding<@"a mesh", [{"an axis"}]>
// CHECK-SAME: t.rank_0 = #sdy.sharding<@m, []>
// CHECK-SAME: t.subaxes = #sdy.sharding<@m, [{"y":(1)2, "x", "y":(2)2}], replicated={"z":(1)2}, unreduced={"z":(2)4}>
module @shardings attributes {
  t.closed = #sdy.sharding<@m, [{"x"}, {"y", "z"}, {}]>,
  t.open = #sdy.sharding<@m, [{"x", ?}, {?}]>,
  t.priorities = #sdy.sharding<@m, [{"x"}p0, {"y", ?}p12, {?}p1]>,
  t.subaxes = #sdy.sharding<@m, [{"y":(1)2, "x", "y":(2)2}], replicated={"z":(1)2}, unreduced={"z":(2)4}>,
  t.order = #sdy.sharding<@m, [{}], unreduced={"y"}, replicated={"x"}>,
  t.kinds_sum = #sdy.sharding<@m, [{}], unreduced=sum{"x"}>,
  t.kinds_max = #sdy.sharding<@m, [{}], unreduced=max{"x"}>,
  t.kinds_min = #sdy.sharding<@m, [{}], unreduced=min{"x"}>,
  t.kinds_product = #sdy.sharding<@m, [{}], unreduced=product{"x"}>,
  t.kinds_and = #sdy.sharding<@m, [{}], unreduced=and{"x"}>,
  t.kinds_or = #sdy.sharding<@m, [{}], unreduced=or{"x"}>,
  t.kinds_xor = #sdy.sharding<@m, [{}], unreduced=xor{"x"}>,
  t.inlined = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{"x"}]>,
  t.quoted = #sdy.sharding<@"a mesh", [{"an axis"}]>,
  t.escaped = #sdy.sharding<mesh<["a\22b\\"=2]>, [{"a\22b\\"}]>,
  t.rank_0 = #sdy.sharding<@m, []>
} {}

// -----

// CHECK-LABEL: module @lists
// CHECK-SAME: t.a = #sdy.sharding_per_value<[]>
// CHECK-SAME: t.b = #sdy.sharding_per_value<[<@m, [{"x"}]>, <mesh<["x"=2]>, []>]>
// CHECK-SAME: t.c = #sdy<manual_axes{"x", "y"}>
// CHECK-SAME: t.d = #sdy<manual_axes{}>
// CHECK-SAME: t.e = #sdy<axis_ref_list{"x", "y":(1)2}>
// CHECK-SAME: t.f = #sdy<axis_ref_list{}>
// CHECK-SAME: t.g = #sdy<list_of_axis_ref_lists[{"x", "y"}, {}, {"z":(2)2}]>
// CHECK-SAME: t.h = #sdy<list_of_axis_ref_lists[]>
// CHECK-SAME: t.i = #sdy<all_to_all_param_list[{"x"}: 0->2, {"y", "z":(1)2}: 1->3]>
// CHECK-SAME: t.j = #sdy<all_to_all_param_list[]>
// CHECK-SAME: t.k = #sdy.reduction<max>
module @lists attributes {
  t.a = #sdy.sharding_per_value<[]>,
  t.b = #sdy.sharding_per_value<[<@m, [{"x"}]>, <mesh<["x"=2]>, []>]>,
  t.c = #sdy<manual_axes{"x", "y"}>,
  t.d = #sdy<manual_axes{}>,
  t.e = #sdy<axis_ref_list{"x", "y":(1)2}>,
  t.f = #sdy<axis_ref_list{}>,
  t.g = #sdy<list_of_axis_ref_lists[{"x", "y"}, {}, {"z":(2)2}]>,
  t.h = #sdy<list_of_axis_ref_lists[]>,
  t.i = #sdy<all_to_all_param_list[{"x"}: 0->2, {"y", "z":(1)2}: 1->3]>,
  t.j = #sdy<all_to_all_param_list[]>,
  t.k = #sdy.reduction<max>
} {}

// -----

// CHECK-LABEL: module @rules
// CHECK-SAME: t.compound = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=4, k=4}>
// CHECK-SAME: t.kinds = #sdy.op_sharding_rule<([i, j, k, l])->([i, k, l]) {i=2, j=3, k=5, l=7} reduction={j} need_replication={i, l} permutation={k} blocked_propagation={l}, custom>
// CHECK-SAME: t.many = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2z_3])->([*]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, w=1, x=1, y=1, z=1, z_1=2, z_2=3, z_3=4}>
// CHECK-SAME: t.scalars = #sdy.op_sharding_rule<([])->([], [])>
// CHECK-SAME: t.unmapped = #sdy.op_sharding_rule<([*, i])->([*]) {i=2}, custom>
module @rules attributes {
  t.compound = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=4, k=4}>,
  t.kinds = #sdy.op_sharding_rule<([i, j, k, l])->([i, k, l]) {i=2, j=3, k=5, l=7} reduction={j} need_replication={i, l} permutation={k} blocked_propagation={l}, custom>,
  t.many = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2z_3])->([*]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, w=1, x=1, y=1, z=1, z_1=2, z_2=3, z_3=4}>,
  t.scalars = #sdy.op_sharding_rule<([])->([], []) {}>,
  t.unmapped = #sdy.op_sharding_rule<([*, i])->([*]) {i=2}, custom>
} {}

// -----

// CHECK-LABEL: module @debugging
// CHECK-SAME: t.a = #sdy.propagation_edges<[{step-0 = [{"x":(1)2 = result-0 -> [operand-0]}]}, {step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>
// CHECK-SAME: t.b = #sdy.propagation_edges<[]>
module @debugging attributes {
  t.a = #sdy.propagation_edges<[{step-0 = [{"x":(1)2 = result-0 -> [operand-0]}]}, {step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>,
  t.b = #sdy.propagation_edges<[]>
} {}
