// How functions and places of names are read.
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "reduction/api/names.h"
#include "reduction/api/shown_text.h"

namespace ranksight::reduction {
namespace {

// Arguments of templates up to this length stay: "Field<double>".
constexpr size_t kMostArguments = 24;

// "m::s" of gfortran's "__m_MOD_s"; nothing for other names.
std::string OfFortranModule(const std::string& name) {
  constexpr std::string_view kBegin = "__", kBetween = "_MOD_";
  const size_t between = name.find(kBetween, kBegin.size() + 1);
  if (!name.starts_with(kBegin) || between == name.npos) return {};
  return name.substr(kBegin.size(), between - kBegin.size()) +
         "::" + name.substr(between + kBetween.size());
}

// Whether the bracket behind is part of an operator's name.
bool IsOperator(std::string_view before, char bracket) {
  return before.ends_with("operator") ||
         (bracket == '<' && before.ends_with("operator<"));
}

// Where what is opened at `open` ends, behind its bracket; npos: it does not.
size_t EndOf(std::string_view name, size_t open) {
  int depth = 0;
  for (size_t i = open; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0) return i + 1;
  }
  return name.npos;
}

// Without parameters, what stands before the name in a template's (its result),
// and long arguments.
std::string Shortened(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size();) {
    const char c = name[i];
    const bool opens =
        (c == '<' || c == '(' || c == '{') && !IsOperator(name.substr(0, i), c);
    const size_t end = opens ? EndOf(name, i) : name.npos;
    if (end == name.npos) {
      // Behind a result; "operator new" keeps its blank.
      if (c == ' ' && !IsOperator(out, c)) {
        out.clear();
      } else {
        out += c;
      }
      ++i;
      continue;
    }
    const std::string_view inside = name.substr(i, end - i);
    const bool is_anonymous = inside == "(anonymous namespace)";
    if (c == '(' && !is_anonymous) {
      // Parameters; what a lambda stands in goes on behind them.
      if (name.substr(end).starts_with("::")) {
        i = end;
        continue;
      }
      if (name.substr(end).starts_with(" const::")) {
        i = end + std::string_view(" const").size();
        continue;
      }
      break;
    }
    // What a lambda is told by stays.
    const bool stays =
        c != '<' || inside.size() <= kMostArguments || is_anonymous;
    out += stays ? std::string(inside) : "<...>";
    i = end;
  }
  return out.empty() ? std::string(name) : out;
}

std::string FileName(const std::string& path) {
  return ShownName(path.substr(path.rfind('/') + 1));
}

}  // namespace

std::string DemangledFunction(const std::string& function) {
  std::string in_module = OfFortranModule(function);
  if (!in_module.empty()) return in_module;
  // Of C's s it would make "short".
  if (!function.starts_with("_Z")) return function;
  int failed = 0;
  char* text = abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &failed);
  std::string out = failed == 0 ? text : function;
  std::free(text);
  return out;
}

std::string ReadableFunction(const std::string& function) {
  const std::string name = DemangledFunction(function);
  return function.starts_with("_Z") ? Shortened(name) : name;
}

std::string PlaceText(const SourcePlace& place) {
  std::string text = ShownName(ReadableFunction(place.function));
  if (place.file.empty()) return text;
  text += ' ' + FileName(place.file);
  return place.line == 0 ? text : text + ':' + std::to_string(place.line);
}

std::string ShortPlaceText(const SourcePlace& place) {
  if (place.file.empty() || place.line == 0) {
    return ShownName(ReadableFunction(place.function));
  }
  return FileName(place.file) + ':' + std::to_string(place.line);
}

std::string SiteText(const Sites& sites, const Names& names, uint32_t site,
                     int max_frames) {
  std::string text;
  int left = max_frames;
  const auto add = [&](const std::string& name) {
    if (left-- <= 0) return;
    text += (text.empty() ? "" : " < ") + name;
  };
  const auto& frames = sites.sites[site].frames;
  for (auto f = frames.rbegin(); f != frames.rend() && left > 0; ++f) {
    const Module& module = sites.modules[f->module];
    if (IsRegion(module)) continue;
    // One address may be several functions, inlined into one another.
    if (const auto* places = names.Find(module, f->offset)) {
      for (const SourcePlace& place : *places) add(PlaceText(place));
      continue;
    }
    add(ToString({sites.modules, {{{*f}}}}, 0, 1));
  }
  return RegionsText(sites, sites.sites[site]) + (text.empty() ? "?" : text);
}

std::vector<std::string> SitePath(const Sites& sites, const Names& names,
                                  uint32_t site) {
  std::vector<std::string> path;
  for (const Frame& frame : sites.sites[site].frames) {
    const Module& module = sites.modules[frame.module];
    if (IsRegion(module)) {
      path.push_back('[' + ShownName(module.name) + ']');
    } else if (const auto* places = names.Find(module, frame.offset)) {
      // Those inlined there stand before the function that they are in.
      for (auto at = places->rbegin(); at != places->rend(); ++at) {
        path.push_back(PlaceText(*at));
      }
    } else {
      path.push_back(ToString({sites.modules, {{{frame}}}}, 0, 1));
    }
  }
  return path;
}

std::string SitePlace(const Sites& sites, const Names& names, uint32_t site) {
  const auto& frames = sites.sites[site].frames;
  for (auto f = frames.rbegin(); f != frames.rend(); ++f) {
    const Module& module = sites.modules[f->module];
    if (IsRegion(module)) continue;
    const auto* places = names.Find(module, f->offset);
    return places == nullptr ? "" : ShortPlaceText(places->front());
  }
  return "";
}

}  // namespace ranksight::reduction
