#include "adapters/c_mpi/calls.h"

#include <fmt/core.h>

#include <algorithm>

#include "reduction/api/target_types.h"

namespace ranksight::adapters::c_mpi {
namespace {

using reduction::Param;
using reduction::Parameter;
using reduction::Section;

// A list longer than this reads better as a table.
constexpr int64_t kLongestList = 8;

struct ModeName {
  std::string_view kind;
  int64_t number;
  std::string_view name;
};
constexpr ModeName kModes[] = {
#define RANKSIGHT_MODE(kind, number, name) {#kind, number, #name},
#include "reduction/api/modes.def"
#undef RANKSIGHT_MODE
};

bool IsPredefined(int64_t kind) {
  return kind > 0 && kind < int64_t(reduction::TypeNames().size());
}

// Table values are wider than an int; numbers and formulas are not.
std::string AsInt(const std::string& expression) {
  const bool wide = expression.find("next(") != std::string::npos ||
                    expression.find(".now") != std::string::npos;
  return wide ? "(int)" + expression : expression;
}

}  // namespace

const Parameter* CallWriter::Find(Param p) const {
  const auto params = reduction::Info(event_.call).params;
  const auto it = std::find(params.begin(), params.end(), p);
  return it == params.end() ? nullptr : &event_.params[it - params.begin()];
}

std::string CallWriter::Value(Param p, std::string_view name) {
  const Parameter* parameter = Find(p);
  return parameter == nullptr ? "0" : values_->Scalar(*parameter, name);
}

// What is read one by one can be named once only.
std::string CallWriter::Once(std::string expression, const char* variable) {
  if (expression.find("next(") == std::string::npos) return expression;
  const std::string statement = variable + (" = " + expression);
  if (std::find(prefix_.begin(), prefix_.end(), statement) == prefix_.end()) {
    prefix_.push_back(statement);
  }
  return variable;
}

std::string CallWriter::Count(Param p, std::string_view how) {
  return fmt::format("{}({})", how, Value(p, "count"));
}

std::string CallWriter::Comm() {
  for (const std::string& statement : prefix_) {
    if (statement.starts_with("on = ")) return "on";
  }
  const std::string number = Value(Param::kComm, "comm");
  if (number == "0") return "MPI_COMM_WORLD";
  if (number == "1") return "MPI_COMM_SELF";
  return Once("comm(" + number + ")", "on");
}

std::string CallWriter::Peer(Param p, std::string_view name) {
  const std::string rank = Value(p, name);
  if (rank == "ANY_PEER") return "MPI_ANY_SOURCE";
  if (rank == "NULL_PEER") return "MPI_PROC_NULL";
  if (rank == "ROOT_PEER") return "MPI_ROOT";
  const std::string comm = Comm();
  const bool special = values_->Special(*Find(p));
  if (comm != "MPI_COMM_WORLD" || special) {
    return fmt::format("rank_in({}, {})", comm, rank);
  }
  return AsInt(rank);
}

std::string CallWriter::Tag(Param p) {
  const std::string tag = Value(p, "tag");
  if (tag == "TAG_ANY") return "MPI_ANY_TAG";
  return values_->Special(*Find(p)) ? "tag(" + tag + ")" : AsInt(tag);
}

std::string CallWriter::Type(bool receives) {
  return Type(receives ? Param::kRecvTypeKind : Param::kTypeKind);
}

// Size and excess follow the kind in numbers, too.
std::string CallWriter::Type(Param of) {
  const Parameter* kind = Find(of);
  int64_t code = 0;
  if (kind == nullptr) return "MPI_BYTE";
  const bool one = values_->Number(*kind, &code);
  const bool bytes = AccumulatesBytes();
  if (one && IsPredefined(code) && !bytes) {
    return std::string(reduction::TypeNameByCode(code));
  }
  const auto number = static_cast<uint8_t>(of);
  const std::string size = Value(static_cast<Param>(number + 1), "size");
  const std::string excess = Value(static_cast<Param>(number + 2), "excess");
  if (bytes) return fmt::format("bytes_type({}, {})", size, excess);
  if (one) return fmt::format("bytes_type({}, {})", size, excess);
  return fmt::format("type({}, {}, {})", values_->Scalar(*kind, "type"), size,
                     excess);
}

bool CallWriter::IsOnePredefined(Param kind) const {
  const Parameter* p = Find(kind);
  int64_t code = 0;
  return p == nullptr || (values_->Number(*p, &code) && IsPredefined(code));
}

// As it is on all ranks, each time.
bool CallWriter::AccumulatesBytes() const {
  if (Find(Param::kReduceOp) == nullptr || Find(Param::kTargetCount) == nullptr)
    return false;
  int64_t op = 0;
  const std::string_view name = values_->Number(*Find(Param::kReduceOp), &op)
                                    ? reduction::OpNameByCode(op)
                                    : "";
  return name.empty() ||
         reduction::MustBeBytes(
             {.no_origin = name == "MPI_NO_OP",
              .origin = IsOnePredefined(Param::kTypeKind),
              .result = IsOnePredefined(Param::kRecvTypeKind),
              .target = IsOnePredefined(Param::kTargetTypeKind)});
}

std::string CallWriter::TargetOp() {
  int64_t code = 0;
  const bool one = values_->Number(*Find(Param::kReduceOp), &code);
  const std::string_view name = one ? reduction::OpNameByCode(code) : "";
  if (one && (name.empty() || (AccumulatesBytes() && name != "MPI_NO_OP"))) {
    return "MPI_REPLACE";
  }
  if (one) return std::string(name);
  return fmt::format("{} == {} ? MPI_NO_OP : MPI_REPLACE",
                     Value(Param::kReduceOp, "op"),
                     reduction::OpCodeByName("MPI_NO_OP"));
}

std::string CallWriter::Window() {
  for (const std::string& statement : prefix_) {
    if (statement.starts_with("w = ")) return "w";
  }
  return Once("window(" + Value(Param::kWindow, "window") + ")", "w");
}

std::string CallWriter::Target(std::string_view function) {
  const std::string peer = Value(Param::kPeer, "peer");
  if (peer == "NULL_PEER") return "MPI_PROC_NULL";
  return fmt::format("{}({}, {})", function, Window(), peer);
}

// Bits by their names where they are the same everywhere.
std::string CallWriter::Mode(std::string_view kind) {
  int64_t bits = 0;
  if (!values_->Number(*Find(Param::kMode), &bits)) {
    return fmt::format("mode_bits({}, {})", kind, Value(Param::kMode, "mode"));
  }
  std::string text;
  for (const ModeName& mode : kModes) {
    if (mode.kind != kind || (mode.number & bits) == 0) continue;
    text += (text.empty() ? "" : " | ") + std::string(mode.name);
  }
  return text.empty() ? "0" : text;
}

std::string CallWriter::Whence() {
  int64_t number = 0;
  if (values_->Number(*Find(Param::kMode), &number)) {
    for (const ModeName& mode : kModes) {
      if (mode.kind == "kWhence" && mode.number == number) {
        return std::string(mode.name);
      }
    }
  }
  return fmt::format("mode_number(kWhence, {})", Value(Param::kMode, "mode"));
}

std::string CallWriter::File() {
  for (const std::string& statement : prefix_) {
    if (statement.starts_with("f = ")) return "f->handle";
  }
  return Once("file(" + Value(Param::kFile, "file") + ")", "f") + "->handle";
}

std::string CallWriter::LockType() {
  const std::string type = Value(Param::kLockType, "lock");
  if (type == "0") return "MPI_LOCK_SHARED";
  if (type == "1") return "MPI_LOCK_EXCLUSIVE";
  return type + " == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE";
}

// Ours when a type among those reduced is none that MPI_SUM knows.
std::string CallWriter::Op() {
  int64_t code = 0, kind = 0;
  const Parameter* op = Find(Param::kReduceOp);
  const Parameter* type = Find(Param::kTypeKind);
  if (op == nullptr || !values_->Number(*op, &code) || code <= 0 ||
      code >= int64_t(reduction::OpNames().size()) || type == nullptr ||
      !values_->Number(*type, &kind) || !IsPredefined(kind)) {
    if (op != nullptr) Value(Param::kReduceOp, "op");
    return "user_op()";
  }
  return std::string(reduction::OpNameByCode(code));
}

std::string CallWriter::InPlace(std::string_view buffer) {
  const std::string in_place = Value(Param::kInPlace, "in_place");
  if (in_place == "0") return std::string(buffer);
  if (in_place == "1") return "MPI_IN_PLACE";
  return fmt::format("{} ? MPI_IN_PLACE : {}", in_place, buffer);
}

std::string CallWriter::List(Param p, const std::string& n) {
  const Parameter& parameter = *Find(p);
  const bool number = n.find_first_not_of("0123456789") == std::string::npos;
  // A short list that is the same on all ranks, each time, stands in the call
  // itself.
  if (!values_->by_law() && number && parameter.pieces().size() == 1 &&
      n.size() <= 2 && std::stoi(n) <= kLongestList) {
    const reduction::ParameterPiece& piece = parameter.pieces()[0];
    const bool same = std::all_of(
        piece.columns.begin(), piece.columns.end(), [](const auto& column) {
          return !column.relative && column.values.IsConstant();
        });
    const Section list = parameter.At(piece.ranks.At(0));
    if (same && list.size() == uint64_t(std::stoi(n))) {
      std::string text;
      for (const int64_t v : list.Expand()) {
        text += (text.empty() ? "" : ", ") + std::to_string(v);
      }
      return "(int[]){" + text + "}";
    }
  }
  return fmt::format("ints({}, {})", n,
                     values_->Sequence(parameter, reduction::ParamName(p)));
}

std::string CallWriter::Types(bool receives, const std::string& n) {
  const auto sequence = [&](Param p) {
    return values_->Sequence(*Find(p), reduction::ParamName(p));
  };
  return fmt::format(
      "types({}, {}, {}, {}, type)", n,
      sequence(receives ? Param::kRecvTypeKinds : Param::kTypeKinds),
      sequence(receives ? Param::kRecvTypeSizes : Param::kTypeSizes),
      sequence(receives ? Param::kRecvTypeExcesses : Param::kTypeExcesses));
}

std::string CallWriter::Shares(bool receives, bool typed,
                               std::string_view buffer) {
  const std::string n =
      Once(Value(receives ? Param::kRecvPeerCount : Param::kPeerCount, "n"),
           receives ? "rn" : "n");
  const std::string counts = values_->Sequence(
      *Find(receives ? Param::kRecvCounts : Param::kCounts), "counts");
  const std::string text = typed
                               ? fmt::format("typed_shares({}, {}, {}, &{})", n,
                                             counts, Types(receives, n), buffer)
                               : fmt::format("shares({}, {}, {}, &{})", n,
                                             counts, Type(receives), buffer);
  const bool persistent = reduction::Info(event_.call).makes_persistent;
  return persistent ? "kept(" + text + ")" : text;
}

std::string CallWriter::Neighbours(Param p, const std::string& n) {
  return fmt::format("peers({}, {}, {})", Comm(), n,
                     values_->Sequence(*Find(p), reduction::ParamName(p)));
}

// Of MPI_Dist_graph_create and its like; "" for what is none of theirs.
std::string CallWriter::GraphArgument(std::string_view what) {
  const auto count = [&](Param p, const char* variable) {
    return Once(Value(p, "n"), variable);
  };
  if (what == "sources") {
    const std::string n = count(Param::kSourceCount, "n");
    return n + ", " + Neighbours(Param::kSources, n);
  }
  if (what == "degrees") {
    return List(Param::kDegrees, count(Param::kSourceCount, "n"));
  }
  if (what == "destination count") {
    return count(Param::kDestinationCount, "rn");
  }
  if (what == "destinations") {
    return Neighbours(Param::kDestinations,
                      count(Param::kDestinationCount, "rn"));
  }
  if (what == "edges") {
    return List(Param::kEdges, count(Param::kEdgeCount, "rn"));
  }
  return "";
}

std::string CallWriter::Requests() {
  const std::string n = Once(Value(Param::kRequestCount, "n"), "n");
  const std::string open = Find(Param::kOpenCount) == nullptr
                               ? n
                               : Once(Value(Param::kOpenCount, "open"), "open");
  return fmt::format("{}, requests({}, {}, {})", n, n, open,
                     values_->Sequence(*Find(Param::kRequests), "requests"));
}

std::string CallWriter::DoneRequests() {
  const std::string n = Once(Value(Param::kRequestCount, "n"), "n");
  const std::string done = Value(Param::kDoneCount, "done");
  const std::string open = Once(Value(Param::kOpenCount, "open"), "open");
  return fmt::format("{}, done_requests({}, {}, {}, {}, {})", n, n, open,
                     values_->Sequence(*Find(Param::kRequests), "requests"),
                     done, values_->Sequence(*Find(Param::kDone), "done"));
}

std::string CallWriter::Argument(std::string_view what) {
  if (what == "n") return Count(Param::kCount, "scaled");
  if (what == "n up") return Count(Param::kCount, "scaled_up");
  if (what == "rn") return Count(Param::kRecvCount, "scaled");
  if (what == "rn up") return Count(Param::kRecvCount, "scaled_up");
  if (what == "type") return Type(false);
  if (what == "rtype") return Type(true);
  if (what == "comm") return Comm();
  if (what == "comm or self") {
    return Find(Param::kComm) != nullptr ? Comm() : "MPI_COMM_SELF";
  }
  if (what == "size") return Value(Param::kSize, "size");
  if (what == "unit") return AsInt(Value(Param::kDispUnit, "unit"));
  if (what == "window") return Window();
  if (what == "win") return Window() + "->handle";
  if (what == "target") return Target("rank_in_window");
  if (what == "moved to") return Target("rank_moved_to");
  if (what == "offset") return Value(Param::kOffset, "offset");
  if (what == "tn") return Count(Param::kTargetCount, "scaled");
  if (what == "ttype") return Type(Param::kTargetTypeKind);
  if (what == "target op") return TargetOp();
  if (what == "assertion") return Mode("kAssertion");
  if (what == "lock type") return LockType();
  if (what == "access") return Mode("kAccess");
  if (what == "whence") return Whence();
  if (what == "file") return File();
  if (what == "peer") return Peer(Param::kPeer, "peer");
  if (what == "rpeer") return Peer(Param::kRecvPeer, "peer");
  if (what == "root") return Peer(Param::kRoot, "root");
  if (what == "tag") return Tag(Param::kTag);
  if (what == "rtag") return Tag(Param::kRecvTag);
  if (what == "op") return Op();
  if (what == "in place") return InPlace("out");
  if (what == "in place out") return InPlace("out");
  if (what == "in place in") return InPlace("in");
  if (what == "send shares") return Shares(false, false, "out");
  if (what == "receive shares") return Shares(true, false, "in");
  if (what == "reduce shares") return Shares(false, false, "in");
  if (what == "send typed shares") return Shares(false, true, "out");
  if (what == "receive typed shares") return Shares(true, true, "in");
  if (what == "requests") return Requests();
  if (what == "done requests") return DoneRequests();
  if (what == "request") {
    return "request(" + Value(Param::kRequests, "request") + ")";
  }
  if (what == "new") {
    const bool persistent = reduction::Info(event_.call).makes_persistent;
    return persistent ? "new_persistent()" : "new_request()";
  }
  if (what == "new comm") {
    return "new_comm(" + Value(Param::kCommSize, "size") + ")";
  }
  if (what == "old comm") {
    return "old_comm(" + Value(Param::kComm, "comm") + ")";
  }
  if (what == "color") {
    const std::string color = Value(Param::kColor, "color");
    if (color == "NO_COLOR") return "MPI_UNDEFINED";
    return values_->Special(*Find(Param::kColor)) ? "color(" + color + ")"
                                                  : AsInt(color);
  }
  if (what == "key") return AsInt(Value(Param::kKey, "key"));
  if (what == "leader") return Peer(Param::kLeader, "leader");
  // They count at the leader only: no rank of comm.
  if (what == "peer comm") return Value(Param::kPeerComm, "peers");
  if (what == "remote leader") return Value(Param::kPeer, "peer");
  if (what == "mode") return AsInt(Value(Param::kMode, "mode"));
  if (what == "reorder") return Value(Param::kReorder, "reorder");
  if (what == "first member") return Value(Param::kFirstMember, "first");
  if (what == "comm size") return Value(Param::kCommSize, "size");
  if (what == "group") {
    return fmt::format("group({}, {})", Value(Param::kMemberCount, "n"),
                       values_->Sequence(*Find(Param::kMembers), "members"));
  }
  if (what == "partitions") return AsInt(Value(Param::kPartitions, "parts"));
  if (what == "count") return Value(Param::kCount, "count");
  if (what == "partition") return AsInt(Value(Param::kPartition, "part"));
  if (what == "last partition") {
    return AsInt(Value(Param::kLastPartition, "last"));
  }
  if (what == "items") {
    const std::string n = Once(Value(Param::kItemCount, "n"), "n");
    return n + ", " + List(Param::kItems, n);
  }
  if (what == "session") return Value(Param::kSession, "session");
  std::string graph = GraphArgument(what);
  if (!graph.empty()) return graph;
  const std::string n = Once(Value(Param::kDimCount, "n"), "n");
  if (what == "remain") return List(Param::kRemain, n);
  return n + ", " + List(Param::kDims, n) + ", " + List(Param::kPeriods, n);
}

std::string CallWriter::Text(std::string_view form) {
  std::string text;
  while (!form.empty()) {
    const size_t open = std::min(form.find('{'), form.size());
    text += form.substr(0, open);
    form.remove_prefix(open);
    if (form.empty()) break;
    const size_t close = form.find('}');
    text += Argument(form.substr(1, close - 1));
    form.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace ranksight::adapters::c_mpi
