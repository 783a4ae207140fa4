#include "spmd/lowering/equality/Widen.h"

#include "spmd/lowering/equality/Frames.h"
#include "spmd/lowering/equality/Rounding.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/program/Releases.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spmd {

ElementType widened(ElementType type, ElementType wide) {
  if (isFloat(type))
    return wide;
  if (!isComplex(type))
    return type;
  return wide == ElementType::f128 ? ElementType::complexF128 : ElementType::complexF64;
}

namespace {

/// Ops that compute in their own type in wide programs, too.
bool keepsTypes(const std::string &op) {
  return op == "bitcast_convert" || op == "rng" || op == "iota" || op == "run_parallel" ||
         op == "rng_bit_generator";
}

/// Ops that compute in f64 at most, by libraries that have nothing wider.
bool isAtMostF64(const std::string &op) {
  return op == "fft" || op == "cholesky" || op == "triangular_solve";
}

class Widener {
public:
  Widener(const DeviceProgram &program, int64_t numParts, ElementType wideType)
      : program(program), numParts(numParts), wideType(wideType) {}

  DeviceProgram run() {
    out = program;
    std::vector<FunctionRole> roles = rolesOf(program);
    for (size_t i = 0; i < roles.size(); ++i)
      if (roles[i] == FunctionRole::frame)
        widenFrame(program.functions[i], out.functions[i]);
      else if (roles[i] == FunctionRole::body)
        widenBody(program.functions[i], out.functions[i]);
    for (auto *boundaries : {&out.arguments, &out.results})
      for (Boundary &boundary : *boundaries)
        boundary.global = widened(boundary.global);
    planReleases(out);
    return std::move(out);
  }

private:
  ElementType widened(ElementType type) const { return spmd::widened(type, wideType); }
  TensorType widened(const TensorType &type) const { return {widened(type.element), type.shape}; }
  bool isNarrow(ElementType type) const { return widened(type) != type; }

  //===- Functions that run inside an instruction -----------------------------===//

  static Instruction conversion(ValueId from, ValueId to, const std::string &location) {
    Instruction convert;
    convert.op = "convert";
    convert.operands = {from};
    convert.results = {to};
    convert.location = location;
    return convert;
  }

  /// Bodies compute wide, but for casts of bits, which need the type that the program has.
  void widenBody(const Function &from, Function &to) {
    for (TensorType &type : to.values)
      type = widened(type);
    std::vector<Instruction> instructions;
    for (Instruction &instruction : to.instructions) {
      if (instruction.op == "constant")
        widenConstant(from.values[instruction.results[0]], instruction);
      if (instruction.op != "bitcast_convert") {
        instructions.push_back(std::move(instruction));
        continue;
      }
      ValueId operand = instruction.operands[0], result = instruction.results[0];
      auto narrow = static_cast<ValueId>(to.values.size());
      to.values.push_back(from.values[operand]);
      to.values.push_back(from.values[result]);
      instruction.operands[0] = narrow;
      instruction.results[0] = narrow + 1;
      std::string location = instruction.location;
      instructions.push_back(conversion(operand, narrow, location));
      instructions.push_back(std::move(instruction));
      instructions.push_back(conversion(narrow + 1, result, location));
    }
    to.instructions = std::move(instructions);
  }

  void widenConstant(const TensorType &type, Instruction &constant) {
    if (!isNarrow(type.element))
      return;
    int64_t pool = *constant.attributes.get<int64_t>("pool");
    auto [known, isNew] = widePools.try_emplace({pool, type.element}, out.constants.size());
    if (isNew)
      out.constants.push_back(widenedBytes(program.constants[pool], type.element));
    constant.attributes.set("pool", known->second);
  }

  std::string widenedBytes(const std::string &bytes, ElementType type) const {
    int64_t count = static_cast<int64_t>(bytes.size()) / storedBytes(type);
    absl::StatusOr<Tensor> tensor =
        Tensor::fromBytes({type, {count}}, bytes.data(), static_cast<int64_t>(bytes.size()));
    if (tensor.ok())
      tensor = toWide(*tensor, widened(type));
    if (!tensor.ok())
      return {};
    return {reinterpret_cast<const char *>(tensor->data()),
            static_cast<size_t>(tensor->sizeInBytes())};
  }

  //===- Functions that run instruction by instruction ------------------------===//

  void widenFrame(const Function &from, Function &to) {
    source = &from;
    target = &to;
    to.instructions.clear();
    to.values.clear();
    wide.assign(from.values.size(), -1);
    for (int32_t i = 0; i < from.numArguments; ++i)
      wide[i] = newValue(widened(from.values[i]));
    for (const Instruction &instruction : from.instructions)
      add(instruction);
    for (ValueId &result : to.results)
      result = wide[result];
  }

