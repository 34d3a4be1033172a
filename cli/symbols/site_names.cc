#include "cli/symbols/site_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/symbols/debug_info.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

namespace fs = std::filesystem;

// Parts of the variable between colons.
void AppendListed(const char* variable, std::vector<std::string>* places) {
  const char* listed = std::getenv(variable);
  std::string_view left = listed == nullptr ? "" : listed;
  while (!left.empty()) {
    const size_t end = std::min(left.find(':'), left.size());
    places->emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
}

// "m::s" of gfortran's "__m_MOD_s"; nothing for other names.
std::string OfFortranModule(const std::string& name) {
  constexpr std::string_view kBegin = "__", kBetween = "_MOD_";
  const size_t between = name.find(kBetween, kBegin.size() + 1);
  if (!name.starts_with(kBegin) || between == name.npos) return {};
  return name.substr(kBegin.size(), between - kBegin.size()) +
         "::" + name.substr(between + kBetween.size());
}

std::string Demangled(const std::string& name) {
  std::string in_module = OfFortranModule(name);
  if (!in_module.empty()) return in_module;
  // Of C's s it would make "short".
  if (!name.starts_with("_Z")) return name;
  int failed = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed);
  std::string out = failed == 0 ? text : name;
  std::free(text);
  return out;
}

// Call sites as they stand in texts, whole and their innermost frames, the
// longest first: one may begin another.
using Texts = std::vector<std::pair<std::string, uint32_t>>;

Texts TextsOf(const reduction::Sites& sites) {
  Texts texts;
  for (uint32_t i = 0; i < sites.sites.size(); ++i) {
    texts.emplace_back(ToString(sites, i), i);
    texts.emplace_back(ToString(sites, i, 1), i);
  }
  std::sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) {
    return a.first.size() > b.first.size();
  });
  return texts;
}

// The site that stands in the text at `at`.
Texts::const_iterator SiteAt(const std::string& text, size_t at,
                             const Texts& texts) {
  return std::find_if(texts.begin(), texts.end(), [&](const auto& site) {
    const size_t end = at + site.first.size();
    return text.compare(at, site.first.size(), site.first) == 0 &&
           (end == text.size() || std::isalnum(uint8_t(text[end])) == 0);
  });
}

std::string TextOf(const SourcePlace& place) {
  std::string text = reduction::ShownName(Demangled(place.function));
  if (place.file.empty()) return text;
  text += ' ' + reduction::ShownName(fs::path(place.file).filename().string());
  return place.line == 0 ? text : text + ':' + std::to_string(place.line);
}

}  // namespace

struct SiteNames::Opened {
  std::unique_ptr<DebugInfo> info;  // nullptr: not found
};

SiteNames::SiteNames(const reduction::Sites& sites,
                     std::vector<std::string> places)
    : sites_(sites), places_(std::move(places)) {
  places_.emplace_back(".");
  AppendListed("RANKSIGHT_BINARIES", &places_);
  AppendListed("PATH", &places_);
  for (const char* library : {"/usr/lib", "/usr/lib/x86_64-linux-gnu",
                              "/usr/lib64", "/usr/local/lib"}) {
    places_.emplace_back(library);
  }
  opened_.resize(sites.modules.size());
}

SiteNames::~SiteNames() = default;

SiteNames::Opened* SiteNames::Open(uint32_t module) {
  auto& opened = opened_[module];
  if (opened != nullptr) return opened.get();
  opened = std::make_unique<Opened>();
  const reduction::Module& wanted = sites_.modules[module];
  // Without one nothing tells this build from another.
  if (wanted.build_id.empty()) return opened.get();
  for (const std::string& place : places_) {
    std::error_code error;
    fs::path path = place;
    if (fs::is_directory(path, error)) path /= wanted.name;
    if (!fs::is_regular_file(path, error)) continue;
    opened->info = DebugInfo::Open(path.string(), wanted.build_id);
    if (opened->info != nullptr) break;
  }
  return opened.get();
}

std::vector<SourcePlace> SiteNames::PlacesOf(const reduction::Frame& frame) {
  const Opened* opened = Open(frame.module);
  if (opened->info == nullptr) return {};
  return opened->info->At(frame.offset - 1);
}

std::vector<std::string> SiteNames::Names(const reduction::Frame& frame) {
  std::vector<std::string> names;
  for (const SourcePlace& p : PlacesOf(frame)) names.push_back(TextOf(p));
  if (names.empty()) {
    reduction::Sites one;
    one.modules = sites_.modules;
    one.sites = {{{frame}}};
    names.push_back(ToString(one, 0, 1));
  }
  return names;
}

std::string SiteNames::Text(uint32_t site, int max_frames) {
  std::string text;
  const auto& frames = sites_.sites[site].frames;
  int left = max_frames;
  for (auto f = frames.rbegin(); f != frames.rend() && left > 0; ++f) {
    if (IsRegion(sites_.modules[f->module])) continue;
    for (const std::string& name : Names(*f)) {
      if (left-- == 0) break;
      if (!text.empty()) text += " < ";
      text += name;
    }
  }
  return RegionsText(sites_, sites_.sites[site]) + (text.empty() ? "?" : text);
}

std::string SiteNames::Functions(uint32_t site, int max_frames) {
  std::string text;
  bool has_symbol = false;
  int left = max_frames;
  const auto add = [&](const std::string& name) {
    if (left-- <= 0) return;
    if (!text.empty()) text += " < ";
    text += reduction::ShownName(name);
  };
  const auto& frames = sites_.sites[site].frames;
  for (auto f = frames.rbegin(); f != frames.rend() && left > 0; ++f) {
    if (IsRegion(sites_.modules[f->module])) continue;
    const std::vector<SourcePlace> places = PlacesOf(*f);
    for (const SourcePlace& place : places) add(Demangled(place.function));
    if (places.empty()) add(sites_.modules[f->module].name);
    has_symbol = has_symbol || !places.empty();
  }
  if (!has_symbol) return "";
  return RegionsText(sites_, sites_.sites[site]) + text;
}

std::vector<std::string> FoldersOf(std::span<const std::string> trace_files) {
  std::vector<std::string> folders;
  for (const std::string& file : trace_files) {
    std::string folder = fs::absolute(file).parent_path().string();
    if (folders.empty() || folders.back() != folder) {
      folders.push_back(std::move(folder));
    }
  }
  return folders;
}

std::string WithNames(std::string text,
                      std::span<const reduction::Trace> traces,
                      const std::vector<std::string>& places) {
  constexpr std::string_view kAt = " at ";
  for (const reduction::Trace& trace : traces) {
    SiteNames names(trace.sites, places);
    const Texts texts = TextsOf(trace.sites);
    for (size_t at = 0; (at = text.find(kAt, at)) != text.npos;) {
      at += kAt.size();
      const auto site = SiteAt(text, at, texts);
      if (site == texts.end()) continue;
      const std::string name = names.Text(site->second);
      text.replace(at, site->first.size(), name);
      at += name.size();
    }
  }
  return text;
}

}  // namespace ranksight::cli
