// Chakra execution traces of MLCommons, as ASTRA-sim reads them: a file of
// nodes for each rank, and the groups that its collectives name.
#include "adapters/api/adapter.h"

#include <optional>
#include <string>
#include <vector>

#include "adapters/base/each_rank.h"
#include "adapters/base/operation_graph.h"
#include "adapters/base/operation_source.h"
#include "adapters/base/output_file.h"
#include "adapters/chakra/node_file.h"
#include "reduction/api/communicators.h"

namespace ranksight::adapters {
namespace {

using chakra::CollectiveType;
using chakra::NodeType;
using reduction::Call;
using reduction::Communicators;
using reduction::Event;
using reduction::Param;
using reduction::Status;
using reduction::Trace;

// Those that ASTRA-sim times as collectives.
std::optional<CollectiveType> CollectiveTypeOf(Call call) {
  switch (reduction::BlockingForm(call)) {
    case Call::MPI_Allreduce_:
      return CollectiveType::kAllreduce;
    case Call::MPI_Allgather_:
      return CollectiveType::kAllgather;
    case Call::MPI_Alltoall_:
      return CollectiveType::kAlltoall;
    case Call::MPI_Reduce_scatter_block_:
      return CollectiveType::kReduceScatter;
    default:
      return std::nullopt;
  }
}

class ChakraNodes : public OperationSink {
 public:
  ChakraNodes(int64_t rank, OutputFile* file)
      : rank_(int32_t(rank)), nodes_(file) {}

  // The format's size is what one rank gives to all. What a rank receives is
  // told in place, too.
  std::optional<int64_t> Whole(const Event& e, int64_t members) const override {
    const auto type = CollectiveTypeOf(e.call());
    if (!type || members < 2) return std::nullopt;
    const bool told = e.Has(Param::kRecvCount);
    const int64_t share = e.Get(told ? Param::kRecvCount : Param::kCount) *
                          e.Get(told ? Param::kRecvTypeSize : Param::kTypeSize);
    if (share <= 0) return std::nullopt;  // nothing to time
    const bool for_each = *type == CollectiveType::kAlltoall ||
                          *type == CollectiveType::kReduceScatter;
    return for_each ? share * members : share;
  }

  int64_t unit_ns() const override { return 1000; }

  // Nodes know no start of another: what needs only that is behind whatever
  // that one is behind.
  void Add(const Operation& o, std::span<const Dependency> behind) override {
    ids_.clear();
    for (const Dependency& d : behind) {
      if (d.started_only) {
        ids_.insert(ids_.end(), before_.begin(), before_.end());
      } else {
        ids_.push_back(uint64_t(d.on));
      }
    }
    before_ = ids_;
    Write(o);
  }

 private:
  void Write(const Operation& o) {
    using Kind = Operation::Kind;
    const bool computes = o.kind == Kind::kCompute;
    nodes_.Begin(++id_, computes ? "computation" : reduction::Info(o.call).name,
                 TypeOf(o.kind), before_, computes ? uint64_t(o.amount) : 0);
    nodes_.Attribute("is_cpu_op", false);
    if (o.kind == Kind::kSend || o.kind == Kind::kReceive) {
      const auto peer = int32_t(o.peer);
      const bool sends = o.kind == Kind::kSend;
      nodes_.Attribute("comm_size", o.amount);
      nodes_.Attribute("comm_src", sends ? rank_ : peer);
      nodes_.Attribute("comm_dst", sends ? peer : rank_);
      nodes_.Attribute("comm_tag", int32_t(o.tag));
    } else if (o.kind == Kind::kCollective) {
      nodes_.Attribute("comm_type", int64_t(*CollectiveTypeOf(o.call)));
      nodes_.Attribute("comm_size", o.amount);
      nodes_.Attribute("pg_name", std::string_view(std::to_string(o.comm->id)));
    }
    nodes_.End();
  }

  static NodeType TypeOf(Operation::Kind kind) {
    switch (kind) {
      case Operation::Kind::kSend:
        return NodeType::kSend;
      case Operation::Kind::kReceive:
        return NodeType::kReceive;
      case Operation::Kind::kCollective:
        return NodeType::kCollective;
      default:
        return NodeType::kCompute;
    }
  }

  const int32_t rank_;
  chakra::NodeFile nodes_;
  uint64_t id_ = 0;
  std::vector<uint64_t> ids_, before_;  // what the node just added is behind
};

// {"1": [0, 2], ...}: all but the world, whose number is 0.
Status WriteGroups(const Communicators& comms, const std::string& path) {
  OutputFile file(path);
  file.Write('{');
  const char* between = "\n\"";
  for (const auto& comm : comms.all()) {
    if (comm->id == 0 || comm->is_inter) continue;
    file.Write(between);
    file.WriteNumber(comm->id);
    file.Write("\": [");
    for (size_t i = 0; i < comm->members.size(); ++i) {
      if (i > 0) file.Write(", ");
      file.WriteNumber(comm->members[i]);
    }
    file.Write(']');
    between = ",\n\"";
  }
  file.Write("\n}\n");
  return file.Commit();
}

Status WriteChakra(std::span<const Trace> traces, const std::string& out,
                   Conversion* conversion) {
  const auto source = OperationSource::Find(traces[0]);
  if (!source.ok()) return source.status();
  const Status groups = WriteGroups((*source)->comms(), out + "/groups.json");
  if (!groups.ok()) return groups;
  ++conversion->files;
  return ForEachRank(
      (*source)->ranks(), conversion, [&](int64_t rank, Conversion* done) {
        OutputFile file(out + "/trace." + std::to_string(rank) + ".et",
                        conversion->compress ? OutputFile::Packing::kGzip
                                             : OutputFile::Packing::kNone);
        ChakraNodes nodes(rank, &file);
        const Status written = (*source)->Write(rank, &nodes, done);
        if (!written.ok()) return written;
        done->files = 1;
        return file.Commit();
      });
}

}  // namespace

const Adapter& ChakraAdapter() {
  static const Adapter adapter = {
      .name = "chakra",
      .what =
          "Chakra execution traces for ASTRA-sim: OUT/trace.RANK.et and "
          "OUT/groups.json",
      .cannot =
          "Collectives but MPI_Allreduce, MPI_Allgather, MPI_Alltoall and "
          "MPI_Reduce_scatter_block become messages in textbook algorithms, "
          "with tags from 10000000 on, as have messages outside the world "
          "where theirs are in use already; non-blocking ones among them "
          "block. Receives from any source or with any tag are left out "
          "unless the trace holds what they matched. Probes, matched "
          "receives, persistent collectives, one-sided calls and files are "
          "left out, as are receives that were cancelled. Computation has "
          "its mean, the same on every rank, in whole microseconds; what is "
          "left over counts with the next.",
      .folder = true,
      .compresses = true,
      .write = &WriteChakra};
  return adapter;
}

}  // namespace ranksight::adapters
