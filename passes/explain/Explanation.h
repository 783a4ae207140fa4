// An explanation in words, ready to be printed as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spmd {

/// One side that lost.
struct ToldRival {
  std::string text;
  std::string value, location, axes;
  int32_t dim = 0;
  double bytes = 0, winnerBytes = 0; ///< Both 0 where nothing was weighed.
};

/// One step of a chain.
struct ToldLink {
  std::string kind; ///< "annotation", "step", "decision" and so on, as of Link::Kind.
  std::string text;
  std::string value, location; ///< Where the axis comes to.
  std::string plan;            ///< Of an annotation that a plan wrote: where it does.
  int32_t dim = 0;
  std::string from, op, opLocation; ///< Of a step.
  int32_t fromDim = 0;
  std::optional<int32_t> step; ///< Which of the steps of propagation that changed anything.
  std::vector<ToldRival> rivals;
};

/// How one axis, or several together, came to a dim.
struct ToldAxis {
  std::string axis; ///< `"x"` or `"x", "y"`
  std::vector<ToldLink> chain;
};

/// Why an axis did not.
struct ToldStop {
  std::string
      kind; ///< "closed", "used" and so on, as of StepObstacle, or what the search ended at.
  std::string text;
  std::string axes, from, fromLocation, to, toLocation, op, opLocation; ///< Empty if none.
};

/// A line in the place of an op.
struct ToldLine {
  std::string op, location, line;
};

struct ToldDim {
  int64_t size = 0;
  std::vector<ToldAxis> axes;
  std::vector<ToldStop> stops;     ///< Why no axis splits it, or no others than `axes`.
  std::string write;               ///< The line that would split it; empty if nothing can.
  std::vector<ToldLine> alsoWrite; ///< What else that takes.
  std::string unsplit;             ///< Why there is no axis that would.
};

/// A name that was asked for and that no value has.
struct UnknownName {
  std::string name, message;
};

/// All about one value, at one call of its function.
struct Explanation {
  std::string name, description, location, function;
  std::string alsoCalled; ///< What it was asked for as, if that is another of its names.
  std::string call;       ///< Where the function is called, if its calls differ.
  std::string sharding;   ///< As propagation leaves it.
  std::string annotated;  ///< What the program says, if it is less than that.
  std::string plan;       ///< Where the plan says so, if it does.
  std::string state;      ///< "pinned", "inferred", "free", "unused", "whole" or "missing".
  std::string remark;     ///< What is to be said of the value as a whole; may be empty.
  std::vector<ToldDim> dims;
  std::string picture; ///< Which device holds which part; empty unless asked for.
};

/// Work that all devices do alike, as whoever asks for an explanation found it.
struct ToldRepeatedWork {
  std::string location, message, fix;
};

} // namespace spmd