  ValueId newValue(TensorType type) {
    target->values.push_back(std::move(type));
    return static_cast<ValueId>(target->values.size() - 1);
  }
  ElementType elementOf(ValueId value) const { return source->values[value].element; }

  /// Adds an instruction of one operand and returns its result.
  ValueId emit(const char *op, ValueId operand, ElementType element, Attributes attributes = {}) {
    Instruction instruction;
    instruction.op = op;
    instruction.operands = {operand};
    instruction.attributes = std::move(attributes);
    instruction.location = location;
    instruction.results = {newValue({element, target->values[operand].shape})};
    target->instructions.push_back(instruction);
    return instruction.results[0];
  }

  /// Returns `value` as `element`.
  ValueId converted(ValueId value, ElementType element) {
    bool isSo = target->values[value].element == element;
    return isSo ? value : emit("convert", value, element);
  }

  /// Adds a copy of the instruction on values of the types that `typeFor` gives for those of the
  /// source, and widens its results.
  template <typename TypeFn> void addAs(const Instruction &instruction, TypeFn typeFor) {
    Instruction copy = instruction;
    copy.releases.clear();
    for (ValueId &operand : copy.operands)
      operand = converted(wide[operand], typeFor(elementOf(operand)));
    for (ValueId &result : copy.results)
      result = newValue({typeFor(elementOf(result)), source->values[result].shape});
    target->instructions.push_back(copy);
    for (size_t i = 0; i < copy.results.size(); ++i) {
      ValueId result = instruction.results[i];
      wide[result] = converted(copy.results[i], widened(elementOf(result)));
    }
  }

  /// As the source has it.
  void addNarrow(const Instruction &instruction) {
    addAs(instruction, [](ElementType element) { return element; });
  }
  void addInF64(const Instruction &instruction) {
    addAs(instruction,
          [](ElementType element) { return spmd::widened(element, ElementType::f64); });
  }

  /// How many roundings of a run that rounds to `sampledBits` are one of such a run in f64.
  double unitsOfF64() const {
    return std::ldexp(1.0, sampledBits(wideType) - sampledBits(ElementType::f64));
  }
  /// Where wide values are wider than f64, those that f64 has rounded take errors of that size.
  void roundFromF64(const Instruction &instruction) {
    for (ValueId result : instruction.results)
      if (isRounded(elementOf(result)) && wideType != ElementType::f64)
        roundResult(result, 0, 0, unitsOfF64());
  }

  /// Adds a copy on wide values. Returns the place of the copy.
  Instruction &addWide(const Instruction &instruction) {
    Instruction copy = instruction;
    copy.releases.clear();
    for (ValueId &operand : copy.operands)
      operand = wide[operand];
    for (ValueId &result : copy.results) {
      ValueId of = result;
      result = newValue(widened(source->values[of]));
      wide[of] = result;
    }
    target->instructions.push_back(std::move(copy));
    return target->instructions.back();
  }

  void roundResult(ValueId value, double extraUlps, double sumError, double sumUnits) {
    ElementType element = elementOf(value);
    Attributes attributes{{"type", static_cast<int64_t>(element)}, {"number", numRounded++}};
    if (extraUlps > 0)
      attributes.set("extra_ulps", 2 * extraUlps * unitOf(computedIn(element)) / unitOf(element));
    if (sumError > 0 || sumUnits > 0) {
      attributes.set("sum_error", sumError);
      attributes.set("sum_units", sumUnits);
    }
    wide[value] = emit("round_result", wide[value], widened(element), attributes);
  }

  void add(const Instruction &instruction) {
    location = instruction.location;
    const std::string &op = instruction.op;
    if (op == "constant") {
      widenConstant(source->values[instruction.results[0]], addWide(instruction));
    } else if (op == "convert") {
      addConversion(instruction);
    } else if (keepsTypes(op)) {
      addNarrow(instruction);
      if (op == "run_parallel")
        roundFromF64(instruction);
    } else if (op == "custom_call") {
      addCustomCall(instruction);
    } else if (op == "reduce_precision") {
      addReducePrecision(instruction);
    } else if (!givesFloats(instruction) ||
               (isExact(op) && !instruction.attributes.contains("function"))) {
      addWide(instruction);
    } else if (std::optional<double> terms = numTerms(program, *source, instruction, numParts)) {
      addSum(instruction, *terms);
    } else {
      Instruction &copy = addWide(instruction);
      if (isLibraryFunction(op) && isNarrow(elementOf(instruction.results[0])))
        copy.attributes.set("by_vectors", true);
      for (ValueId result : instruction.results)
        if (isRounded(elementOf(result)))
          roundResult(result, extraUlpsOf(instruction), 0, 0);
    }
  }

