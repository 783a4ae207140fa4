// Fuzzes the reader of HLO bytes and what follows it: whatever the bytes, no crash; a module is
// imported or refused with a message.
//
// Bytes changed at random are seldom a message, so most changes are made to a message: a field gets
// another value, an element of a list is dropped, repeated or exchanged. A seed may be HLO text.

#include "HloTarget.h"

#include <google/protobuf/message.h>

#include <random>

using namespace spmd;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

std::optional<hlo::HloModuleProto> moduleOf(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  absl::StatusOr<hlo::HloModuleProto> module =
      bytes.substr(0, 9) == "HloModule" ? hlo::parseHloText(bytes) : hlo::parseHloProto(bytes);
  return module.ok() ? std::optional(*std::move(module)) : std::nullopt;
}

/// Changes one thing in a message.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  void change(Message &message) {
    std::vector<Message *> all;
    collect(message, all);
    Message &chosen = *all[random() % all.size()];
    const Reflection &reflection = *chosen.GetReflection();
    std::vector<const FieldDescriptor *> fields;
    reflection.ListFields(chosen, &fields);
    if (fields.empty() || random() % 4 == 0) { // One that is not set yet.
      int count = chosen.GetDescriptor()->field_count();
      fields = {chosen.GetDescriptor()->field(random() % std::max(count, 1))};
    }
    const FieldDescriptor &field = *fields[random() % fields.size()];
    if (field.is_repeated())
      changeList(chosen, reflection, field);
    else
      set(chosen, reflection, field);
  }

private:
  static constexpr size_t mostMessages = 4000;

  static void collect(Message &message, std::vector<Message *> &all) {
    if (all.size() > mostMessages)
      return;
    all.push_back(&message);
    std::vector<const FieldDescriptor *> fields;
    const Reflection &reflection = *message.GetReflection();
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor *field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_map())
        continue;
      if (!field->is_repeated())
        collect(*reflection.MutableMessage(&message, field), all);
      else
        for (int i = 0; i < reflection.FieldSize(message, field); ++i)
          collect(*reflection.MutableRepeatedMessage(&message, field, i), all);
    }
  }

  void changeList(Message &message, const Reflection &reflection, const FieldDescriptor &field) {
    int size = reflection.FieldSize(message, &field);
    if (size > 0 && random() % 3 == 0)
      return reflection.SwapElements(&message, &field, random() % size, random() % size);
    if (size > 0 && random() % 2 == 0)
      return reflection.RemoveLast(&message, &field);
    if (field.is_map())
      return;
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.AddInt32(&message, &field, static_cast<int32_t>(number()));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.AddInt64(&message, &field, number());
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.AddBool(&message, &field, random() % 2);
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.AddEnumValue(&message, &field, static_cast<int>(random() % 40));
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection.AddString(&message, &field, "x");
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      Message &added = *reflection.AddMessage(&message, &field);
      if (size > 0)
        added.CopyFrom(reflection.GetRepeatedMessage(message, &field, random() % size));
      return;
    }
    default:
      return;
    }
  }

  void set(Message &message, const Reflection &reflection, const FieldDescriptor &field) {
    if (random() % 5 == 0)
      return reflection.ClearField(&message, &field);
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(&message, &field, static_cast<int32_t>(number()));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(&message, &field, number());
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(&message, &field, random() % 2);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.SetFloat(&message, &field, static_cast<float>(number()));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(&message, &field, static_cast<double>(number()));
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(&message, &field, static_cast<int>(random() % 40));
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection.SetString(&message, &field, word(field));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      reflection.MutableMessage(&message, &field);
      return;
    default:
      return;
    }
  }

  int64_t number() {
    static constexpr int64_t special[] = {-1,        127,       1 << 20,         INT32_MAX,
                                          INT64_MAX, INT64_MIN, int64_t{1} << 40};
    return random() % 3 == 0 ? special[random() % std::size(special)]
                             : static_cast<int64_t>(random() % 12);
  }

  std::string word(const FieldDescriptor &field) {
    static const char *const opcodes[] = {"add",
                                          "all-gather",
                                          "all-to-all",
                                          "bitcast",
                                          "broadcast",
                                          "call",
                                          "conditional",
                                          "constant",
                                          "convert",
                                          "copy-start",
                                          "copy-done",
                                          "dot",
                                          "fusion",
                                          "gather",
                                          "iota",
                                          "map",
                                          "pad",
                                          "parameter",
                                          "reduce",
                                          "reshape",
                                          "reverse",
                                          "scatter",
                                          "select",
                                          "send",
                                          "slice",
                                          "sort",
                                          "transpose",
                                          "tuple",
                                          "while",
                                          "recv-done",
                                          "async-start",
                                          "get-tuple-element",
                                          "collective-permute",
                                          "reduce-window",
                                          "custom-call",
                                          "triangular-solve",
                                          "batch-norm-grad",
                                          "dynamic-slice"};
    if (field.name() == "opcode")
      return opcodes[random() % std::size(opcodes)];
    return random() % 2 ? std::string(random() % 9, 'x') : "";
  }

  std::mt19937 random;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  std::optional<hlo::HloModuleProto> module = moduleOf(data, size);
  if (!module || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  Mutator mutator(seed);
  for (unsigned i = 0; i <= seed % 3; ++i)
    mutator.change(*module);
  std::string bytes = module->SerializeAsString();
  if (bytes.empty() || bytes.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (std::optional<hlo::HloModuleProto> module = moduleOf(data, size))
    fuzz::checkModule(*module);
  return 0;
}
