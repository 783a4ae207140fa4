"""What programs as text say of shardings: taking annotations out, and telling what is pinned and what inferred."""

import re

ATTRIBUTE = re.compile(r" \{sdy\.sharding = #sdy\.sharding(?:_per_value)?<(?:(?!>\}).)*>\}")
CONSTRAINT = re.compile(r"sdy\.(?:sharding_constraint|reshard) (\S+) (<@(?:(?!> :).)*>) :")
DONATED = re.compile(r" \{((?:tf\.aliasing_output|jax\.buffer_donor) = [^,}]*), sdy\.sharding = #sdy\.sharding<(?:(?!>\}).)*>\}")
MOVEMENT = re.compile(r"sdy\.(?:all_gather|all_slice|all_to_all|all_reduce|reduce_scatter|collective_permute) (?:max |min )?"
                      r"(?:\[.*\] |\{[^}]*\} )?(%\S+) out_sharding=<@(?:(?!> :).)*> :")
NAMED = re.compile(r"(in|out)_shardings=\[(<@\w+, \[[^\]]*\][^>]*>)\]")
SHARDING = re.compile(r"<(@\w+), (\[[^\]]*\])[^>]*>")
INFERRED = re.compile(r"sdy\.sharding = (#sdy\.sharding(?:(?!sdy\.sharding = ).)*?), spmd\.inferred(?! =)")
PINNED = re.compile(r"sdy\.sharding = #sdy\.sharding(<@[^>]*>)(?!>)(, spmd\.inferred)?")


def movements(text):
    """Returns each collective on a value as a whole, as `spots` does annotations. It needs one on its operand."""
    return [(match.span(), f"stablehlo.optimization_barrier {match.group(1)} :") for match in MOVEMENT.finditer(text)]


def with_starts(text, moved):
    """Returns collectives of `movements`, and the annotations that they start from."""
    found = list(moved)
    for (begin, end), _ in moved:
        operand = re.escape(MOVEMENT.match(text, begin, end).group(1))
        made = [at.end() for at in re.finditer(rf"^ *{operand} = ", text[:begin], re.M)][-1]
        found += [spot for spot in spots(text) if spot[0][0] == made]
    return found


def spots(text):
    """Returns each annotation of a program: where it begins and ends, and what stands there without it."""
    found = [(match.span(), "") for match in ATTRIBUTE.finditer(text)]
    found += [(match.span(), f" {{{match.group(1)}}}") for match in DONATED.finditer(text)]
    found += [(match.span(), f"stablehlo.optimization_barrier {match.group(1)} :") for match in CONSTRAINT.finditer(text)]
    found += [(match.span(), f"{match.group(1)}_shardings=[{opened(match.group(2))}]") for match in NAMED.finditer(text)]
    return found


def opened(sharding):
    """Returns a sharding that says nothing: all dims are open."""
    return SHARDING.sub(lambda match: f"<{match.group(1)}, [{', '.join(['{?}'] * match.group(2).count('{'))}]>", sharding)


def half_open(text, rng):
    """Returns a program in which about half of the dims that its annotations close are open."""

    def open_some(dims):
        closed = re.compile(r"\{([^{}?]*)\}(p\d+)?")
        return closed.sub(lambda match: match.group() if rng.random() < 0.5 else
                          f"{{{match.group(1) + ', ' if match.group(1) else ''}?}}{match.group(2) or ''}", dims)

    return SHARDING.sub(lambda match: match.group().replace(match.group(2), open_some(match.group(2))), text)


def erase(text, keep=()):
    """Returns a program without its annotations, but for those of `spots` and `movements` that it keeps."""
    gone = [spot for spot in spots(text) + movements(text) if spot not in keep]
    for (begin, end), instead in sorted(gone, reverse=True):
        text = text[:begin] + instead + text[end:]
    return text


def erase_inferred(text, pinned):
    """Returns an outcome of propagation as a program with one pin more, and nothing inferred: match `pinned` of INFERRED.
    Lower user priorities have to be served again."""
    text = INFERRED.sub(lambda match: pin_of(match) if match.span() == pinned.span() else "@@", text)
    text = re.sub(r"@@, |, @@", "", text)
    text = re.sub(r"^module attributes \{spmd\.priorities_served\} \{", "module {", text)
    return re.sub(r"(?: attributes)? ?\{@@\}", "", text)


def pin_of(match):
    """Returns a match of INFERRED as a pin. Of several results of an op, those that have none stay without."""
    places = re.findall(r"<(@\w+|mesh<\[\]>), \[", match.group(1))
    without = ", ".join(str(i) for i, mesh in enumerate(places) if mesh == "mesh<[]>")
    return "sdy.sharding = " + match.group(1) + (f", spmd.inferred = array<i64: {without}>" if without else "")


def functions(text):
    """Returns the text of each function of a printed program by its name."""
    starts = [match.start() for match in re.finditer(r"^  func\.func", text, re.M)]
    parts = [text[a:b] for a, b in zip(starts, starts[1:] + [text.rindex("}")])]
    return {re.match(r' *func\.func (?:public |private )?(@"[^"]*"|@[\w.$-]+)', part).group(1): part for part in parts}


def shuffled(text, rng):
    """Returns a printed program with its functions in another order."""
    parts = list(functions(text).values())
    begin = text.index(parts[0])
    whole = "".join(parts)
    rng.shuffle(parts)
    return text[:begin] + "".join(parts) + text[begin + len(whole):]


def closed_pins(function):
    """Returns what a function pins with all dims closed: its arguments and results in order, and what ops inside say, in
    the order of their texts."""
    header = function[:function.index("\n")]
    boundary = [match.group(1) for match in PINNED.finditer(header) if not match.group(2)]
    inside = [match.group(2) for match in CONSTRAINT.finditer(function)]
    for line in function.splitlines():
        if "sdy.named_computation" in line:  # Becomes constraints.
            inside += [match.group(2) for match in NAMED.finditer(line)]
    return [pin for pin in boundary if "?" not in pin], sorted(pin for pin in inside if "?" not in pin)
