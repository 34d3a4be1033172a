#include "tests/idioms/net.h"

#include <fmt/core.h>

#include <fstream>
#include <map>
#include <sstream>

namespace ranksight::idioms {
namespace {

using reduction::Result;
using reduction::Status;

bool Parse(const std::string& line, NetCase* c) {
  std::istringstream words(line);
  int times = 0;
  std::string verdict;
  if (!(words >> c->idiom >> c->seed >> c->which.inputs >> times >> verdict)) {
    return false;
  }
  std::string setting;
  c->which.setting = bool(words >> setting);
  if (c->which.setting && setting != "setting") return false;
  c->which.far = times == 4;
  for (int v = 0; v < kVerdicts; ++v) {
    if (verdict != NameOf(Verdict(v))) continue;
    c->verdict = Verdict(v);
    return times == 2 || times == 4;
  }
  return false;
}

struct Sums {
  int exact = 0, wrong = 0;
};

Sums SumsOf(const std::vector<NetCase>& net, const std::string& idiom) {
  Sums sums;
  for (const NetCase& c : net) {
    if (c.idiom != idiom) continue;
    sums.exact += c.verdict == Verdict::kExact ? 1 : 0;
    sums.wrong += c.verdict == Verdict::kWrong ? 1 : 0;
  }
  return sums;
}

Sums SumsOf(const Table& table, const std::string& idiom) {
  Sums sums;
  const auto it = table.counts().find(idiom);
  if (it == table.counts().end()) return sums;
  for (const auto& [which, counts] : it->second) {
    sums.exact += counts[size_t(Verdict::kExact)];
    sums.wrong +=
        counts[size_t(Verdict::kWrong)] + counts[size_t(Verdict::kBroken)];
  }
  return sums;
}

}  // namespace

Result<std::vector<NetCase>> ReadNet(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::Io(path + ": cannot be read");
  std::vector<NetCase> net;
  std::string line;
  for (int n = 1; std::getline(file, line); ++n) {
    if (line.empty() || line[0] == '#') continue;
    NetCase c;
    if (!Parse(line, &c)) {
      return Status::BadInput(fmt::format("{}:{}: no case of a net", path, n));
    }
    net.push_back(c);
  }
  return net;
}

std::string WhatIsWorse(const std::vector<NetCase>& net, const Table& table) {
  std::string worse;
  std::map<std::string, bool> seen;
  for (const NetCase& c : net) {
    if (std::exchange(seen[c.idiom], true)) continue;
    const Sums then = SumsOf(net, c.idiom), now = SumsOf(table, c.idiom);
    if (now.exact < then.exact) {
      worse += fmt::format("{}: {} exact instead of {}\n", c.idiom, now.exact,
                           then.exact);
    }
    if (now.wrong > then.wrong) {
      worse += fmt::format("{}: {} wrong or broken instead of {}\n", c.idiom,
                           now.wrong, then.wrong);
    }
  }
  return worse;
}

}  // namespace ranksight::idioms
