#!/usr/bin/env python3
"""Prints the shardings of the arguments and results of @main, one a line, open dims as closed ones.

    boundary.py program.mlir
"""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as program:
    main = next(line for line in program if "@main" in line)
for sharding in re.findall(r"sdy\.sharding = #sdy\.sharding<@\w+, (\[.*?\])>", main):
    print(sharding.replace(", ?}", "}").replace("{?}", "{}"))
