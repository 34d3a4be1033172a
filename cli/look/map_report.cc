#include "cli/look/map_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/look/heaviest.h"
#include "cli/look/left_out.h"
#include "reduction/api/site.h"

namespace ranksight::cli {
namespace {

using bgq_support::LinkLoads;
using bgq_support::Torus;

std::string Bytes(double bytes) { return fmt::format("{:.0f}", bytes); }

// The links of one kind: numbers [begin, end), of which `real` are there.
struct LinkKind {
  std::string name;
  int dim = 0;  // of a torus
  bool up = false;
  size_t begin = 0, end = 0;
  double real = 0;
};

const Torus* TorusOf(const bgq_support::Network& network) {
  return network.torus() == nullptr ? nullptr : &network.torus()->machine.torus;
}

std::vector<LinkKind> KindsOf(const bgq_support::Network& network) {
  std::vector<LinkKind> kinds;
  const Torus* torus = TorusOf(network);
  for (const bgq_support::LinkClass& c : network.classes()) {
    LinkKind kind{c.name,  0,     false,
                  c.begin, c.end, static_cast<double>(c.end - c.begin)};
    if (torus != nullptr) {
      // Each dimension downwards, then upwards.
      const int number = static_cast<int>(kinds.size());
      kind.dim = number / 2;
      kind.up = number % 2 == 1;
      kind.name = c.name.substr(0, 1) + (kind.up ? "+" : "-");
      const auto& d = torus->dimensions()[static_cast<size_t>(kind.dim)];
      if (!d.wraps) kind.real = kind.real * (d.length - 1) / d.length;
    }
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

struct KindLoad {
  double most = 0, mean = 0;
};

KindLoad LoadOf(const LinkLoads& loads, const LinkKind& kind) {
  double sum = 0;
  uint64_t most = 0;
  for (size_t i = kind.begin; i < kind.end; ++i) {
    sum += static_cast<double>(loads.load[i]);
    most = std::max(most, loads.load[i]);
  }
  const auto scale = static_cast<double>(loads.scale);
  return {static_cast<double>(most) / scale,
          kind.real == 0 ? 0 : sum / kind.real / scale};
}

std::string Totals(const MapReport& report) {
  Table table({"<mapping", "max link load B", "time", "bytes x hops",
               "hops a byte", "in nodes", "<found by"});
  for (const MappedLoads& m : report.mappings) {
    const LoadFigures total(m.total, report.network);
    const double local = total.sent_bytes == 0
                             ? 0
                             : static_cast<double>(total.local_bytes) /
                                   static_cast<double>(total.sent_bytes);
    table.Add({m.name, Bytes(total.max_bytes),
               Duration(total.max_seconds * 1e9), Bytes(total.hop_bytes),
               fmt::format("{:.3f}", total.HopsPerByte()), Percent(local),
               m.how});
  }
  return table.ToText();
}

std::vector<std::string> Columns(const MapReport& report,
                                 std::vector<std::string> first) {
  for (const MappedLoads& m : report.mappings) {
    first.push_back("max " + m.name);
    first.push_back("mean " + m.name);
  }
  return first;
}

std::string LinkKinds(const MapReport& report) {
  Table table(Columns(report, {"<link"}));
  for (const LinkKind& kind : KindsOf(report.network)) {
    // A dimension of one node, routers without others, one group.
    const Torus* torus = TorusOf(report.network);
    if (torus != nullptr
            ? torus->dimensions()[static_cast<size_t>(kind.dim)].length == 1
            : kind.begin == kind.end) {
      continue;
    }
    std::vector<std::string> cells = {kind.name};
    for (const MappedLoads& m : report.mappings) {
      const KindLoad load = LoadOf(m.total, kind);
      cells.push_back(Bytes(load.most));
      cells.push_back(Bytes(load.mean));
    }
    table.Add(std::move(cells));
  }
  return table.ToText();
}

std::string Sites(const MapReport& report) {
  std::vector<std::string> names = {"<call", "messages", "bytes"};
  for (const MappedLoads& m : report.mappings) {
    names.push_back("max " + m.name);
    names.push_back("hops a byte");
  }
  names.push_back("<call site");
  std::vector<uint64_t> bytes;
  for (const LoadFigures& f : report.mappings[0].sites) {
    bytes.push_back(f.sent_bytes);
  }
  const Heaviest heaviest = HeaviestOf(bytes);
  Table table(std::move(names));
  for (const size_t i : heaviest.shown) {
    const SiteTraffic& site = report.traffic.sites[i];
    std::vector<std::string> cells = {
        std::string(reduction::Info(site.call).name),
        std::to_string(site.messages), std::to_string(bytes[i])};
    for (const MappedLoads& m : report.mappings) {
      cells.push_back(Bytes(m.sites[i].max_bytes));
      cells.push_back(fmt::format("{:.3f}", m.sites[i].HopsPerByte()));
    }
    cells.push_back(report.names->Text(site.site));
    table.Add(std::move(cells));
  }
  return table.ToText() + heaviest.rest;
}

std::string Phases(const MapReport& report) {
  const std::vector<size_t> phases = PhasesOf(report.traffic);
  if (phases.size() < 2) return "";
  std::vector<std::string> names = {"phase", "bytes"};
  for (const MappedLoads& m : report.mappings) {
    names.push_back("max " + m.name);
    names.push_back("hops a byte");
  }
  std::vector<uint64_t> bytes;
  for (const LoadFigures& f : report.mappings[0].phases) {
    bytes.push_back(f.sent_bytes);
  }
  const Heaviest heaviest = HeaviestOf(bytes);
  Table table(std::move(names));
  for (const size_t i : heaviest.shown) {
    std::vector<std::string> cells = {std::to_string(phases[i]),
                                      std::to_string(bytes[i])};
    for (const MappedLoads& m : report.mappings) {
      cells.push_back(Bytes(m.phases[i].max_bytes));
      cells.push_back(fmt::format("{:.3f}", m.phases[i].HopsPerByte()));
    }
    table.Add(std::move(cells));
  }
  return "\nPer phase (part of the trace's root):\n" + table.ToText() +
         heaviest.rest;
}

void WriteLoads(const LoadFigures& loads, JsonWriter* json) {
  json->Member("max_link_bytes", loads.max_bytes)
      .Member("max_link_seconds", loads.max_seconds)
      .Member("hop_bytes", loads.hop_bytes)
      .Member("sent_bytes", loads.sent_bytes)
      .Member("local_bytes", loads.local_bytes);
}

void WriteMapping(const MappedLoads& m, const MapReport& report,
                  JsonWriter* json) {
  const bool torus = report.network.torus() != nullptr;
  json->BeginObject().Member("name", m.name).Member("how", m.how);
  WriteLoads({m.total, report.network}, json);
  json->Key(torus ? "directions" : "links").BeginArray();
  for (const LinkKind& kind : KindsOf(report.network)) {
    const KindLoad load = LoadOf(m.total, kind);
    json->BeginObject();
    if (torus) {
      json->Member("dimension", kind.name.substr(0, 1)).Member("up", kind.up);
    } else {
      json->Member("kind", kind.name);
    }
    json->Member("max_bytes", load.most)
        .Member("mean_bytes", load.mean)
        .EndObject();
  }
  json->EndArray().Key("phases").BeginArray();
  const std::vector<size_t> phases = PhasesOf(report.traffic);
  for (size_t i = 0; i < phases.size(); ++i) {
    json->BeginObject().Member("phase", phases[i]);
    WriteLoads(m.phases[i], json);
    json->EndObject();
  }
  json->EndArray().Key("sites").BeginArray();
  for (size_t i = 0; i < m.sites.size(); ++i) {
    const SiteTraffic& site = report.traffic.sites[i];
    json->BeginObject()
        .Member("call", reduction::Info(site.call).name)
        .Member("site", ToString(report.trace.sites, site.site))
        .Member("phase", site.phase)
        .Member("messages", site.messages);
    WriteLoads(m.sites[i], json);
    json->EndObject();
  }
  json->EndArray().EndObject();
}

}  // namespace

LoadFigures::LoadFigures(const LinkLoads& loads,
                         const bgq_support::Network& network)
    : max_bytes(loads.MaxBytes()),
      max_seconds(loads.MaxSeconds(network)),
      hop_bytes(loads.HopBytes()),
      sent_bytes(loads.sent_bytes),
      local_bytes(loads.local_bytes) {}

double LoadFigures::HopsPerByte() const {
  return sent_bytes == 0 ? 0 : hop_bytes / static_cast<double>(sent_bytes);
}

std::vector<size_t> PhasesOf(const TraceTraffic& traffic) {
  std::vector<size_t> phases;
  for (const SiteTraffic& site : traffic.sites) phases.push_back(site.phase);
  std::sort(phases.begin(), phases.end());
  phases.erase(std::unique(phases.begin(), phases.end()), phases.end());
  return phases;
}

std::string MapText(const MapReport& report) {
  const bgq_support::TorusNetwork* torus = report.network.torus();
  const std::string what =
      torus != nullptr
          ? torus->machine.kind + " " + torus->machine.torus.ToString()
          : report.network.ToString();
  std::string text = fmt::format(
      "{}: {} nodes, {} ranks, {} a node, routing {}{}\n\n", what,
      report.network.nodes(), report.trace.meta.ranks, report.ranks_per_node,
      torus != nullptr ? "zone " : "", report.routing);
  text += Totals(report);
  text += torus != nullptr ? "\nBytes on links, by dimension and direction:\n"
                           : "\nBytes on links:\n";
  text += LinkKinds(report);
  text += Phases(report);
  text += "\nPer call site:\n" + Sites(report);
  return text + LeftOutText(report.traffic);
}

std::string MapJson(const MapReport& report) {
  JsonWriter json;
  json.BeginObject();
  if (const bgq_support::TorusNetwork* torus = report.network.torus()) {
    json.Member("torus", torus->machine.torus.ToString())
        .Member("machine", torus->machine.kind);
  }
  json.Member("network", report.network.ToString());
  json.Member("nodes", report.network.nodes())
      .Member("ranks", report.trace.meta.ranks)
      .Member("ranks_per_node", report.ranks_per_node)
      .Member("routing", report.routing);
  json.Key("mappings").BeginArray();
  for (const MappedLoads& m : report.mappings) {
    WriteMapping(m, report, &json);
  }
  json.EndArray();
  WriteLeftOut(report.traffic, &json);
  return json.EndObject().text();
}

}  // namespace ranksight::cli
