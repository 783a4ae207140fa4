# `cmake --install`: headers, archives, tools, and a package that yields Spmd::Ir, Spmd::Compiler and
# Spmd::Runtime.
