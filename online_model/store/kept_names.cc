#include "online_model/store/kept_names.h"

#include <utility>

#include "online_model/store/files.h"
#include "reduction/api/codec.h"

namespace ranksight::online_model {
namespace {

using reduction::Status;

constexpr char kNamesFolder[] = "names";

// Names can be found again: what is damaged is as if it were not there.
reduction::Names ReadNames(const std::string& folder,
                           const std::string& build_id) {
  const auto bytes =
      reduction::ReadWholeFile(folder + "/" + SafeName(build_id));
  if (!bytes.ok()) return {};
  auto names = reduction::DecodeNames(*bytes);
  if (!names.ok() || !names->modules.contains(build_id)) return {};
  return std::move(*names);
}

}  // namespace

Status KeepNames(const std::string& store_directory,
                 const reduction::Names& names) {
  if (names.empty()) return Status::Ok();
  const std::string folder = store_directory + "/" + kNamesFolder;
  Status s = MakePrivateDirectoryIn(store_directory, kNamesFolder);
  if (s.ok()) s = CheckNoLink(folder);
  for (const auto& [build_id, frames] : names.modules) {
    if (!s.ok()) break;
    const auto known = ReadNames(folder, build_id);
    reduction::Names all;
    all.modules[build_id] = frames;
    all.Add(known);
    if (all == known) continue;
    s = WriteDurably(folder, SafeName(build_id), reduction::EncodeNames(all));
  }
  return s;
}

reduction::Names KeptNames(const std::string& store_directory,
                           const reduction::Sites& sites) {
  reduction::Names names;
  for (const reduction::Module& module : sites.modules) {
    if (module.build_id.empty()) continue;
    names.Add(ReadNames(store_directory + "/" + kNamesFolder, module.build_id));
  }
  return names;
}

}  // namespace ranksight::online_model
