// hostile_trace IN OUT NAME
// The trace with NAME as program, job, launch, parameter, region and module, as
// the name of calls and losses, and as a law: what a hostile one may hold. NAME
// may be of any bytes but 0; "%" and two digits of hex in it are a byte.
#include <cstdio>
#include <string>

#include "reduction/api/codec.h"
#include "reduction/api/site.h"

namespace {

using ranksight::reduction::Trace;

std::string Bytes(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out += char(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

void Rename(const std::string& name, Trace* trace) {
  auto& meta = trace->meta;
  meta.program = meta.build_id = name;
  meta.job += name;
  meta.launch = {name, name, name, 1, name};
  meta.params[name] = name;
  meta.polls[name] = meta.not_recorded[name] = meta.losses[name] = 1;
  if (!meta.laws.empty()) meta.laws.push_back(name);
  size_t number = 0;
  for (auto& module : trace->sites.modules) {
    module.name = name + std::to_string(number++);
    if (!IsRegion(module)) module.build_id = name;
  }
  // A region around all.
  trace->sites.modules.push_back(ranksight::reduction::RegionModule(name));
  const auto region = uint32_t(trace->sites.modules.size() - 1);
  for (auto& site : trace->sites.sites) {
    site.frames.insert(site.frames.begin(), {region, 0});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  auto trace = ranksight::reduction::ReadTraceFile(argv[1]);
  if (!trace.ok()) {
    std::fprintf(stderr, "%s\n", trace.status().message().c_str());
    return 3;
  }
  Rename(Bytes(argv[3]), &*trace);
  return WriteTraceFile(*trace, argv[2]).ok() ? 0 : 4;
}
