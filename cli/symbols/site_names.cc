#include "cli/symbols/site_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/symbols/debug_info.h"
#include "reduction/api/codec.h"
#include "reduction/api/names.h"
#include "reduction/api/shown_text.h"

namespace ranksight::cli {
namespace {

namespace fs = std::filesystem;
using reduction::SourcePlace;

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

// Below a folder no more is looked at: names are not worth a walk through a
// file system.
constexpr int kMostFolders = 4;
constexpr int kMostEntries = 20'000;

// Files of that name below the folder.
std::vector<std::string> FilesBelow(const std::string& folder,
                                    const std::string& name) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(
      folder, fs::directory_options::skip_permission_denied, error);
  for (int seen = 0; !error && at != fs::recursive_directory_iterator() &&
                     seen < kMostEntries;
       at.increment(error), ++seen) {
    if (at.depth() >= kMostFolders) at.disable_recursion_pending();
    std::error_code gone;
    if (at->path().filename() == name && at->is_regular_file(gone)) {
      found.push_back(at->path().string());
    }
  }
  return found;
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

}  // namespace

struct SiteNames::Opened {
  std::unique_ptr<DebugInfo> info;  // nullptr: not found
};

SiteNames::SiteNames(const reduction::Sites& sites,
                     std::vector<std::string> places)
    : sites_(sites), places_(std::move(places)) {
  names_ = NamesIn(places_);
  places_.emplace_back(".");
  for (const char* variable :
       {"RANKSIGHT_BINARIES", "LD_LIBRARY_PATH", "PATH"}) {
    AppendListed(variable, &places_);
  }
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
  const auto open = [&](const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    opened->info = DebugInfo::Open(path, wanted.build_id);
    return opened->info != nullptr;
  };
  for (const std::string& place : places_) {
    std::error_code error;
    fs::path path = place;
    if (fs::is_directory(path, error)) path /= wanted.name;
    if (open(path.string())) return opened.get();
  }
  for (const std::string& path : FilesBelow(".", wanted.name)) {
    if (open(path)) break;
  }
  return opened.get();
}

const std::vector<SourcePlace>* SiteNames::PlacesOf(
    const reduction::Frame& frame) {
  const reduction::Module& module = sites_.modules[frame.module];
  if (const auto* known = names_.Find(module, frame.offset)) return known;
  const Opened* opened = Open(frame.module);
  if (opened->info == nullptr) return nullptr;
  // The call stands before what it returns to.
  auto places = opened->info->At(frame.offset - 1);
  if (places.empty()) return nullptr;
  return &(names_.modules[module.build_id][frame.offset] = std::move(places));
}

const reduction::Names& SiteNames::All() {
  for (const reduction::CallSite& site : sites_.sites) {
    for (const reduction::Frame& frame : site.frames) (void)PlacesOf(frame);
  }
  return names_;
}

std::string SiteNames::Text(uint32_t site, int max_frames) {
  const auto& frames = sites_.sites[site].frames;
  int left = max_frames;
  for (auto f = frames.rbegin(); f != frames.rend() && left > 0; ++f, --left) {
    (void)PlacesOf(*f);
  }
  return SiteText(sites_, names_, site, max_frames);
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
    const std::vector<SourcePlace>* places = PlacesOf(*f);
    if (places == nullptr) {
      add(sites_.modules[f->module].name);
      continue;
    }
    has_symbol = true;
    for (const SourcePlace& place : *places) {
      add(reduction::DemangledFunction(place.function));
    }
  }
  if (!has_symbol) return "";
  return RegionsText(sites_, sites_.sites[site]) + text;
}

std::vector<std::string> PlacesNear(std::span<const std::string> trace_files) {
  std::vector<std::string> places(trace_files.begin(), trace_files.end());
  for (const std::string& file : trace_files) {
    std::string folder = fs::absolute(file).parent_path().string();
    if (places.back() != folder) places.push_back(std::move(folder));
  }
  return places;
}

std::vector<std::string> ProgramsIn(std::span<const std::string> words) {
  std::vector<std::string> places;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_regular_file(word, error)) continue;
    const fs::path folder = fs::absolute(word).parent_path();
    places.push_back(word);
    places.push_back(folder.string());
    places.push_back((folder.parent_path() / "lib").string());
  }
  return places;
}

reduction::Names NamesIn(std::span<const std::string> files) {
  reduction::Names all;
  for (const std::string& file : files) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    const auto bytes = reduction::ReadWholeFile(file);
    const auto names = bytes.ok() ? reduction::NamesOf(*bytes) : bytes.status();
    if (names.ok()) all.Add(*names);
  }
  return all;
}

reduction::Status WriteNamedTrace(const reduction::Trace& trace,
                                  const std::string& path,
                                  std::span<const std::string> files) {
  const reduction::Names names = NamesIn(files);
  if (names.empty()) return WriteTraceFile(trace, path);
  const auto bytes = reduction::EncodeForFile(trace);
  if (!bytes.ok()) return bytes.status();
  const auto named = reduction::ReplaceNames(*bytes, names);
  if (!named.ok()) return named.status();
  // At once: of a file without its names nobody is to know.
  return reduction::WriteFileAtomically(*named, path);
}

namespace {

// Waits until what was written, and its name, outlives a crash of the machine.
void SyncFile(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (const std::string& what : {path, folder.empty() ? "." : folder}) {
    const int fd = open(what.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    (void)fsync(fd);  // pipes and some folders cannot be
    close(fd);
  }
}

}  // namespace

reduction::Status KeepNames(const std::string& trace_file,
                            std::vector<std::string> places) {
  const auto bytes = reduction::ReadWholeFile(trace_file);
  if (!bytes.ok()) return bytes.status();
  const auto unchanged = [&] {
    SyncFile(trace_file);
    return reduction::Status::Ok();
  };
  const auto head = reduction::DecodeHead(*bytes);
  if (!head.ok()) return unchanged();
  places.push_back(trace_file);
  SiteNames names(head->sites, std::move(places));
  if (names.All().empty()) return unchanged();
  const auto named = reduction::ReplaceNames(*bytes, names.All());
  if (!named.ok()) return named.status();
  if (*named == *bytes) return unchanged();
  return reduction::WriteFileAtomically(*named, trace_file);
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
