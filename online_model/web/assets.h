// The files of the page, built into the program (online_model/web/assets/).
// Thread-safety: constant.
#pragma once

#include <span>
#include <string_view>

namespace ranksight::online_model {

struct Asset {
  std::string_view path, type, content;
};

std::span<const Asset> Assets();
// The content of one, by path; empty when there is none.
std::string_view AssetAt(std::string_view path);

}  // namespace ranksight::online_model