  bool givesFloats(const Instruction &instruction) const {
    return std::any_of(instruction.results.begin(), instruction.results.end(),
                       [&](ValueId result) { return isRounded(elementOf(result)); });
  }

  void addConversion(const Instruction &instruction) {
    ValueId operand = instruction.operands[0], result = instruction.results[0];
    ElementType from = elementOf(operand), to = elementOf(result);
    if (!isRounded(to)) {
      addWide(instruction);
    } else if (!isRounded(from)) { // The same in all implementations.
      addNarrow(instruction);
    } else {
      if (widened(from) == widened(to))
        wide[result] = wide[operand];
      else
        addWide(instruction);
      bool keepsAll = precisionOf(to) >= precisionOf(from) && computedIn(to) == to;
      double extraUlps = extraUlpsOf(instruction);
      if (!keepsAll || extraUlps > 0)
        roundResult(result, extraUlps, 0, 0);
    }
  }

  /// Rounds as the op says; in a run that rounds at random, from a number that is off by as much as
  /// such a rounding may be.
  void addReducePrecision(const Instruction &instruction) {
    ValueId operand = instruction.operands[0];
    double unit = std::ldexp(
        1.0, -1 - static_cast<int>(*instruction.attributes.getOr<int64_t>("mantissa_bits", 52)));
    ValueId kept = wide[operand];
    constexpr double uniformDeviation = 0.5773502691896258; // Of a number in [-1, 1).
    wide[operand] = emit("perturb_terms", kept, target->values[kept].element,
                         {{"sum_error", unit * uniformDeviation}});
    addWide(instruction);
    wide[operand] = kept;
  }

  /// Calls of LAPACK compute in f64. Checks judge the program itself, and have done so.
  void addCustomCall(const Instruction &instruction) {
    std::string callee =
        instruction.attributes.getOr<std::string>("call_target_name", "").value_or("");
    if (callee.rfind("check.", 0) == 0 && instruction.results.empty())
      return;
    constexpr size_t letter = 7; // Of "lapack_sgetrf_ffi".
    bool isLapack = callee.rfind("lapack_", 0) == 0 && callee.size() > letter;
    if (!isLapack && callee != "tridiagonal_solve_perturbed_ffi") {
      addNarrow(instruction);
      return roundFromF64(instruction);
    }
    std::vector<std::pair<ValueId, ValueId>> kept =
        perturbOperands(instruction, 2, 2 * unitsOfF64());
    Instruction inF64 = instruction;
    if (isLapack) {
      char &type = callee[letter];
      type = type == 's' ? 'd' : type == 'c' ? 'z' : type;
      inF64.attributes.set("call_target_name", callee);
    }
    addInF64(inF64);
    for (auto [operand, value] : kept)
      wide[operand] = value;
    for (ValueId result : instruction.results)
      if (isRounded(elementOf(result)))
        roundResult(result, 0, 0, wideType == ElementType::f64 ? 0 : unitsOfF64());
  }

  //===- Sums -----------------------------------------------------------------===//

  /// Gives the float operands of `instruction` relative errors. Returns what stood for them before.
  std::vector<std::pair<ValueId, ValueId>> perturbOperands(const Instruction &instruction,
                                                           double error, double units) {
    std::vector<std::pair<ValueId, ValueId>> kept;
    for (ValueId operand : instruction.operands)
      if (isRounded(elementOf(operand))) {
        double unit = unitOf(computedIn(elementOf(operand)));
        perturb(operand, error * unit, units, kept);
      }
    return kept;
  }

  void perturb(ValueId operand, double error, double units,
               std::vector<std::pair<ValueId, ValueId>> &kept,
               ElementType type = ElementType::f64) {
    for (auto [known, value] : kept)
      if (known == operand)
        return;
    kept.emplace_back(operand, wide[operand]);
    wide[operand] =
        emit("perturb_terms", wide[operand], target->values[wide[operand]].element,
             {{"sum_error", error}, {"sum_units", units}, {"type", static_cast<int64_t>(type)}});
  }

  static bool isProductOfMatrices(const Instruction &instruction) {
    return instruction.op == "dot_general" || instruction.op == "convolution";
  }

