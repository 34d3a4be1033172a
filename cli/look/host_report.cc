#include "cli/look/host_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/format.h"
#include "cli/base/json.h"
#include "cli/look/heaviest.h"
#include "cli/look/left_out.h"
#include "reduction/api/site.h"

namespace ranksight::cli {
namespace {

using bgq_support::HostTraffic;

// Beyond, the text has the first ones and the document no pairs.
constexpr size_t kHostsShown = 64, kHostsPaired = 256;

double Share(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

std::string Totals(const HostReport& report) {
  const bool packages = report.places.rule.shape.packages > 1;
  std::vector<std::string> names = {"<placement", "busiest host B",
                                    "between hosts B", "share"};
  if (packages) names.insert(names.end(), {"between packages B", "share"});
  names.push_back("<found by");
  Table table(std::move(names));
  for (const PlacedTraffic& p : report.placements) {
    std::vector<std::string> cells = {
        p.name, std::to_string(p.total.Busiest()),
        std::to_string(p.total.between_hosts()),
        Percent(Share(p.total.between_hosts(), p.total.all))};
    if (packages) {
      cells.push_back(std::to_string(p.total.between_packages()));
      cells.push_back(Percent(Share(p.total.between_packages(), p.total.all)));
    }
    cells.push_back(p.how);
    table.Add(std::move(cells));
  }
  return table.ToText();
}

std::string Hosts(const HostReport& report) {
  std::vector<std::string> names = {"<host", "ranks"};
  for (const PlacedTraffic& p : report.placements) {
    names.insert(names.end(), {"within, " + p.name, "sent", "received"});
  }
  Table table(std::move(names));
  const auto& list = report.places.list.names;
  for (size_t i = 0; i < std::min(list.size(), kHostsShown); ++i) {
    std::vector<std::string> cells = {
        list[i], std::to_string(report.placements[0].total.hosts[i].ranks)};
    for (const PlacedTraffic& p : report.placements) {
      const HostTraffic::Host& host = p.total.hosts[i];
      for (const uint64_t bytes : {host.within, host.sent, host.received}) {
        cells.push_back(std::to_string(bytes));
      }
    }
    table.Add(std::move(cells));
  }
  std::string text = table.ToText();
  if (list.size() > kHostsShown) {
    text += fmt::format("and {} more\n", list.size() - kHostsShown);
  }
  return text;
}

std::string Sites(const HostReport& report) {
  std::vector<std::string> names = {"<call", "messages", "bytes"};
  for (const PlacedTraffic& p : report.placements) {
    names.push_back("between, " + p.name);
  }
  names.push_back("<call site");
  std::vector<uint64_t> bytes;
  for (const HostTraffic& t : report.placements[0].sites) {
    bytes.push_back(t.all);
  }
  const Heaviest heaviest = HeaviestOf(bytes);
  Table table(std::move(names));
  for (const size_t i : heaviest.shown) {
    const SiteTraffic& site = report.traffic.sites[i];
    std::vector<std::string> cells = {
        std::string(reduction::Info(site.call).name),
        std::to_string(site.messages), std::to_string(bytes[i])};
    for (const PlacedTraffic& p : report.placements) {
      cells.push_back(std::to_string(p.sites[i].between_hosts()));
    }
    cells.push_back(report.names->Text(site.site));
    table.Add(std::move(cells));
  }
  return table.ToText() + heaviest.rest;
}

void WriteTotals(const HostTraffic& traffic, JsonWriter* json) {
  json->Member("sent_bytes", traffic.all)
      .Member("within_hosts_bytes", traffic.within_hosts)
      .Member("between_hosts_bytes", traffic.between_hosts())
      .Member("between_packages_bytes", traffic.between_packages())
      .Member("busiest_host_bytes", traffic.Busiest());
}

void WriteHosts(const PlacedTraffic& placed, const HostReport& report,
                JsonWriter* json) {
  json->Key("hosts").BeginArray();
  const auto& list = report.places.list.names;
  for (size_t i = 0; i < list.size(); ++i) {
    const HostTraffic::Host& host = placed.total.hosts[i];
    json->BeginObject()
        .Member("name", list[i])
        .Member("ranks", host.ranks)
        .Member("within_bytes", host.within)
        .Member("sent_bytes", host.sent)
        .Member("received_bytes", host.received)
        .EndObject();
  }
  json->EndArray();
}

// Who sends to whom, rows of senders.
void WritePairs(const PlacedTraffic& placed, const HostReport& report,
                JsonWriter* json) {
  const size_t hosts = report.places.list.names.size();
  if (hosts > kHostsPaired) return;
  const std::vector<uint64_t> pairs = bgq_support::HostPairs(
      report.places.hosts(), placed.mapping, Total(report.traffic));
  json->Key("pairs_bytes").BeginArray();
  for (size_t from = 0; from < hosts; ++from) {
    json->BeginArray();
    for (size_t to = 0; to < hosts; ++to) json->Value(pairs[from * hosts + to]);
    json->EndArray();
  }
  json->EndArray();
}

void WritePlacement(const PlacedTraffic& placed, const HostReport& report,
                    JsonWriter* json) {
  json->BeginObject().Member("name", placed.name).Member("how", placed.how);
  WriteTotals(placed.total, json);
  WriteHosts(placed, report, json);
  WritePairs(placed, report, json);
  json->Key("host_of_rank").BeginArray();
  for (const bgq_support::Place& place : placed.mapping.places()) {
    json->Value(place.node);
  }
  json->EndArray().Key("sites").BeginArray();
  for (size_t i = 0; i < placed.sites.size(); ++i) {
    const SiteTraffic& site = report.traffic.sites[i];
    json->BeginObject()
        .Member("call", reduction::Info(site.call).name)
        .Member("site", ToString(report.trace.sites, site.site))
        .Member("messages", site.messages);
    WriteTotals(placed.sites[i], json);
    json->EndObject();
  }
  json->EndArray().EndObject();
}

}  // namespace

std::string HostText(const HostReport& report) {
  const bgq_support::HostShape& shape = report.places.rule.shape;
  std::string text = fmt::format("{} hosts, {} ranks", report.places.hosts(),
                                 report.trace.meta.ranks);
  if (shape.packages > 1) {
    text += fmt::format(", {} packages of {} cores each", shape.packages,
                        shape.cores_per_package);
  }
  text += "\n\n" + Totals(report);
  text += "\nBytes within hosts, and to and from others:\n" + Hosts(report);
  text += "\nPer call site:\n" + Sites(report);
  return text + LeftOutText(report.traffic);
}

std::string HostJson(const HostReport& report) {
  const bgq_support::HostShape& shape = report.places.rule.shape;
  JsonWriter json;
  json.BeginObject()
      .Member("ranks", report.trace.meta.ranks)
      .Member("packages", shape.packages)
      .Member("cores_per_package", shape.cores_per_package);
  json.Key("placements").BeginArray();
  for (const PlacedTraffic& placed : report.placements) {
    WritePlacement(placed, report, &json);
  }
  json.EndArray();
  WriteLeftOut(report.traffic, &json);
  return json.EndObject().text();
}

}  // namespace ranksight::cli
