#include "adapters/kokkos_tools/open_regions.h"

#include <dlfcn.h>

#include <utility>

namespace ranksight::kokkos_tools {

using Lock = std::lock_guard<std::mutex>;

void OpenRegions::Connect() {
  const Lock lock(mutex_);
  begin_ =
      reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, "ranksight_region_begin"));
  end_ = reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, "ranksight_region_end"));
  if (end_ == nullptr) begin_ = nullptr;
}

uint64_t OpenRegions::Begin(Kind kind, std::string_view prefix,
                            std::string_view name) {
  const Lock lock(mutex_);
  if (begin_ == nullptr) return 0;
  try {
    std::string full(prefix);
    if (!prefix.empty() && !name.empty()) full += ' ';
    full += name;
    open_.push_back({kind, ++last_id_, std::move(full)});
  } catch (...) {
    begin_ = nullptr;
    return 0;
  }
  begin_(open_.back().name.c_str());
  return last_id_;
}

void OpenRegions::EndAt(size_t place) {
  // By name the runtime would end the innermost namesake only.
  while (open_.size() > place) {
    end_(open_.back().name.c_str());
    open_.pop_back();
  }
}

void OpenRegions::End(uint64_t id) {
  const Lock lock(mutex_);
  for (size_t i = open_.size(); i > 0; --i) {
    if (open_[i - 1].id == id) return EndAt(i - 1);
  }
}

void OpenRegions::EndLast(Kind kind) {
  const Lock lock(mutex_);
  for (size_t i = open_.size(); i > 0; --i) {
    if (open_[i - 1].kind == kind) return EndAt(i - 1);
  }
}

void OpenRegions::EndAll() {
  const Lock lock(mutex_);
  EndAt(0);
}

}  // namespace ranksight::kokkos_tools