  /// Which operands hold the terms. Of a product, the errors of one side are those of its terms.
  std::vector<ValueId> termOperands(const Instruction &instruction) const {
    const std::vector<ValueId> &operands = instruction.operands;
    const std::string &op = instruction.op;
    if (isProductOfMatrices(instruction)) {
      bool isFirst =
          source->values[operands[0]].numElements() <= source->values[operands[1]].numElements();
      return {operands[isFirst ? 0 : 1]};
    }
    if (op == "reduce" || op == "reduce_window")
      return {operands.begin(), operands.begin() + static_cast<int64_t>(operands.size() / 2)};
    if (op == "scatter")
      return {operands.begin() + static_cast<int64_t>(operands.size() / 2 + 1), operands.end()};
    if (op == "select_and_scatter")
      return {operands[1]};
    return operands;
  }

  /// A sum of n terms, made in any order: docs/equality.md derives the errors of terms and result.
  void addSum(const Instruction &instruction, double terms) {
    ElementType element = source->values[instruction.results[0]].element;
    double unit = unitOf(computedIn(element)), coarse = unitOf(element);
    double parts = std::min<double>(static_cast<double>(numParts), terms);
    double ofTerms = std::sqrt(terms / 18), ofSum = std::sqrt(terms) / 3;
    double partsOfTerms = std::sqrt((1 + parts / 6) / 3),
           partsOfSum = std::sqrt((1 / std::max(parts, 1.0) + parts / 3) / 3);
    double termError = terms > 1 ? unit * ofTerms : 0, sumError = terms > 1 ? unit * ofSum : 0;
    double termUnits = terms > 1 ? ofTerms : 0, sumUnits = terms > 1 ? ofSum : 0;
    if (parts > 1) {
      termError = std::hypot(termError, coarse * partsOfTerms);
      sumError = std::hypot(sumError, coarse * partsOfSum);
      termUnits = std::hypot(termUnits, partsOfTerms);
      sumUnits = std::hypot(sumUnits, partsOfSum);
    }
    // Products of matrices take most of the time. Random runs compute them in f32 where the program
    // does, since these runs have errors of that size anyway.
    bool isProduct = isProductOfMatrices(instruction) && precisionOf(computedIn(element)) == 24;
    bool isInF64 = isAtMostF64(instruction.op) && wideType != ElementType::f64;
    if (isInF64) {
      termUnits = unitsOfF64() * std::hypot(termUnits, 1);
      sumUnits = unitsOfF64() * std::hypot(sumUnits, 1);
    }
    std::vector<std::pair<ValueId, ValueId>> kept;
    if (terms > 1 || isInF64)
      for (ValueId operand : termOperands(instruction))
        if (isRounded(elementOf(operand)))
          perturb(operand, termError, termUnits, kept,
                  isProduct ? computedIn(element) : ElementType::f64);
    if (isInF64)
      addInF64(instruction);
    else
      addWide(instruction);
    if (isProduct)
      target->instructions.back().attributes.set("sampled_in_f32", true);
    for (auto [operand, value] : kept)
      wide[operand] = value;
    for (ValueId result : instruction.results)
      if (isRounded(elementOf(result)) && terms > 0)
        roundResult(result, 0, sumError, sumUnits);
  }

  const DeviceProgram &program;
  const int64_t numParts;
  const ElementType wideType;
  DeviceProgram out;
  std::map<std::pair<int64_t, ElementType>, int64_t> widePools;
  const Function *source = nullptr;
  Function *target = nullptr;
  std::vector<ValueId> wide; ///< By value of the source.
  std::string location;
  int64_t numRounded = 0;
};

} // namespace

/// Whether results of the instruction are rounded in f64, by an op that has a wider form.
static bool roundsInF64(const Function &function, const Instruction &instruction) {
  const std::string &op = instruction.op;
  if (isExact(op) || keepsTypes(op) || op == "convert" || op == "custom_call")
    return false;
  return std::any_of(instruction.results.begin(), instruction.results.end(), [&](ValueId result) {
    ElementType element = function.values[result].element;
    return element == ElementType::f64 || element == ElementType::complexF64;
  });
}

ElementType wideTypeFor(const DeviceProgram &program) {
  for (const Function &function : program.functions)
    for (const Instruction &instruction : function.instructions)
      if (roundsInF64(function, instruction))
        return ElementType::f128;
  return ElementType::f64;
}

DeviceProgram widen(const DeviceProgram &program, int64_t numParts, ElementType wide) {
  return Widener(program, numParts, wide).run();
}

} // namespace spmd
