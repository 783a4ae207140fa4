"""Arguments in the text of a program."""


def end_of_argument(text, start):
    """Returns where the argument that starts at `start` ends: behind its attributes."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "({[<":
            depth += 1
        elif text[at] in ")}]>" and text[at - 1] != "-":
            depth -= 1
        if depth < 0 or (depth == 0 and text[at] == ","):
            return at
    raise ValueError("no end")
