#include "spmd/tools/spmd-run/Command.h"

int main(int argc, char **argv) { return spmd::runCommand(argc, argv); }
