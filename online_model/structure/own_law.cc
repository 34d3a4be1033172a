#include "online_model/structure/own_law.h"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

#include "online_model/structure/expression.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

bool IsName(const char* name) {
  constexpr size_t kLongest = 64;
  const std::string_view text = name == nullptr ? "" : name;
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') || c == '_';
         });
}

Status Load(const std::string& library, OwnLaws* laws) {
  // A name without a slash is a file here, not one of the system's libraries.
  const std::string path =
      library.find('/') == std::string::npos ? "./" + library : library;
  const std::shared_ptr<void> loaded(
      dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) dlclose(handle);
      });
  if (loaded == nullptr) return Status::Usage(dlerror());
  const auto list = reinterpret_cast<decltype(&ranksight_laws)>(
      dlsym(loaded.get(), "ranksight_laws"));
  if (list == nullptr) {
    return Status::Usage(library + ": exports no ranksight_laws");
  }
  const ranksight_law_list* given = list();
  if (given == nullptr || given->version != RANKSIGHT_LAW_VERSION) {
    return Status::Usage(library + ": its laws are not of version " +
                         std::to_string(RANKSIGHT_LAW_VERSION));
  }
  for (int64_t i = 0; i < given->count; ++i) {
    const ranksight_law& law = given->laws[i];
    const std::string which = library + ": law " + std::to_string(i + 1);
    if (!IsName(law.name) || law.value == nullptr) {
      return Status::Usage(which + " has no name or no function");
    }
    const bool taken =
        std::any_of(laws->begin(), laws->end(),
                    [&law](const auto& l) { return l->name == law.name; });
    if (taken) {
      return Status::Usage(which + " has the name of another: " + law.name);
    }
    laws->push_back(
        std::make_shared<const OwnLaw>(OwnLaw{law.name, law.value, loaded}));
  }
  return Status::Ok();
}

}  // namespace

int64_t OwnLaw::At(const Context& c) const {
  ranksight_law_place place;
  place.rank = c.rank;
  place.ranks = c.ranks();
  place.ndims = c.grid->size();
  place.sides = c.grid->dims.data();
  place.at = c.at.data();
  place.position = c.position;
  place.length = c.length;
  const int64_t v = value(&place);
  if (v == reduction::kPeerNull) return v;
  return v > kLargestValue || v < -kLargestValue ? kNotWhole : v;
}

Status LoadOwnLaws(std::span<const std::string> libraries, OwnLaws* laws) {
  for (const std::string& library : libraries) {
    if (Status s = Load(library, laws); !s.ok()) return s;
  }
  return Status::Ok();
}

}  // namespace ranksight::online_model
