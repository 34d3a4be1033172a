#include "cli/look/tree_text.h"

#include "cli/look/extrapolation_report.h"
#include "cli/look/parameter_text.h"

namespace ranksight::cli {
namespace {

using reduction::Call;
using reduction::Node;
using reduction::Param;
using reduction::Parameter;
using reduction::Trace;

std::string TypeName(int64_t code) {
  const std::string_view name = reduction::TypeNameByCode(code);
  return name.empty() ? ValueText(code) : std::string(name);
}

std::string OpName(int64_t code) {
  const std::string_view name = reduction::OpNameByCode(code);
  return name.empty() ? ValueText(code) : std::string(name);
}

ValueNamer NamerOf(Param param) {
  switch (param) {
    case Param::kTypeKind:
    case Param::kRecvTypeKind:
    case Param::kTypeKinds:
    case Param::kRecvTypeKinds:
      return TypeName;
    case Param::kReduceOp:
      return OpName;
    default:
      return ValueText;
  }
}

bool IsExcess(Param param) {
  return param == Param::kTypeExcess || param == Param::kRecvTypeExcess ||
         param == Param::kTypeExcesses || param == Param::kRecvTypeExcesses;
}

// The kind whose name says the size already; the parameter itself otherwise.
Param KindOfSize(Param param) {
  switch (param) {
    case Param::kTypeSize:
      return Param::kTypeKind;
    case Param::kRecvTypeSize:
      return Param::kRecvTypeKind;
    default:
      return param;
  }
}

// What the rest of the line says already: the size of a named type, and what
// is nearly always 0.
bool Redundant(const Node& node, Param param, const std::string& value) {
  if (value == "-") return true;
  if (value == "0" &&
      (IsExcess(param) || param == Param::kInPlace ||
       param == Param::kMatchCount || param == Param::kDoneCount)) {
    return true;
  }
  const Param kind = KindOfSize(param);
  const auto params = Info(node.call).params;
  for (size_t i = 0; kind != param && i < params.size(); ++i) {
    if (params[i] != kind) continue;
    return ParameterText(node.params[i], TypeName).starts_with("MPI_");
  }
  return false;
}

// " x200", " x{0..3: 2; 4..15: 3}", or nothing for once on every rank.
std::string TripsText(const Node& node, int64_t ranks) {
  const bool everywhere =
      static_cast<int64_t>(node.trips.Ranks().size()) == ranks;
  const auto& pieces = node.trips.pieces();
  const std::string text = ParameterText(node.trips);
  if (everywhere && pieces.size() == 1) return text == "1" ? "" : " x" + text;
  if (pieces.size() == 1) {
    return " on ranks " + RankSetText(pieces[0].ranks) +
           (text == "1" ? "" : " x" + text);
  }
  return pieces.empty() ? " never" : " x" + text;
}

std::string EventText(const Trace& trace, const Node& node, SiteNames* names) {
  const bool estimated = EstimateOf(trace, node.call, node.site) != nullptr;
  std::string out = estimated ? "~" : "";
  out += Info(node.call).name;
  out += TripsText(node, trace.meta.ranks);
  const auto params = Info(node.call).params;
  std::string separator = "  ";
  for (size_t i = 0; i < params.size() && i < node.params.size(); ++i) {
    const std::string value = ParameterText(node.params[i], NamerOf(params[i]));
    if (Redundant(node, params[i], value)) continue;
    out += separator;
    out += ParamName(params[i]);
    out += '=' + value;
    separator = " ";
  }
  return out + "  @ " + names->Text(node.site);
}

void AppendTree(const Trace& trace, const Node& node, int depth,
                SiteNames* names, std::string* out) {
  out->append(2 * static_cast<size_t>(depth), ' ');
  *out += node.is_event() ? EventText(trace, node, names)
                          : "loop" + TripsText(node, trace.meta.ranks);
  *out += '\n';
  for (const Node& child : node.children) {
    AppendTree(trace, child, depth + 1, names, out);
  }
}

void WriteForms(const Parameter& parameter, ValueNamer name, JsonWriter* json) {
  json->BeginArray();
  for (const ParameterForm& form : Forms(parameter, SIZE_MAX, name)) {
    json->BeginObject()
        .Member("ranks", RankSetText(form.ranks))
        .Member("form", form.text)
        .EndObject();
  }
  json->EndArray();
}

void WriteNode(const Trace& trace, const Node& node, SiteNames* names,
               JsonWriter* json) {
  json->BeginObject();
  json->Member("kind", node.is_event() ? "event" : "loop");
  json->Key("trips");
  WriteForms(node.trips, ValueText, json);
  if (node.is_event()) {
    json->Member("call", Info(node.call).name);
    json->Member("site", ToString(trace.sites, node.site));
    json->Member("source", names->Text(node.site));
    json->Member("estimated",
                 EstimateOf(trace, node.call, node.site) != nullptr);
    json->Key("params").BeginObject();
    const auto params = Info(node.call).params;
    for (size_t i = 0; i < params.size() && i < node.params.size(); ++i) {
      json->Key(ParamName(params[i]));
      WriteForms(node.params[i], NamerOf(params[i]), json);
    }
    json->EndObject();
  } else {
    json->Key("children").BeginArray();
    for (const Node& child : node.children)
      WriteNode(trace, child, names, json);
    json->EndArray();
  }
  json->EndObject();
}

}  // namespace

std::string TreeText(const Trace& trace, SiteNames* names) {
  std::string out;
  for (const Node& child : trace.root.children) {
    AppendTree(trace, child, 0, names, &out);
  }
  return out;
}

void WriteTree(const Trace& trace, SiteNames* names, JsonWriter* json) {
  json->BeginArray();
  for (const Node& child : trace.root.children)
    WriteNode(trace, child, names, json);
  json->EndArray();
}

}  // namespace ranksight::cli
