"""Prints the plan in the first finding of a report of the doctor; with the report of a run under it, compares what both say
that a device moves and holds."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    fix = json.load(file)["findings"][0]["fix"]
plan, numbers = re.search(r"(entry \{.*\}); tried: (.*)", fix).groups()
if len(sys.argv) == 2:
    print(plan)
    sys.exit()
with open(sys.argv[2], encoding="utf-8") as file:
    run = json.load(file)
said = [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*", numbers)]
measured = [run["wire_bytes_per_device"], run["argument_and_result_bytes_per_device"]]
if not run["equal"] or [said[0], said[2]] != measured:
    sys.exit(f"the doctor says {numbers}; the run moves and holds {measured}, equal: {run['equal']}")
