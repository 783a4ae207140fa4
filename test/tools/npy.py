"""Writes an array: npy.py PATH "3, 1" f 1 2 3 for floats, i for integers, of 4 bytes each."""

import struct
import sys

path, shape, kind, *data = sys.argv[1:]
header = f"{{'descr': '<{kind}4', 'fortran_order': False, 'shape': ({shape},), }}".ljust(117) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{len(data)}{kind}", *map(int, data)))
