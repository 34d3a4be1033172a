// NodeFile: a Chakra execution trace of one rank: the metadata, then nodes,
// each a protobuf message behind its length. The schema is et_def.proto of
// github.com/mlcommons/chakra; its field numbers stand in the source file.
// Memory: one node.
// Thread-safety: one writer, one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "adapters/base/output_file.h"

namespace ranksight::adapters::chakra {

// Frozen numbers of the schema.
enum class NodeType : uint8_t {
  kCompute = 4,
  kSend = 5,
  kReceive = 6,
  kCollective = 7
};
enum class CollectiveType : uint8_t {
  kAllreduce = 0,
  kAllgather = 2,
  kAlltoall = 6,
  kReduceScatter = 7
};

class NodeFile {
 public:
  // Writes the metadata.
  explicit NodeFile(OutputFile* file);

  // A node in parts: Begin, its attributes, End. behind: nodes that must have
  // ended. duration_us: 0 where the simulator finds it.
  void Begin(uint64_t id, std::string_view name, NodeType type,
             std::span<const uint64_t> behind, uint64_t duration_us);
  void Attribute(std::string_view name, bool value);
  void Attribute(std::string_view name, int32_t value);
  void Attribute(std::string_view name, int64_t value);
  void Attribute(std::string_view name, std::string_view value);
  void End();

 private:
  void Put();
  OutputFile* file_;
  std::string message_, part_;
};

}  // namespace ranksight::adapters::chakra
