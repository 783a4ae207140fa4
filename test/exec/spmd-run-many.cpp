// Runs many commands of spmd-run one after the other, for to start a process takes longer than a
// small program:
//
//   spmd-run-many SECONDS
//
// reads one command a line, its words with tabs between: a file for what it says, one for what it
// complains of, and the arguments. After each it writes its exit code in a line. A command that
// takes so many seconds, or that crashes, ends this process, too, by a signal.

#include "spmd/tools/spmd-run/Command.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, '\t');)
    words.push_back(word);
  return words;
}

/// Lets what is written to `descriptor` go to the file at `path`.
void redirect(const std::string &path, int descriptor) {
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) {
    perror(path.c_str());
    exit(3);
  }
  close(file);
}

int runOne(std::vector<std::string> &words, unsigned seconds) {
  redirect(words[0], STDOUT_FILENO);
  redirect(words[1], STDERR_FILENO);
  std::vector<char *> arguments = {const_cast<char *>("spmd-run")};
  for (size_t i = 2; i < words.size(); ++i)
    arguments.push_back(words[i].data());
  llvm::cl::ResetAllOptionOccurrences();
  alarm(seconds);
  int code = spmd::runCommand(static_cast<int>(arguments.size()), arguments.data());
  alarm(0);
  llvm::outs().flush();
  return code;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: spmd-run-many SECONDS\n";
    return 2;
  }
  auto seconds = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> words = split(line);
    if (words.size() < 3) {
      std::cerr << "spmd-run-many: a line has " << words.size()
                << " words; two files and arguments are needed\n";
      return 2;
    }
    fprintf(answers, "%d\n", runOne(words, seconds));
    fflush(answers);
  }
  return 0;
}
