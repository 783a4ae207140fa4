// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// What the text of attributes must not be.

// expected-error @below {{expected the name of a mesh axis, in quotes}}
module attributes {t.a = #sdy.mesh<[x=2]>} {}

// -----

// expected-error @below {{expected the size of the axis}}
module attributes {t.a = #sdy.mesh<["x"="y"]>} {}

// -----

// expected-error @below {{mesh axis 0 has no name}}
module attributes {t.a = #sdy.mesh<[""=2]>} {}

// -----

// expected-error @below {{mesh axis "x" has size 0; sizes are at least 1}}
module attributes {t.a = #sdy.mesh<["x"=0]>} {}

// -----

// expected-error @below {{mesh axis "x" occurs twice}}
module attributes {t.a = #sdy.mesh<["x"=2, "x"=4]>} {}

// -----

// expected-error @below {{expected 'device_ids'}}
module attributes {t.a = #sdy.mesh<["x"=2], devices=[1, 0]>} {}

// -----

// expected-error @below {{'device_ids' is empty}}
module attributes {t.a = #sdy.mesh<["x"=2], device_ids=[]>} {}

// -----

// expected-error @below {{mesh has 3 device ids for 2 devices}}
module attributes {t.a = #sdy.mesh<["x"=2], device_ids=[0, 1, 2]>} {}

// -----

// expected-error @below {{mesh device id 2 is out of range; the ids are a permutation of 0 to 1}}
module attributes {t.a = #sdy.mesh<["x"=2], device_ids=[0, 2]>} {}

// -----

// expected-error @below {{mesh device id 1 occurs twice; the ids are a permutation of 0 to 1}}
module attributes {t.a = #sdy.mesh<["x"=2], device_ids=[1, 1]>} {}

// -----

// expected-error @below {{mesh without axes has 2 device ids; a maximal mesh has one}}
module attributes {t.a = #sdy.mesh<[], device_ids=[0, 1]>} {}

// -----

// expected-error @below {{mesh device id is negative}}
module attributes {t.a = #sdy.mesh<[], device_ids=[-1]>} {}

// -----

// expected-error @below {{mesh has more than 2147483647 devices}}
module attributes {t.a = #sdy.mesh<["x"=65536, "y"=65536]>} {}

// -----

// expected-error @below {{expected the symbol of a mesh, or 'mesh<'}}
module attributes {t.a = #sdy.sharding<"m", [{}]>} {}

// -----

// expected-error @below {{expected '['}}
module attributes {t.a = #sdy.sharding<@m, {}>} {}

// -----

// expected-error @below {{expected the name of an axis, in quotes}}
module attributes {t.a = #sdy.sharding<@m, [{x}]>} {}

// -----

// expected-error @below {{'?' stands last in a dim}}
module attributes {t.a = #sdy.sharding<@m, [{?, "x"}]>} {}

// -----

// expected-error @below {{expected the size before the sub-axis}}
module attributes {t.a = #sdy.sharding<@m, [{"x":()2}]>} {}

// -----

// expected-error @below {{expected the size of the sub-axis}}
module attributes {t.a = #sdy.sharding<@m, [{"x":(1)}]>} {}

// -----

// expected-error @below {{size of a sub-axis is not positive}}
module attributes {t.a = #sdy.sharding<@m, [{"x":(1)0}]>} {}

// -----

// expected-error @below {{priority 'p01' has a leading zero}}
module attributes {t.a = #sdy.sharding<@m, [{"x"}p01]>} {}

// -----

// expected-error @below {{expected a priority such as p1, not 'q1'}}
module attributes {t.a = #sdy.sharding<@m, [{"x"}q1]>} {}

// -----

// expected-error @below {{expected a priority such as p1, not 'p'}}
module attributes {t.a = #sdy.sharding<@m, [{"x"}p]>} {}

// -----

// expected-error @below {{a dim that is closed and empty takes no priority}}
module attributes {t.a = #sdy.sharding<@m, [{}p1]>} {}

// -----

// expected-error @below {{expected 'replicated' or 'unreduced'}}
module attributes {t.a = #sdy.sharding<@m, [{}], partial={"x"}>} {}

// -----

// expected-error @below {{'replicated' is given twice}}
module attributes {t.a = #sdy.sharding<@m, [{}], replicated={"x"}, replicated={"y"}>} {}

// -----

// expected-error @below {{'unreduced' is given twice}}
module attributes {t.a = #sdy.sharding<@m, [{}], unreduced={"x"}, unreduced={"y"}>} {}

// -----

// expected-error @below {{unknown reduction 'mean'}}
module attributes {t.a = #sdy.sharding<@m, [{}], unreduced=mean{"x"}>} {}

// -----

// expected-error @below {{expected ']'}}
module attributes {t.a = #sdy.sharding_per_value<[<@m, [{}]> <@m, []>]>} {}

// -----

// expected-error @below {{expected the name of an axis, in quotes}}
module attributes {t.a = #sdy<manual_axes{x}>} {}

// -----

// expected-error @below {{expected a reduction, such as sum or max}}
module attributes {t.a = #sdy.reduction<mean>} {}

// -----

// expected-error @below {{expected a dim}}
module attributes {t.a = #sdy<all_to_all_param_list[{"x"}: -1->2]>} {}

// -----

// expected-error @below {{expected '->'}}
module attributes {t.a = #sdy<all_to_all_param_list[{"x"}: 1, 2]>} {}

// -----

// expected-error @below {{expected factors or '*'}}
module attributes {t.a = #sdy.op_sharding_rule<([2])->([i]) {i=2}>} {}

// -----

// expected-error @below {{expected factors i to z and z_1, z_2 and so on, not 'ih'}}
module attributes {t.a = #sdy.op_sharding_rule<([ih])->([i]) {i=2}>} {}

// -----

// expected-error @below {{expected '{'}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i])>} {}

// -----

// expected-error @below {{expected the size of factor i}}
module attributes {t.a = #sdy.op_sharding_rule<([j])->([j]) {j=2}>} {}

// -----

// expected-error @below {{expected the size of the factor}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i]) {i=j}>} {}

// -----

// expected-error @below {{factor j has no size}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([j]) {i=2}>} {}

// -----

// expected-error @below {{factor k has no size}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i]) {i=2} reduction={k}>} {}

// -----

// expected-error @below {{expected a factor}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i]) {i=2} reduction={ii}>} {}

// -----

// expected-error @below {{factor i stands in two sets or in one twice}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i]) {i=2} need_replication={i} permutation={i}>} {}

// -----

// expected-error @below {{expected 'custom'}}
module attributes {t.a = #sdy.op_sharding_rule<([i])->([i]) {i=2}, mine>} {}

// -----

// expected-error @below {{expected a step, such as step-0}}
module attributes {t.a = #sdy.propagation_edges<[{round-0 = []}]>} {}

// -----

// expected-error @below {{expected '-' and a number}}
module attributes {t.a = #sdy.propagation_edges<[{step = []}]>} {}

// -----

// expected-error @below {{expected an operand or result, such as operand-0}}
module attributes {t.a = #sdy.propagation_edges<[{step-0 = [{"x" = value-0 -> []}]}]>} {}
