"""Makes a program of static shapes one of dynamic shapes, which at the same sizes computes the same.

Sizes in the types of arguments and of what ops compute become `?`; ops whose result types say sizes become those
whose operands do. In every other program some of these depend on data: on what is in an array, whatever it is, they
come out as the size that is needed, which only a run can tell. Works on the generic form, where each op tells its types.
"""

import math
import re

# Ops of which nothing but the type says what shape they have, or whose types must be those of other ops.
SAY_THEMSELVES = {"stablehlo.constant", "func.call", "stablehlo.rng_bit_generator"}
# Of these, an operand can say it.
TWINS = {"stablehlo.iota": "stablehlo.dynamic_iota", "stablehlo.reshape": "stablehlo.dynamic_reshape",
         "stablehlo.broadcast_in_dim": "stablehlo.dynamic_broadcast_in_dim"}
# Their results have the type of operand 0.
KEEP_TYPES = {"sdy.sharding_constraint", "sdy.reshard"}
OP = re.compile(r'^(?P<indent> *)(?:(?P<results>%\w+)(?::(?P<count>\d+))? = )?"(?P<op>[\w.]+)"\((?P<operands>[^)]*)\)')
TYPES = re.compile(r"^(?P<head>.*) : \((?P<inputs>.*)\) -> (?P<outputs>.*)$")


def split_types(text):
    """Returns the types in a list, with or without parentheses."""
    text = text[1:-1] if text.startswith("(") else text
    types, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "<(") - (c in ">)" and text[i - 1] != "-")
        if c == "," and depth == 0:
            types.append(text[start:i].strip())
            start = i + 1
    return types + [text[start:].strip()] if text.strip() else []


