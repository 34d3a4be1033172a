#include <vector>

#include "adapters/api/adapter.h"
#include "adapters/base/deflate.h"

namespace ranksight::adapters {

#define RANKSIGHT_ADAPTER(Function) const Adapter& Function();
#include "adapters/registry/adapters.def"
#undef RANKSIGHT_ADAPTER

std::span<const Adapter* const> Adapters() {
  static const std::vector<const Adapter*> all = {
#define RANKSIGHT_ADAPTER(Function) &Function(),
#include "adapters/registry/adapters.def"
#undef RANKSIGHT_ADAPTER
  };
  return all;
}

bool CanCompress() { return Deflater::IsThere(); }

const Adapter* FindAdapter(std::string_view name) {
  for (const Adapter* adapter : Adapters()) {
    if (adapter->name == name) return adapter;
  }
  return nullptr;
}

}  // namespace ranksight::adapters
