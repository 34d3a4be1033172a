#include "adapters/chakra/node_file.h"

namespace ranksight::adapters::chakra {
namespace {

// The version of the schema that its own examples name.
constexpr std::string_view kVersion = "0.0.4";

// Wire types of protobuf.
constexpr uint32_t kVarint = 0, kBytes = 2;

// Fields of the messages.
namespace metadata {
constexpr uint32_t kVersion = 1;
}
namespace node {
constexpr uint32_t kId = 1, kName = 2, kType = 3, kDataDeps = 5,
                   kDurationMicros = 7, kAttribute = 10;
}
namespace attribute {
constexpr uint32_t kName = 1, kInt32 = 7, kInt64 = 9, kBool = 27, kString = 29;
}

void AddVarint(uint64_t value, std::string* to) {
  for (; value >= 0x80; value >>= 7) to->push_back(char(value | 0x80));
  to->push_back(char(value));
}

void AddNumber(uint32_t field, uint64_t value, std::string* to) {
  AddVarint(field << 3 | kVarint, to);
  AddVarint(value, to);
}

void AddText(uint32_t field, std::string_view text, std::string* to) {
  AddVarint(field << 3 | kBytes, to);
  AddVarint(text.size(), to);
  to->append(text);
}

}  // namespace

NodeFile::NodeFile(OutputFile* file) : file_(file) {
  AddText(metadata::kVersion, kVersion, &message_);
  Put();
}

void NodeFile::Put() {
  part_.clear();
  AddVarint(message_.size(), &part_);
  file_->Write(part_);
  file_->Write(message_);
}

void NodeFile::Begin(uint64_t id, std::string_view name, NodeType type,
                     std::span<const uint64_t> behind, uint64_t duration_us) {
  message_.clear();
  AddNumber(node::kId, id, &message_);
  AddText(node::kName, name, &message_);
  AddNumber(node::kType, uint64_t(type), &message_);
  if (!behind.empty()) {
    part_.clear();
    for (const uint64_t on : behind) AddVarint(on, &part_);
    AddText(node::kDataDeps, part_, &message_);
  }
  if (duration_us != 0) {
    AddNumber(node::kDurationMicros, duration_us, &message_);
  }
}

// A value is written even where it is zero: which kind it has says that it is
// there.
void NodeFile::Attribute(std::string_view name, bool value) {
  part_.clear();
  AddText(attribute::kName, name, &part_);
  AddNumber(attribute::kBool, value ? 1 : 0, &part_);
  AddText(node::kAttribute, part_, &message_);
}

void NodeFile::Attribute(std::string_view name, int32_t value) {
  part_.clear();
  AddText(attribute::kName, name, &part_);
  AddNumber(attribute::kInt32, uint64_t(int64_t(value)), &part_);
  AddText(node::kAttribute, part_, &message_);
}

void NodeFile::Attribute(std::string_view name, int64_t value) {
  part_.clear();
  AddText(attribute::kName, name, &part_);
  AddNumber(attribute::kInt64, uint64_t(value), &part_);
  AddText(node::kAttribute, part_, &message_);
}

void NodeFile::Attribute(std::string_view name, std::string_view value) {
  part_.clear();
  AddText(attribute::kName, name, &part_);
  AddText(attribute::kString, value, &part_);
  AddText(node::kAttribute, part_, &message_);
}

void NodeFile::End() { Put(); }

}  // namespace ranksight::adapters::chakra