def shape_of(tensor):
    """Returns sizes and element type of a tensor type, or None of another one."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", tensor)
    return ([int(size) for size in match[1].split("x")[:-1]], match[2]) if match else None


class Opener:
    def __init__(self, rng, text):
        self.rng, self.lines = rng, text.splitlines()
        self.called = set(re.findall(r"%\w+(?:#\d+)?", " ".join(re.findall(r'"func.call"\(([^)]*)\)', text))))
        for line in reversed(self.lines):
            op = OP.match(line)
            if op and op["op"] in KEEP_TYPES and op["results"] in self.called:
                self.called.add(op["operands"])
        self.out, self.pending, self.fresh = [], [], 0
        self.static, self.open, self.inside = {}, {}, False
        self.by_data = 0.3 if rng.random() < 0.5 else 0.0

    def opened(self, tensor, name):
        """Returns the type with some sizes unknown."""
        known = shape_of(tensor)
        if not known or name in self.called:
            return tensor
        sizes = ["?" if self.rng.random() < 0.6 else str(size) for size in known[0]]
        return "tensor<" + "".join(size + "x" for size in sizes) + known[1] + ">"

    def define(self, name, static, now):
        self.static[name], self.open[name] = static, now

    def run(self):
        for line in self.lines:
            indent = len(line) - len(line.lstrip())
            if indent == 2 and '"func.func"' in line:
                self.begin(line)
            elif indent == 2 and line.startswith("  ^bb0") and self.inside:
                self.arguments(line)
            elif not self.inside:
                self.out.append(line)
            elif indent == 2:
                self.end(line)
            else:
                self.statement(line)
        return "\n".join(self.out) + "\n"

    def begin(self, line):
        self.inside = 'sym_name = "main"' in line
        self.signature = len(self.out)
        self.out.append(line)

    def arguments(self, line):
        pairs = [each.split(": ") for each in split_types(line[len("  ^bb0("):-2])]
        for name, tensor in pairs:
            self.define(name, tensor, self.opened(tensor, name))
        self.inputs = [self.open[name] for name, _ in pairs]
        self.out.append("  ^bb0(" + ", ".join(f"{name}: {self.open[name]}" for name, _ in pairs) + "):")

    def end(self, line):
        kind = f"function_type = ({', '.join(self.inputs)}) -> ({', '.join(self.outputs)})"
        self.out[self.signature] = re.sub(r"function_type = .*?(?=, (?:res_attrs|sym_name))", lambda _: kind,
                                          self.out[self.signature])
        self.inside = False
        self.out.append(line)

    def statement(self, line):
        op = OP.match(line)
        if op and line.endswith("({"):
            self.pending.append(op)
            self.out.append(line)
        elif op:
            self.finish(op, line)
        elif line.lstrip().startswith("})"):
            self.finish(self.pending.pop(), line)
        else:
            self.out.append(line)

    def finish(self, op, line):
        """Writes the types of an op anew."""
        types = TYPES.match(line)
        operands = [name for name in op["operands"].split(", ") if name]
        inputs = [self.open.get(name, tensor) for name, tensor in zip(operands, split_types(types["inputs"]))]
        outputs, head = split_types(types["outputs"]), types["head"]
        if op["op"] == "func.return":
            self.outputs = inputs
        if op["results"] and len(op["indent"]) == 4:
            names = [op["results"]] if not op["count"] else [f"{op['results']}#{i}" for i in range(int(op["count"]))]
            before = outputs
            if op["op"] in KEEP_TYPES:
                outputs = [inputs[0]]
            elif op["op"] in TWINS:
                if self.rng.random() < 0.7:
                    head, inputs, outputs = self.by_operand(op, head, inputs, outputs)
            elif op["op"] not in SAY_THEMSELVES:
                outputs = [self.opened(tensor, name) for name, tensor in zip(names, outputs)]
            for each in zip(names, before, outputs):
                self.define(*each)
        elif op["op"] in KEEP_TYPES:
            outputs = [inputs[0]]
        result = outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
        self.out.append(f"{head} : ({', '.join(inputs)}) -> {result}")

    def by_operand(self, op, head, inputs, outputs):
        """Lets an operand say the shape of the result of an iota, broadcast or reshape."""
        known = shape_of(outputs[0])
        if not known[0] or op["results"] in self.called:
            return head, inputs, outputs
        sizes = self.list_of(known[0])
        operands = ", ".join(filter(None, [op["operands"], sizes]))
        head = head.replace(f'"{op["op"]}"({op["operands"]})', f'"{TWINS[op["op"]]}"({operands})')
        return head, inputs + [f"tensor<{len(known[0])}xi32>"], [self.opened(outputs[0], op["results"])]

    def emit(self, text):
        self.fresh += 1
        self.out.append(f"    %size{self.fresh} = {text}")
        return f"%size{self.fresh}"

    def list_of(self, sizes):
        """Adds a tensor that holds `sizes`: arithmetic on those of other values."""
        parts = []
        for size in sizes:
            number = self.number(size)
            parts.append(self.emit(f'"stablehlo.reshape"({number}) : (tensor<i32>) -> tensor<1xi32>'))
        types = ", ".join(["tensor<1xi32>"] * len(parts))
        return self.emit(f'"stablehlo.concatenate"({", ".join(parts)}) <{{dimension = 0 : i64}}> : ({types}) -> '
                         f"tensor<{len(parts)}xi32>")

    def number(self, size):
        integers = [name for name, tensor in self.static.items() if (shape_of(tensor) or ([], ""))[1] == "i32"]
        if integers and self.rng.random() < self.by_data:
            return self.computed(size, self.rng.choice(integers))
        sources = [name for name, tensor in self.static.items() if (shape_of(tensor) or ([],))[0]]
        if not sources or self.rng.random() < 0.2:
            return self.constant(size)
        source = self.rng.choice(sources)
        dims = shape_of(self.static[source])[0]
        dim = self.rng.randrange(len(dims))
        first = self.emit(f'"stablehlo.get_dimension_size"({source}) <{{dimension = {dim} : i64}}> : '
                          f"({self.open[source]}) -> tensor<i32>")
        operation, other = self.rng.choice(
            [("add", size - dims[dim]), ("subtract", dims[dim] - size), ("maximum", size), ("minimum", size)])
        if (operation, dims[dim] > size) in (("maximum", True), ("minimum", False)):
            operation, other = "subtract", dims[dim] - size
        return self.emit(f'"stablehlo.{operation}"({first}, {self.constant(other)}) : (tensor<i32>, tensor<i32>) -> '
                         "tensor<i32>")

    def computed(self, size, source):
        """Returns `size`, made of the elements of integer tensor `source`."""
        sizes = shape_of(self.static[source])[0]
        open_type, scalar = self.open[source], "tensor<i32>"
        if self.rng.random() < 0.5:  # How many are what they are.
            flags = re.sub("i32", "i1", open_type)
            same = self.emit(f'"stablehlo.compare"({source}, {source}) <{{comparison_direction = #stablehlo<comparison_direction EQ>}}> : '
                             f"({open_type}, {open_type}) -> {flags}")
            ones = self.emit(f'"stablehlo.convert"({same}) : ({flags}) -> {open_type}')
            count = self.reduced("add", ones, open_type, len(sizes))
            more = self.constant(size - math.prod(sizes))
            return self.emit(f'"stablehlo.add"({count}, {more}) : ({scalar}, {scalar}) -> {scalar}')
        largest = self.reduced("maximum", source, open_type, len(sizes))
        limit = self.constant(size)
        return self.emit(f'"stablehlo.clamp"({limit}, {largest}, {limit}) : ({scalar}, {scalar}, {scalar}) -> {scalar}')

    def reduced(self, operation, value, open_type, rank):
        """Adds the reduction of all elements of `value`."""
        dims = "array<i64" + (": " + ", ".join(map(str, range(rank))) if rank else "") + ">"
        body = (f'^bb0(%a: tensor<i32>, %b: tensor<i32>): %c = "stablehlo.{operation}"(%a, %b) : (tensor<i32>, tensor<i32>) '
                '-> tensor<i32> "stablehlo.return"(%c) : (tensor<i32>) -> ()')
        return self.emit(f'"stablehlo.reduce"({value}, {self.constant(0)}) <{{dimensions = {dims}}}> ({{ {body} }}) : '
                         f"({open_type}, tensor<i32>) -> tensor<i32>")

    def constant(self, number):
        return self.emit(f'"stablehlo.constant"() <{{value = dense<{number}> : tensor<i32>}}> : () -> tensor<i32>')


def open_shapes(rng, generic):
    """Returns the program with dynamic shapes, and the sizes that its arguments have, in order."""
    opener = Opener(rng, generic)
    text = opener.run()
    sizes = []
    for name in (name for name in opener.static if name.startswith("%arg")):
        static = shape_of(opener.static[name])[0]
        spelled = re.fullmatch(r"tensor<((?:[\d?]+x)*).*>", opener.open[name])[1].split("x")[:-1]
        sizes += [size for size, text_size in zip(static, spelled) if text_size == "?"]
    return text, sizes
