#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <map>
#include <utility>

#include "cli/symbols/debug_info.h"
#include "cli/symbols/unit_functions.h"

namespace ranksight::cli {
namespace {

using reduction::SourcePlace;

std::string Hex(const unsigned char* bytes, int size) {
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

const Dwfl_Callbacks* Callbacks() {
  // Where separate debug information may lie.
  static char path[] = ":.debug:/usr/lib/debug";
  static char* places = path;
  static const Dwfl_Callbacks callbacks = {
      .find_elf = dwfl_build_id_find_elf,
      .find_debuginfo = dwfl_standard_find_debuginfo,
      .section_address = dwfl_offline_section_address,
      .debuginfo_path = &places};
  return &callbacks;
}

std::string FunctionName(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  const auto text = [&](unsigned name) {
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
  };
  const char* own = text(DW_AT_name);
  for (const unsigned name :
       {unsigned(DW_AT_linkage_name), unsigned(DW_AT_MIPS_linkage_name)}) {
    const char* linked = text(name);
    // A Fortran procedure outside modules has an underscore more there.
    if (linked != nullptr && own != nullptr && own + std::string("_") == linked)
      return own;
    if (linked != nullptr) return linked;
  }
  return own != nullptr ? own : "?";
}

class LibdwInfo : public DebugInfo {
 public:
  explicit LibdwInfo(Dwfl* dwfl) : dwfl_(dwfl) {}
  ~LibdwInfo() override { dwfl_end(dwfl_); }
  LibdwInfo(const LibdwInfo&) = delete;
  LibdwInfo& operator=(const LibdwInfo&) = delete;

  bool Load(const std::string& path, const std::string& build_id) {
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_offline(dwfl_, "", path.c_str(), -1);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    if (module_ == nullptr) return false;
    if (dwfl_module_getelf(module_, &bias_) == nullptr) return false;
    const unsigned char* bytes = nullptr;
    GElf_Addr place = 0;
    const int size = dwfl_module_build_id(module_, &bytes, &place);
    return size > 0 && Hex(bytes, size) == build_id;
  }

  std::vector<SourcePlace> At(uint64_t address) override {
    const Dwarf_Addr where = address + bias_;
    std::vector<SourcePlace> places = Scopes(where);
    if (!places.empty()) return places;
    const char* name = dwfl_module_addrname(module_, where);
    if (name == nullptr) return {};
    return {{name, "", 0}};
  }

 private:
  // From the debug information; empty when there is none.
  std::vector<SourcePlace> Scopes(Dwarf_Addr where) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, where, &bias);
    if (unit == nullptr) return {};
    const UnitFunctions& functions =
        units_.try_emplace(dwarf_dieoffset(unit), unit).first->second;
    std::vector<SourcePlace> places;
    SourcePlace next = LineAt(where);
    for (Dwarf_Die& function : functions.FunctionsAt(where - bias)) {
      next.function = FunctionName(&function);
      places.push_back(next);
      if (dwarf_tag(&function) == DW_TAG_inlined_subroutine)
        next = CallOf(&function, unit);
    }
    return places;
  }

  SourcePlace LineAt(Dwarf_Addr where) {
    SourcePlace place;
    Dwfl_Line* line = dwfl_module_getsrc(module_, where);
    const char* file = line == nullptr
                           ? nullptr
                           : dwfl_lineinfo(line, nullptr, &place.line, nullptr,
                                           nullptr, nullptr);
    if (file != nullptr) place.file = file;
    return place;
  }

  // Where an inlined function was called.
  static SourcePlace CallOf(Dwarf_Die* inlined, Dwarf_Die* unit) {
    SourcePlace place;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute),
                        &number) == 0) {
      place.line = int(number);
    }
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute),
                        &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count) {
      const char* file = dwarf_filesrc(files, number, nullptr, nullptr);
      if (file != nullptr) place.file = file;
    }
    return place;
  }

  Dwfl* dwfl_;
  Dwfl_Module* module_ = nullptr;
  GElf_Addr bias_ = 0;
  std::map<Dwarf_Off, UnitFunctions> units_;  // by where each begins
};

}  // namespace

bool DebugInfo::IsThere() { return true; }

std::unique_ptr<DebugInfo> DebugInfo::Open(const std::string& path,
                                           const std::string& build_id) {
  Dwfl* dwfl = dwfl_begin(Callbacks());
  if (dwfl == nullptr) return nullptr;
  auto info = std::make_unique<LibdwInfo>(dwfl);
  if (!info->Load(path, build_id)) return nullptr;
  return info;
}

}  // namespace ranksight::cli
